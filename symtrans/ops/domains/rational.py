"""Rational steps on FLINT's whole matrices: their entries become elements only when somebody looks at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
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


class Whole(NamedTuple):
    """A rational matrix, or a scalar, as FLINT has it; over a common denominator no number has more than `bits`."""

    shape: Shape
    value: Any
    bits: int

    def entries(self) -> list[flint.fmpq]:
        """The entries by rows."""
        return list(self.value.entries()) if self.shape else [self.value]

    def tensor(self, field: Field) -> Tensor[Element]:
        """The same as elements of a field."""
        return Tensor(self.shape, tuple(map(field.from_flint, self.entries())))


def whole(shape: Shape, values: Sequence[Fraction]) -> Whole:
    """A rational matrix or scalar of these entries."""
    ratios = [value.as_integer_ratio() for value in values]
    entries = [flint.fmpq(above, below) for above, below in ratios]
    bits = lcm(*[below for _, below in ratios]).bit_length() + max([entry.height_bits() for entry in entries])
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
