"""Comments that silence: `<!-- symtrans: ignore ST101 -->`, `% symtrans: ignore`, `ignore-start`, `ignore-end`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtrans.document.block import EVERYTHING

_DIRECTIVE = re.compile(
    r"(?:<!--|%|//|/\*|\{/\*|#)[ \t]*symtrans:[ \t]*ignore(?P<range>-start|-end)?(?P<codes>(?:[ \t,]+ST\d*)*)", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Silence:
    """Where codes are silenced: from `start` on; up to `end`, or for the next block where `end` is None."""

    start: int
    end: int | None
    codes: frozenset[str]


def silences(text: str) -> list[Silence]:
    """All directives of a source's text; a range that is never ended reaches to the end of the file."""
    found: list[Silence] = []
    opened: list[tuple[int, frozenset[str]]] = []
    for match in _DIRECTIVE.finditer(text):
        codes = frozenset(re.findall(r"ST\d*", match["codes"])) or frozenset({EVERYTHING})
        if match["range"] == "-start":
            opened.append((match.start(), codes))
        elif match["range"] == "-end":
            found.extend(Silence(start, match.start(), silent) for start, silent in opened)
            opened = []
        else:
            found.append(Silence(match.start(), None, codes))
    found.extend(Silence(start, len(text), silent) for start, silent in opened)
    return found


def silenced(found: list[Silence], text: str, previous_end: int, start: int, end: int) -> frozenset[str]:
    """The codes silenced for a block at `start:end` after a block that ends at `previous_end`.

    A directive counts for the block that it stands in, behind on the same line, or before.
    """
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    behind = text.find("\n", previous_end) if previous_end else 0  # nothing stands before the first block
    first = previous_end if behind < 0 or behind > start else behind
    codes: set[str] = set()
    for silence in found:
        if silence.end is not None:
            if silence.start <= start < silence.end:
                codes |= silence.codes
        elif first <= silence.start < line_end:
            codes |= silence.codes
    return frozenset(codes)
