"""A place in a formula's source, and what every part of the scanner reads from there."""

from __future__ import annotations

import re
from typing import Any

from symtrans.notation.tokens import Tok

_DELIMITER = re.compile(r"(\\(?:left|right|middle|[bB]igg?[lrm]?)(?![A-Za-z]))?\s*(\\[A-Za-z]+|\\.|\|\||.)", re.S)
_OPENING_BRACE = re.compile(r"\s*\{")


class Cursor:
    """Where the scanner stands in the source; `argument`, `optional` and `until` are the scanner's own."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.depth = 0  # of nested groups, here
        self.deepest = 0  # anywhere so far
        self.unclosed = False  # whether `raw` ran into the end of the source
        self.layouts = 0  # display environments that are open here

    def argument(self) -> list[Tok]:
        """A command's argument: what stands in braces, or the next single token (one digit of a number)."""
        raise NotImplementedError

    def optional(self) -> list[Tok] | None:
        """A command's argument in square brackets, or None."""
        raise NotImplementedError

    def until(self, stop: str | None) -> list[Tok]:
        r"""Tokens up to what closes: "}", "bracket", "|", "‖", "end" (an `\end`) or the end of the source."""
        raise NotImplementedError

    def take(self, kind: str, end: int, text: str = "", value: Any = None) -> Tok:
        """A token from here to `end`, where the cursor then stands."""
        token = Tok(kind, text, self.at, end, value=value)
        self.at = end
        return token

    def bad(self, start: int, why: str) -> Tok:
        """What stands from `start` to here was not understood."""
        return Tok("BAD", "", start, self.at, value=why)

    def skip(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Go over what the pattern matches here, if it does."""
        match = pattern.match(self.source, self.at)
        if match:
            self.at = match.end()
        return match

    def looks_at(self, pattern: re.Pattern[str]) -> bool:
        """Whether the pattern matches here."""
        return pattern.match(self.source, self.at) is not None

    def delimiter(self, double: bool = True) -> tuple[str, str, int]:
        r"""The `\left`, `\right` or size that stands here, the bracket behind it, and where that ends.

        `||` is one sign, unless not `double`.
        """
        match = _DELIMITER.match(self.source, self.at)
        if not match:
            return "", "", self.at
        size, sign, end = match[1] or "", match[2], match.end()
        return (size, "|", end - 1) if sign == "||" and not double else (size, sign, end)

    def raw(self) -> str | None:
        """The characters of an argument in braces, or None where no brace opens here."""
        match = _OPENING_BRACE.match(self.source, self.at)
        if not match:
            return None
        depth, place, source = 1, match.end(), self.source
        while place < len(source) and depth:
            character = source[place]
            if character == "\\":
                place += 1
            elif character == "{":
                depth += 1
            elif character == "}":
                depth -= 1
            place += 1
        self.at = min(place, len(source))
        self.unclosed = self.unclosed or depth > 0
        return source[match.end() : place if depth else place - 1]
