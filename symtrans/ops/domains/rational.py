"""Rational steps on FLINT's whole matrices: their entries become elements only when somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple

import flint

from symtrans.exact.field import MAX_RATIONAL_BITS, Element, Field
from symtrans.ops.op import Op
from symtrans.ops.program import Kind, Program, program
from symtrans.ops.shapes import Shape, settled
from symtrans.ops.tensor import Tensor


def _number(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)


RATIONAL = Kind(flint.fmpq_mat, _number)


MOST_COMMON = 1 << 12  # bits of a common denominator beyond which numbers are told one by one
MANY = 32  # entries, from which on a common denominator is worth being looked for


class Whole(NamedTuple):
    """A rational matrix, or a scalar, as FLINT has it; over a common denominator no number has more than `bits`."""

    shape: Shape
    value: Any
    bits: int

    def entries(self) -> list[flint.fmpq]:
        """The entries by rows."""
        return list(self.value.entries()) if self.shape else [self.value]

    def entry(self, row: int, column: int) -> flint.fmpq:
        """The entry of a matrix at a row and a column, counted from 1."""
        entry: flint.fmpq = self.value[row - 1, column - 1]
        return entry

    def ratios(self) -> Iterator[tuple[int, int]]:
        """The entries by rows as numerators and denominators in lowest terms."""
        if not self.shape or self.bits > MOST_COMMON:
            for entry in self.entries():
                yield int(entry.p), int(entry.q)
            return
        numbers, common = self.value.numer_denom()
        below = int(common)
        shares: dict[int, int] = {}  # few different ones: a dictionary is quicker than the division
        for above in map(int, numbers.entries()):
            shared = gcd(above, below)
            if shared not in shares:
                shares[shared] = below // shared
            yield above // shared, shares[shared]

    def tensor(self, field: Field) -> WholeTensor:
        """The same as elements of a field."""
        return WholeTensor(self, field)


class WholeTensor(Tensor[Element]):
    """The tensor of a whole matrix; its entries become elements when somebody looks at them."""

    __slots__ = ("_elements", "_field", "whole")

    whole: Whole
    _field: Field
    _elements: tuple[Element, ...] | None

    def __init__(self, whole: Whole, field: Field) -> None:
        for name, value in (("shape", whole.shape), ("whole", whole), ("_field", field), ("_elements", None)):
            object.__setattr__(self, name, value)

    @property
    def entries(self) -> tuple[Element, ...]:
        """All entries, row by row."""
        known = self._elements
        if known is None:
            known = tuple(map(self._field.from_flint, self.whole.entries()))
            object.__setattr__(self, "_elements", known)
        return known

    def entry(self, row: int, column: int) -> Element:
        """The entry at a row and a column, counted from 1."""
        if self._elements is None and self.shape and 1 <= row <= self.shape[0] and 1 <= column <= self.shape[1]:
            return self._field.from_flint(self.whole.entry(row, column))
        return super().entry(row, column)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tensor) and self.shape == other.shape and self.entries == other.entries

    def __hash__(self) -> int:
        return hash((self.shape, self.entries))


def whole(shape: Shape, values: Sequence[Fraction]) -> Whole:
    """A rational matrix or scalar of these entries."""
    ratios = [value.as_integer_ratio() for value in values]
    different = {below for _, below in ratios}
    common = lcm(*different)
    if len(values) >= MANY and common.bit_length() <= MOST_COMMON:
        shares = {below: common // below for below in different}
        numbers = [above * shares[below] for above, below in ratios]
        bits = max(common.bit_length(), max(max(numbers), -min(numbers)).bit_length())
        return Whole(shape, flint.fmpq_mat(flint.fmpz_mat(shape[0], shape[1], numbers)) / common, bits)
    entries = [flint.fmpq(above, below) for above, below in ratios]
    bits = common.bit_length() + max([entry.height_bits() for entry in entries])
    return Whole(shape, RATIONAL.matrix(*shape, entries) if shape else entries[0], bits)


def run_rationally(op: Op, operands: Sequence[Whole], settings: Mapping[str, int]) -> Whole | None:
    """The op's result, or None where its rule needs more than whole rational matrices, or numbers beyond the cap."""
    known = program(op, tuple(operand.shape for operand in operands), settled(settings), RATIONAL)
    return None if known is None else carried_out(known, operands)


def carried_out(known: Program, operands: Sequence[Whole]) -> Whole | None:
    """The result of a program of rational matrices, or None for a divisor of zero and for numbers beyond the cap."""
    factors, bits = known.growth
    for factor, operand in zip(factors, operands, strict=True):
        bits += factor * operand.bits
    if bits > MAX_RATIONAL_BITS:
        return None
    try:
        return Whole(known.shape, known.run([operand.value for operand in operands]), bits)
    except ZeroDivisionError:
        return None
