"""From a source's tokens to its formulas: displays opened, lines joined or parted, each formula cut into sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symtrans.notation.tokens import Tok

_OPENS_LINE = ("OP", "PLUS")
_UNFINISHED = ("OP", "PLUS", "MINUS", "REL")
_ENDS = ("SEP", "SEMI", "ROW")


@dataclass(frozen=True, slots=True)
class Parts:
    """A formula: the tokens of its sides, the relations between them, and whether it continues the one before."""

    sides: tuple[list[Tok], ...]
    relations: tuple[Tok, ...]
    continues: bool


def formulas(tokens: list[Tok]) -> list[Parts]:
    """The formulas that the tokens of a whole source hold."""
    return [_sides(segment) for segment in _segments(_flat(tokens))]


def _flat(tokens: list[Tok]) -> list[Tok]:
    r"""The tokens with display environments opened, and what a bracket that never closes holds set free."""
    flat: list[Tok] = []
    for token in tokens:
        if token.kind == "LAYOUT":
            flat.append(Tok("ROW", "", token.start, token.start))
            flat.extend(_flat(token.parts[0]))
            flat.append(Tok("ROW", "", token.end, token.end))
        elif token.kind == "BAD" and token.parts:
            flat.append(token)
            flat.extend(_flat(token.parts[0]))
        elif token.kind == "BRACE" and _parts_formulas(token.parts[0]):
            flat.extend(_flat(token.parts[0]))  # braces that only set a size or a colour
        else:
            flat.append(token)
    return flat


def _parts_formulas(tokens: list[Tok]) -> bool:
    return any(
        token.kind in ("REL", "LAYOUT", "SEP", "ROW", "AMP")
        or (token.kind == "BRACE" and _parts_formulas(token.parts[0]))
        for token in tokens
    )


def _segments(tokens: list[Tok]) -> list[list[Tok]]:
    """The tokens of each formula, without alignment marks and without commas at its ends."""
    segments: list[list[Tok]] = [[]]
    for start, end in _lines(tokens):
        line = tokens[start:end]
        kept = [token for token in line if token.kind not in ("AMP", "GAP")]
        if not kept:
            continue
        if segments[-1] and _continues(segments[-1], line, kept[0], _after_row(tokens, start)):
            segments[-1].extend(kept)
        else:
            segments.append(kept)
    return [trimmed for segment in segments if (trimmed := _trimmed(segment))]


def _lines(tokens: list[Tok]) -> Iterator[tuple[int, int]]:
    """Where the parts between two ends of a formula begin and end."""
    start = 0
    for place in range(len(tokens)):
        if _parts(tokens, place):
            yield start, place
            start = place + 1
    yield start, len(tokens)


def _parts(tokens: list[Tok], place: int) -> bool:
    """Whether the token here stands between two formulas: a gap, a line's end, a comma before another relation."""
    token = tokens[place]
    if token.kind in _ENDS:
        return True
    if token.kind == "COLON":  # a heading before a formula; 1:2 is something else
        return place > 0 and place + 1 < len(tokens) and tokens[place + 1].start > token.end
    if token.kind != "COMMA":
        return False
    for following in tokens[place + 1 :]:
        if following.kind == "REL":
            return True
        if following.kind in _ENDS or following.kind == "COMMA":
            break
    return place + 1 == len(tokens) or tokens[place + 1].kind in _ENDS


def _after_row(tokens: list[Tok], start: int) -> bool:
    """Whether a line of a display begins at `start` (rather than something behind a gap)."""
    while start > 0 and tokens[start - 1].kind in ("SEP", "AMP", "GAP"):
        start -= 1
    return start > 0 and tokens[start - 1].kind == "ROW"


def _continues(before: list[Tok], line: list[Tok], first: Tok, after_row: bool) -> bool:
    """Whether a line goes on with the expression before it: it begins, or that one ended, with an operator."""
    last = before[-1]
    if last.kind in _UNFINISHED and after_row:
        return True
    if first.kind in _OPENS_LINE:
        return True
    if first.kind != "MINUS" or not after_row:
        return False
    aligned = line[0].kind == "AMP"
    return aligned or not any(token.kind == "REL" for token in line)


def _trimmed(segment: list[Tok]) -> list[Tok]:
    while segment and segment[-1].kind in ("COMMA", "GAP", "COLON"):
        segment = segment[:-1]
    while segment and segment[0].kind in ("COMMA", "GAP", "COLON"):
        segment = segment[1:]
    return segment


def _sides(segment: list[Tok]) -> Parts:
    sides: list[list[Tok]] = [[]]
    relations: list[Tok] = []
    for token in segment:
        if token.kind == "REL":
            relations.append(token)
            sides.append([])
        else:
            sides[-1].append(token)
    return Parts(tuple(map(_trimmed, sides)), tuple(relations), segment[0].kind == "REL")
