"""What can be done with scalars and matrices, over any kind of entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from symtrans.errors import LimitError, ShapeError
from symtrans.exact.scalars import FunctionName, Scalars
from symtrans.ops.counting import numeral
from symtrans.ops.tensor import Tensor

S = TypeVar("S")

MAX_ENTRIES = 1 << 18
MAX_EXPONENT = 1024


class Algebra(Generic[S]):
    """Scalars and matrices with entries from `scalars`.

    Shapes must fit exactly: a 1×1 matrix is not a scalar, and a sum has one shape. With
    `broadcast` a sum or an entrywise product also spreads a scalar over a matrix and a row over
    all rows, and a 1×1 matrix counts as a scalar factor where the shapes do not fit otherwise.
    Every fault of shape is a ShapeError that names the operation and the shapes.
    """

    def __init__(self, scalars: Scalars[S], *, broadcast: bool = False) -> None:
        self.scalars = scalars
        self.broadcast = broadcast

    # --- made from nothing

    def number(self, value: int | Fraction) -> Tensor[S]:
        """A rational scalar."""
        return Tensor.scalar(self.scalars.number(Fraction(value)))

    def numeral(self, text: str) -> Tensor[S]:
        """A numeral as written."""
        return self.number(numeral(text))

    def constant(self, rows: int, columns: int, value: int) -> Tensor[S]:
        """A matrix with one integer in every place."""
        self._within(rows, columns)
        return Tensor((rows, columns), (self.scalars.number(Fraction(value)),) * (rows * columns))

    def identity(self, size: int) -> Tensor[S]:
        """The identity matrix."""
        self._within(size, size)
        zero, one = (self.scalars.number(Fraction(value)) for value in (0, 1))
        return Tensor((size, size), tuple(one if i == j else zero for i in range(size) for j in range(size)))

    # --- entry by entry

    def add(self, a: Tensor[S], b: Tensor[S]) -> Tensor[S]:
        """The sum of two quantities of one shape."""
        return self._pairwise("sum", self.scalars.add, a, b)

    def subtract(self, a: Tensor[S], b: Tensor[S]) -> Tensor[S]:
        """The difference of two quantities of one shape."""
        return self._pairwise("difference", self.scalars.subtract, a, b)

    def negate(self, a: Tensor[S]) -> Tensor[S]:
        """Every entry with its sign changed."""
        return a.map(self.scalars.negate)

    def odot(self, a: Tensor[S], b: Tensor[S]) -> Tensor[S]:
        """The entrywise product of two quantities of one shape."""
        if a.is_scalar or b.is_scalar:
            return self.product(a, b)
        return self._pairwise("entrywise product", self.scalars.multiply, a, b)

    def divide(self, a: Tensor[S], b: Tensor[S]) -> Tensor[S]:
        """A quantity divided by a scalar, or entry by entry by a matrix of its shape."""
        if b.is_scalar or (self.broadcast and b.shape == (1, 1)):
            return a.map(lambda x: self.scalars.divide(x, b.item))
        return self._pairwise("quotient", self.scalars.divide, a, b)

    def entrywise(self, function: FunctionName, a: Tensor[S]) -> Tensor[S]:
        """A function of numbers (`exp`, `sqrt`, …) applied to every entry."""
        return a.map(lambda x: self.scalars.function(function, x))

    def relu(self, a: Tensor[S]) -> Tensor[S]:
        """Every entry, or 0 where that is greater."""
        zero = self.scalars.number(Fraction(0))
        return a.map(lambda x: self.scalars.maximum([zero, x]))

    def power(self, a: Tensor[S], exponent: Fraction | int) -> Tensor[S]:
        """Every entry to a rational power."""
        self._exponent(exponent)
        return a.map(lambda x: self.scalars.power(x, Fraction(exponent)))

    # --- matrices

    def product(self, a: Tensor[S], b: Tensor[S]) -> Tensor[S]:
        """The product as the shapes say: of two scalars, a scalar and a matrix, or two matrices."""
        if a.is_scalar:
            return b.map(lambda x: self.scalars.multiply(a.item, x))
        if b.is_scalar:
            return a.map(lambda x: self.scalars.multiply(x, b.item))
        if a.shape[1] != b.shape[0]:
            if self.broadcast and a.shape == (1, 1):
                return b.map(lambda x: self.scalars.multiply(a.item, x))
            if self.broadcast and b.shape == (1, 1):
                return a.map(lambda x: self.scalars.multiply(x, b.item))
            raise ShapeError(
                f"the product of {a.told} and {b.told} is not defined: {a.shape[1]} columns meet {b.shape[0]} rows"
            )
        self._within(a.shape[0], b.shape[1])
        return self.matrix_product(a, b)

    def matrix_product(self, a: Tensor[S], b: Tensor[S]) -> Tensor[S]:
        """The product of two matrices whose shapes fit; a domain may have a faster way."""
        multiply, columns = self.scalars.multiply, b.columns()
        return Tensor(
            (a.shape[0], b.shape[1]),
            tuple(
                self.sum_of([multiply(x, y) for x, y in zip(row, column, strict=True)])
                for row in a.rows()
                for column in columns
            ),
        )

    def matrix_power(self, a: Tensor[S], exponent: int) -> Tensor[S]:
        """A square matrix multiplied by itself; the exponent is not negative."""
        self._exponent(exponent)
        if not a.shape or a.shape[0] != a.shape[1]:
            raise ShapeError(f"a power of a matrix needs a square one, and this is {a.told}")
        if exponent < 0:
            raise ShapeError(f"a negative power of a matrix ({exponent}) is not computed here")
        result = self.identity(a.shape[0]) if exponent == 0 else a
        for bit in bin(exponent)[3:]:
            result = self.product(result, result)
            if bit == "1":
                result = self.product(result, a)
        return result

    def transpose(self, a: Tensor[S]) -> Tensor[S]:
        """Rows and columns exchanged; a scalar stays."""
        if a.is_scalar:
            return a
        return Tensor((a.shape[1], a.shape[0]), tuple(entry for column in a.columns() for entry in column))

    def slice(
        self, a: Tensor[S], rows: tuple[int, int] | None = None, columns: tuple[int, int] | None = None
    ) -> Tensor[S]:
        """The rows and the columns from first to last, counted from 1; None takes all."""
        if a.is_scalar:
            raise ShapeError("rows or columns of a scalar cannot be taken")
        places = []
        for what, side, available in zip(("rows", "columns"), (rows, columns), a.shape, strict=True):
            first, last = side or (1, available)
            if not 1 <= first <= last <= available:
                raise ShapeError(f"there are no {what} {first} to {last} in what is {a.told}")
            places.append(range(first - 1, last))
        width = a.shape[1]
        return Tensor(
            (len(places[0]), len(places[1])), tuple(a.entries[i * width + j] for i in places[0] for j in places[1])
        )

    def blocks(self, rows: Sequence[Sequence[Tensor[S]]]) -> Tensor[S]:
        """One matrix of blocks: equal heights side by side, equal widths below each other; a scalar is 1×1."""
        lines: list[tuple[S, ...]] = []
        for row in rows:
            height = len(row[0].rows())
            for block in row:
                if len(block.rows()) != height:
                    raise ShapeError(f"{row[0].told} and {block.told} cannot stand side by side: their rows differ")
            for parts in zip(*(block.rows() for block in row), strict=True):
                lines.append(tuple(entry for part in parts for entry in part))
                if len(lines[-1]) != len(lines[0]):
                    raise ShapeError(f"a row of blocks is {len(lines[0])} wide and another is {len(lines[-1])} wide")
        self._within(len(lines), len(lines[0]))
        return Tensor.matrix(lines)

    def total(self, a: Tensor[S]) -> Tensor[S]:
        """The sum of all entries, a scalar."""
        return Tensor.scalar(self.sum_of(a.entries))

    def softmax(self, a: Tensor[S]) -> Tensor[S]:
        """The softmax of each row."""
        return Tensor(a.shape, tuple(entry for row in a.rows() for entry in self.scalars.softmax(row)))

    def maximum(self, entries: Sequence[S]) -> S:
        """The greatest of some entries."""
        return self.scalars.maximum(tuple(entries))

    def sum_of(self, entries: Sequence[S]) -> S:
        """The sum of some entries, at least one."""
        return self.scalars.sum(tuple(entries))

    # --- shapes and caps

    def _pairwise(self, what: str, function: Callable[[S, S], S], a: Tensor[S], b: Tensor[S]) -> Tensor[S]:
        if a.shape != b.shape and self.broadcast:
            a, b = self._spread(a, b), self._spread(b, a)
        if a.shape != b.shape:
            raise ShapeError(f"the {what} of {a.told} and {b.told} is not defined: the shapes must be equal")
        return Tensor(a.shape, tuple(function(x, y) for x, y in zip(a.entries, b.entries, strict=True)))

    @staticmethod
    def _spread(a: Tensor[S], like: Tensor[S]) -> Tensor[S]:
        """A scalar or a single row or column, repeated until it has the shape of `like` where that is possible."""
        if not like.shape or a.shape == like.shape:
            return a
        height, width = like.shape
        if len(a.entries) == 1:
            return Tensor(like.shape, a.entries * (height * width))
        if a.shape == (1, width):
            return Tensor(like.shape, a.entries * height)
        if a.shape == (height, 1):
            return Tensor(like.shape, tuple(entry for entry in a.entries for _ in range(width)))
        return a

    @staticmethod
    def _within(rows: int, columns: int) -> None:
        if rows < 1 or columns < 1:
            raise ShapeError(f"a matrix needs at least one row and one column, and this would be {rows}×{columns}")
        if rows * columns > MAX_ENTRIES:
            raise LimitError(f"a matrix of {rows}×{columns} is beyond the cap of {MAX_ENTRIES} entries")

    @staticmethod
    def _exponent(exponent: Fraction | int) -> None:
        if abs(Fraction(exponent)) > MAX_EXPONENT:
            raise LimitError(f"an exponent of {exponent} is beyond the cap of {MAX_EXPONENT}")
