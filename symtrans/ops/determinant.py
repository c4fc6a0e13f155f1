"""The determinant of a square matrix and its inverse, by cofactors: small matrices, any kind of entries."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from symtrans.errors import LimitError, ShapeError, UndefinedValue
from symtrans.ops.algebra import Algebra
from symtrans.ops.tensor import Tensor

S = TypeVar("S")
LARGEST = 6


def determinant(a: Tensor[S], algebra: Algebra[S]) -> S:
    """The determinant. ShapeError for what is not square, LimitError beyond 6 rows."""
    if len(a.shape) != 2 or a.shape[0] != a.shape[1]:
        raise ShapeError(f"the determinant of {a.told} is not defined; a square matrix is needed")
    if a.shape[0] > LARGEST:
        raise LimitError(f"a determinant of more than {LARGEST} rows")
    return _expanded([list(row) for row in a.rows()], algebra)


def inverse(a: Tensor[S], algebra: Algebra[S]) -> Tensor[S]:
    """The inverse. UndefinedValue where there is none."""
    whole = determinant(a, algebra)
    if algebra.scalars.is_zero(whole):
        raise UndefinedValue("a singular matrix has no inverse")
    size, rows = a.shape[0], [list(row) for row in a.rows()]

    def cofactor(i: int, j: int) -> S:
        minor = [row[:j] + row[j + 1 :] for place, row in enumerate(rows) if place != i]
        value = _expanded(minor, algebra)
        return value if (i + j) % 2 == 0 else algebra.scalars.negate(value)

    entries = (algebra.scalars.divide(cofactor(j, i), whole) for i in range(size) for j in range(size))
    return Tensor(a.shape, tuple(entries))


def _expanded(rows: list[list[S]], algebra: Algebra[S]) -> S:
    """The expansion along the first row; the empty determinant is 1."""
    if not rows:
        return algebra.scalars.number(Fraction(1))
    parts = []
    for place, entry in enumerate(rows[0]):
        minor = [row[:place] + row[place + 1 :] for row in rows[1:]]
        part = algebra.scalars.multiply(entry, _expanded(minor, algebra))
        parts.append(part if place % 2 == 0 else algebra.scalars.negate(part))
    return algebra.sum_of(parts)
