"""What is known of generators, put to use: s² = x for a square root, t·x = 1 for an inverse.

A polynomial reduced so has the same value; it need not be the only one that has it. Hence an
equality is proven by multiplying the inverses out (`cleared`), not by comparing reduced forms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import flint

from symtrans.errors import LimitError

Value = TypeVar("Value")

MAX_TERMS = 20_000
MAX_WORK = 20_000  # terms that are sorted by powers for one product
MAX_ROUNDS = 64  # after which a polynomial stays as it is; relations that chase each other are legal


@dataclass(slots=True)
class Relations(Generic[Value]):
    """By a generator's index: what its square is, and what it is the inverse of.

    `lift` turns such a value into a polynomial in the same context as the polynomial at hand.
    """

    squares: dict[int, Value] = field(default_factory=dict)
    reciprocals: dict[int, Value] = field(default_factory=dict)

    def reduce(self, poly: flint.fmpq_mpoly, lift: Callable[[Value], flint.fmpq_mpoly]) -> flint.fmpq_mpoly:
        """The polynomial with squares replaced and inverses cancelled, newest generator first."""
        if not self.squares and not self.reciprocals:
            return poly
        work = 0
        for _ in range(MAX_ROUNDS):
            before = poly
            work += len(poly)
            if work > MAX_WORK:
                raise LimitError(f"relations are put to use on more than {MAX_WORK:,} terms")
            degrees = poly.degrees()
            for index in range(len(degrees) - 1, -1, -1):
                if degrees[index] >= 2 and index in self.squares:
                    poly = _without_squares(poly, index, lift(self.squares[index]))
                elif degrees[index] > 0 and index in self.reciprocals:
                    poly = _cancelled(poly, index, lift(self.reciprocals[index]))
                if poly is not before:
                    break
            if poly is before or poly == before:
                break
            if len(poly) > MAX_TERMS:
                raise LimitError(f"an exact value has more than {MAX_TERMS:,} terms")
        return poly

    def cleared(self, poly: flint.fmpq_mpoly, lift: Callable[[Value], flint.fmpq_mpoly]) -> flint.fmpq_mpoly:
        """The polynomial times a product of non-zero values, with no inverse left in it."""
        for index in sorted(self.reciprocals, reverse=True):
            degree = poly.degrees()[index]
            if degree <= 0:
                continue
            value = lift(self.reciprocals[index])
            total = poly * 0
            if len(poly) * len(value) ** min(degree, 16) > MAX_WORK:
                raise LimitError(f"more than {MAX_WORK:,} terms to multiply out")
            for power, part in _by_power(poly, index).items():
                total += part * value ** (degree - power)
            poly = self.reduce(total, lift)
        return poly


def _by_power(poly: flint.fmpq_mpoly, index: int) -> dict[int, flint.fmpq_mpoly]:
    """The coefficients of the powers of one generator: what divisions by it leave, one after another."""
    generator, power = poly.context().gen(index), 0
    found: dict[int, flint.fmpq_mpoly] = {}
    while poly:
        poly, part = divmod(poly, generator)
        if part:
            found[power] = part
        power += 1
    return found


def _without_squares(poly: flint.fmpq_mpoly, index: int, value: flint.fmpq_mpoly) -> flint.fmpq_mpoly:
    """The polynomial with a generator whose square is `value` to the power of at most 1."""
    generator = poly.context().gen(index)
    total = poly * 0
    for power, part in _by_power(poly, index).items():
        term = part * value ** (power // 2)
        total += term * generator if power % 2 else term
    return total


def _cancelled(poly: flint.fmpq_mpoly, index: int, value: flint.fmpq_mpoly) -> flint.fmpq_mpoly:
    """The polynomial with an inverse cancelled where what stands by it is a multiple of `value`.

    A value of one term cancels term by term.
    """
    generator = poly.context().gen(index)
    parts = _by_power(poly, index)
    total, carried, changed = poly * 0, poly * 0, False
    for power in range(max(parts), 0, -1):
        part = carried + parts.get(power, 0)
        carried, rest = divmod(part, value)
        if rest and len(value) > 1:
            carried, rest = poly * 0, part
        changed = changed or bool(carried)
        total += rest * generator**power
    return total + carried + parts.get(0, 0) if changed else poly
