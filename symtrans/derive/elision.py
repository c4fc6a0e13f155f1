"""Matrices too large for a page: the first rows and columns and the last are shown, with dots between them."""

from __future__ import annotations

from collections.abc import Callable

from symtrans.notation.tree import Dots, Matrix, Node, Sum, Term, rebuild, walk

MOST = 12  # rows or columns of a matrix, and terms of a sum over such ones, that are shown as they are
FIRST = 4  # that are shown of a longer one, and the last

SWAPPED = {"center": "vertical", "vertical": "center"}


def is_large(shape: tuple[int, ...]) -> bool:
    """Whether a quantity of this shape has more rows or columns than are shown."""
    return max(shape, default=0) > MOST


def shown(length: int) -> tuple[int, ...]:
    """The places, from 0, that are shown of so many."""
    return tuple(range(length)) if length <= MOST else (*range(FIRST), length - 1)


def framed(shape: tuple[int, int], cell: Callable[[int, int], Node]) -> Matrix:
    """The matrix of this shape with dots for what is not shown; `cell` gives an entry by its place from 0."""
    rows, columns = shape
    lines = [_with_dots([cell(i, j) for j in shown(columns)], columns, "center") for i in shown(rows)]
    if rows > MOST:
        dots = _with_dots([Dots("vertical")] * len(shown(columns)), columns, "diagonal")
        lines.insert(FIRST, dots)
    return Matrix(tuple(map(tuple, lines)))


def _with_dots(cells: list[Node], length: int, direction: str) -> list[Node]:
    if length > MOST:
        cells.insert(FIRST, Dots(direction))  # type: ignore[arg-type]
    return cells


def elided(node: Node) -> Node:
    """The tree with dots in every matrix and every sum that is too long."""
    match node:
        case Matrix(rows) if is_large((len(rows), len(rows[0]))):
            return framed((len(rows), len(rows[0])), lambda i, j: elided(rows[i][j]))
        case Sum(terms) if len(terms) > MOST:
            kept = [Term(term.sign, elided(term.node)) for term in (*terms[:FIRST], terms[-1])]
            kept.insert(FIRST, Term(1, Dots("center")))
            return Sum(tuple(kept))
        case _:
            return rebuild(node, elided)


def has_gaps(node: Node) -> bool:
    """Whether dots stand for a part of a matrix or a sum."""
    return any(isinstance(part, Dots) for part in walk(node))


def flipped(cell: Node) -> Node:
    """A cell as it stands in the transpose: dots to the right point down."""
    return Dots(SWAPPED.get(cell.direction, cell.direction)) if isinstance(cell, Dots) else cell  # type: ignore[arg-type]
