"""Rational steps on FLINT's whole matrices: their entries become elements only when somebody looks at them."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import flint

from symtrans.exact.field import MAX_RATIONAL_BITS, Element, Field
from symtrans.ops.op import Op
from symtrans.ops.program import Kind, program
from symtrans.ops.shapes import Shape, settled
from symtrans.ops.tensor import Tensor


def _number(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)


RATIONAL = Kind(flint.fmpq_mat, _number)


@dataclass(frozen=True, slots=True)
class Whole:
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
    entries = [_number(value) for value in values]
    bits = lcm(*(value.denominator for value in values)).bit_length() + max(e.height_bits() for e in entries)
    return Whole(shape, RATIONAL.matrix(*shape, entries) if shape else entries[0], bits)


def run_rationally(op: Op, operands: Sequence[Whole], settings: Mapping[str, int]) -> Whole | None:
    """The op's result, or None where its rule needs more than whole rational matrices, or numbers beyond the cap."""
    shapes = tuple(operand.shape for operand in operands)
    known = program(op, shapes, settled(settings), RATIONAL)
    if known is None:
        return None
    factors, extra = known.growth
    bits = extra + sum(map(operator.mul, factors, [operand.bits for operand in operands]))
    if bits > MAX_RATIONAL_BITS:
        return None
    try:
        value = known.run([operand.value for operand in operands])
    except ZeroDivisionError:
        return None
    return Whole(known.shape, value, bits)
