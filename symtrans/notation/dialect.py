"""A dialect: how every sign, name and matrix is spelled in LaTeX, and which sides a line shows.

A dialect is one TOML file in `notation/dialects/`; a new file there is a new dialect.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from symtrans.errors import UsageError
from symtrans.registry import file_names, files

_FOLDER = "symtrans.notation.dialects"


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    r"""One presentation's spellings; the comments in the TOML files say what each is for.

    * `brace_nucleus`: wrap the nucleus of every script in braces, or only where TeX needs it.
    * `word`, `fraction`, `root`, `root_degree`: templates with their parts as `<part>`.
    * `tall`: what makes the brackets round it grow.
    * `matrix`, `slice`, `dots`, `signs`, `operators`, `big`, `constants`, `relations`, `fonts`, `accents`,
      `functions`: spellings by what they spell; an operator's key is a `Product`'s, and `juxtapose`.
    * `brackets`: opening and closing, then the growing opening and closing, by a `Group`'s bracket.
    * `chains`: for a quantity's kind the sides that its lines show, as words that the TOML file
      explains; a relation such as "≈" before a side replaces the "=" that joins it.
    * `repeated`: the same for a head that is a copy of head 1.
    """

    name: str
    title: str
    brace_nucleus: bool
    word: str
    argument: str
    transpose: str
    partial: str
    fraction: str
    root: str
    root_degree: str
    dots: Mapping[str, str]
    prime: str
    tall: tuple[str, ...]
    matrix: Mapping[str, str]
    slice: Mapping[str, str]
    signs: Mapping[str, str]
    operators: Mapping[str, str]
    big: Mapping[str, str]
    constants: Mapping[str, str]
    relations: Mapping[str, str]
    brackets: Mapping[str, tuple[str, ...]]
    fonts: Mapping[str, str]
    accents: Mapping[str, str]
    functions: Mapping[str, str]
    chains: Mapping[str, tuple[str, ...]]
    repeated: Mapping[str, tuple[str, ...]]


def dialect_names() -> list[str]:
    """The dialects there are, sorted."""
    return file_names(_FOLDER, ".toml")


@cache
def load_dialect(name: str) -> Dialect:
    """The dialect called `name`; `UsageError` names those there are."""
    text = files(_FOLDER, ".toml").get(name)
    if text is None:
        raise UsageError(f"there is no dialect '{name}'; there are {', '.join(dialect_names())}")
    return Dialect(name=name, **{key: _frozen(value) for key, value in tomllib.loads(text).items()})


def _frozen(value: Any) -> Any:
    """A TOML value whose lists are tuples and whose tables cannot be changed."""
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    return value
