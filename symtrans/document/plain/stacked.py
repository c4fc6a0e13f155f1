"""Matrices drawn over several lines side by side, one row of each on a line, with the signs on one of the lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from symtrans.document.mapped import Mapped, Weaver

MOST_LINES = 60
LONGEST = 1_000  # characters of a line
_ROW = re.compile(r"[\[|⎡⎢⎣](?P<inner>[^\[\]|⎡⎢⎣⎤⎥⎦]*)[\]|⎤⎥⎦]")
_ENTRY = re.compile(r"[^\s,;&]+")
_NEXT = re.compile(r"(?<=\])[\s,;]{2,}(?=[^\W\d]\w*\s*=)")  # another definition beside
_BRACKETS = re.compile(r"[\[\]|⎡⎢⎣⎤⎥⎦]")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row in brackets: the number of its line, its columns on the page, and where it stands in its line."""

    line: int
    left: int
    right: int
    match: re.Match[str]

    @property
    def width(self) -> int:
        """The number of its entries; 0 where it holds no number."""
        entries = _ENTRY.findall(self.match["inner"])
        return len(entries) if any(character.isdigit() for character in self.match["inner"]) else 0


def stacked(lines: Sequence[tuple[Mapped, int]], at: int) -> tuple[list[Mapped], int]:
    """The formulas that begin to stand over several lines at `lines[at]`, and the line after it.

    Each line comes with the column that it begins at. Nothing where none stands there. Where
    the brackets do not stand in columns, an ellipsis tells that its matrices are not known whole.
    """
    rows: list[list[_Row]] = []
    signs: list[int] = []
    while at + len(rows) < len(lines) and len(rows) < MOST_LINES:
        number = at + len(rows)
        text, column = lines[number][0].text, lines[number][1]
        if len(text) > LONGEST:
            break
        rest = _ROW.sub("", text)
        found = [_Row(number, column + m.start(), column + m.end(), m) for m in _ROW.finditer(text)]
        if not all(row.width for row in found) or not found or _BRACKETS.search(rest):
            break
        if rest.strip():
            signs.append(number)
        rows.append(found)
    if len(signs) != 1 or len(rows) < 2:
        return [], at
    line = lines[signs[0]][0]
    operands = rows[signs[0] - at]
    others = [row for each in rows for row in each if row.line != signs[0]]
    pairs = any(len(each) > 1 and each[0].line != signs[0] for each in rows)
    if len(operands) < 2 or "=" not in _ROW.sub("", line.text) or not pairs:
        return [], at
    columns = [[row for row in others if _is_below(row, operand)] for operand in operands]
    whole = sum(len(column) for column in columns) == len(others) and all(
        _is_matrix(operand, column) for operand, column in zip(operands, columns, strict=True)
    )
    woven = _woven(lines, line, operands, columns if whole else None)
    borders = [0, *(border for m in _NEXT.finditer(woven.text) for border in m.span()), len(woven.text)]
    return [woven.slice(*borders[k : k + 2]) for k in range(0, len(borders), 2)], at + len(rows)


def _is_below(row: _Row, operand: _Row) -> bool:
    """Whether a row stands in an operand's column: one of its brackets is under that one's."""
    return row.left == operand.left or row.right == operand.right


def _is_matrix(operand: _Row, column: list[_Row]) -> bool:
    """Whether rows stand on lines one after the other and have as many entries each."""
    places = sorted((operand.line, *(row.line for row in column)))
    follow = places == list(range(places[0], places[0] + len(places)))
    return follow and all(row.width == operand.width for row in column)


def _woven(
    lines: Sequence[tuple[Mapped, int]], line: Mapped, operands: list[_Row], columns: list[list[_Row]] | None
) -> Mapped:
    weaver, done = Weaver(), 0
    for place, operand in enumerate(operands):
        start, end = operand.match.span()
        weaver.copy(line, done, start)
        column = [] if columns is None else columns[place]
        matrix = sorted((operand, *column), key=lambda row: row.line)
        weaver.make("[" if columns is None else "[[", line, start, start)
        for number, row in enumerate(matrix):
            source = lines[row.line][0]
            if number:
                weaver.make("], [", source, row.match.start(), row.match.start())
            _entries(weaver, source, row)
        weaver.make(", …]" if columns is None else "]]", line, end, end)
        done = end
    weaver.copy(line, done, len(line.text))
    return weaver.done()


def _entries(weaver: Weaver, source: Mapped, row: _Row) -> None:
    start = row.match.start("inner")
    for number, entry in enumerate(_ENTRY.finditer(row.match["inner"])):
        if number:
            weaver.make(", ", source, start + entry.start(), start + entry.start())
        weaver.copy(source, start + entry.start(), start + entry.end())
