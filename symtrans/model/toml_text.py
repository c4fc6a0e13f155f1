"""TOML as a stranger may send it: a text becomes a table, or a fault of one sentence, never a crash."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

from symtrans.errors import SpecError

MAX_KEY_PARTS = 16

# `a.b.c…` costs the parser the square of its parts, in memory too: 100,000 of them take all there is.
_KEY_PART = r"""(?:(?<![\w-])[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*"""
_LONG_KEY = re.compile(f"(?:{_KEY_PART}){{{MAX_KEY_PARTS}}}")


@dataclass(frozen=True, slots=True)
class Bare:
    """A number that stands in the file without quotes and has a point or an exponent, with its digits as written."""

    text: str

    def __str__(self) -> str:
        return self.text


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """The table that a TOML text holds, floats as `Bare`; SpecError, which begins with `source`, for any other text."""
    long = _LONG_KEY.search(text)
    if long:
        line = text.count("\n", 0, long.start()) + 1
        raise SpecError(f"{source}: line {line} has a key of more than {MAX_KEY_PARTS} parts; a key here has at most 3")
    try:
        return tomllib.loads(text, parse_float=Bare)
    except tomllib.TOMLDecodeError as fault:
        raise SpecError(f"{source}: is not TOML: {fault}") from None
    except RecursionError:
        raise SpecError(f"{source}: is nested too deep; a matrix is a list of rows") from None
    except ValueError:  # Python's own cap on the digits of an integer
        raise SpecError(
            f"{source}: has a whole number of thousands of digits; numbers are quoted, and a dimension is small"
        ) from None


def told(value: Any) -> str:
    """A TOML value as a fault quotes it, short."""
    match value:
        case str():
            return f'"{short(value)}"'
        case bool():
            return str(value).lower()
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return short(str(value))


def short(text: str) -> str:
    """The text, or its beginning where it is long."""
    return text if len(text) <= 40 else text[:39] + "…"
