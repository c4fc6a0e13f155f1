"""A large matrix of floats as it is given: exact numbers, kept as an array, written out where somebody looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from symtrans.errors import UsageError
from symtrans.exact.dyadic import dyadic
from symtrans.exact.written import Written

FEWEST = 4096  # entries from which a matrix is kept as an array
MOST = 1 << 24  # entries of a matrix that is kept so, 128 MB; whoever reads one refuses more


class Floats(Sequence[tuple[Written, ...]]):
    """Rows of exact numbers, each a double; `array` is NumPy's, of float64 with two axes, and must not be changed."""

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        rows, columns = self.array.shape
        return rows, columns

    def __len__(self) -> int:
        return self.shape[0]

    @overload
    def __getitem__(self, place: int) -> tuple[Written, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> Floats: ...
    def __getitem__(self, place: int | slice) -> tuple[Written, ...] | Floats:
        if isinstance(place, slice):
            return Floats(self.array[place])
        return tuple(map(dyadic, self.array[place].tolist()))

    def columns(self, first: int, last: int) -> Floats:
        """The columns from first to before last, counted from 0."""
        return Floats(self.array[:, first:last])

    def turned(self) -> Floats:
        """Rows and columns exchanged."""
        return Floats(self.array.T)


def floats(array: Any, first: int = 0) -> Floats | None:
    """A matrix of floats as it is, or None where it is small, has no two axes, or holds no floats of at most 64 bits.

    UsageError for what is no finite number of full precision; it names the entry, with rows and columns counted from
    `first`.
    """
    if array.ndim != 2 or array.size < FEWEST or array.dtype.kind != "f" or array.dtype.itemsize > 8:
        return None
    from numpy import argwhere, isfinite

    wide = array.astype("float64")
    odd = ~isfinite(wide) | (abs(wide) < 2.0**-1022) & (wide != 0)
    if odd.any():
        row, column = argwhere(odd)[0].tolist()
        try:
            dyadic(wide[row, column].item())
        except UsageError as fault:
            raise UsageError(f"[{row + first}][{column + first}]: {fault}") from None
    return Floats(wide)
