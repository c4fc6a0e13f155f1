"""Rounding cells as balls: the numbers that round to what is written, and whether two such ranges meet."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from symtrans.exact.written import Written

BITS = 128


def rounding_cell(written: Written, decimals: int | None = None) -> Any:
    """The ball of numbers that round to what is written, at its own decimals or at as many as are given."""
    shown = written.decimals if decimals is None else decimals
    half = Fraction(1, 2) * Fraction(10) ** -(shown or 0)
    with flint.ctx.workprec(BITS):
        middle = flint.arb(flint.fmpq(written.value.numerator, written.value.denominator))
        return middle + flint.arb(0, flint.arb(flint.fmpq(half.numerator, half.denominator)))


def meet(one: Any, other: Any) -> bool:
    """Whether two balls share more than a border: certainly, with a margin for the computing's own width."""
    if not (one.is_finite() and other.is_finite()):
        return bool(one == other)
    with flint.ctx.workprec(BITS):
        if one - other > 0 or one - other < 0:
            return False
        distance, reach = abs(one.mid() - other.mid()), one.rad() + other.rad()
        return bool(distance < reach * (1 - flint.arb(2) ** -20))
