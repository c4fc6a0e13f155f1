"""A scalar or a matrix of entries of one kind, by rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from symtrans.errors import ShapeError

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tensor(Generic[S]):
    """`shape` is `()` for a scalar or (rows, columns); `entries` stand row by row."""

    shape: tuple[int, ...]
    entries: tuple[S, ...]

    def __post_init__(self) -> None:
        count = self.shape[0] * self.shape[1] if self.shape else 1
        if count != len(self.entries):
            raise ShapeError(f"a quantity of shape {self.told} has {count} entries, and got {len(self.entries)}")

    @classmethod
    def scalar(cls, entry: S) -> Tensor[S]:
        """One number."""
        return cls((), (entry,))

    @classmethod
    def matrix(cls, rows: Iterable[Sequence[S]]) -> Tensor[S]:
        """A matrix from its rows; they must not be empty and must be of one length."""
        given = [tuple(row) for row in rows]
        if not given or not given[0]:
            raise ShapeError("a matrix needs at least one row and one column")
        for number, row in enumerate(given, 1):
            if len(row) != len(given[0]):
                raise ShapeError(f"row 1 of a matrix has {len(given[0])} entries and row {number} has {len(row)}")
        return cls((len(given), len(given[0])), tuple(entry for row in given for entry in row))

    @property
    def is_scalar(self) -> bool:
        """Whether this is one number; a 1×1 matrix is not."""
        return not self.shape

    @property
    def told(self) -> str:
        """The shape as a person writes it: `2×4`, or `a scalar`."""
        return "×".join(str(length) for length in self.shape) if self.shape else "a scalar"

    @property
    def item(self) -> S:
        """The only entry of a scalar or a 1×1 matrix."""
        if len(self.entries) != 1:
            raise ShapeError(f"a scalar is needed here, and this is {self.told}")
        return self.entries[0]

    def rows(self) -> list[tuple[S, ...]]:
        """The rows; a scalar has one, of one entry."""
        width = self.shape[1] if self.shape else 1
        return [self.entries[start : start + width] for start in range(0, len(self.entries), width)]

    def columns(self) -> list[tuple[S, ...]]:
        """The columns; a scalar has one, of one entry."""
        width = self.shape[1] if self.shape else 1
        return [self.entries[start::width] for start in range(width)]

    def entry(self, row: int, column: int) -> S:
        """The entry at a row and a column, counted from 1."""
        if not self.shape or not (1 <= row <= self.shape[0] and 1 <= column <= self.shape[1]):
            raise ShapeError(f"there is no entry ({row}, {column}) in what is {self.told}")
        return self.entries[(row - 1) * self.shape[1] + column - 1]

    def map(self, function: Callable[[S], T]) -> Tensor[T]:
        """The same shape with `function` applied to each entry."""
        return Tensor(self.shape, tuple(function(entry) for entry in self.entries))
