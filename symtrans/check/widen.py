"""Printed numbers as the intervals that they may be roundings of, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from typing import Any

import flint

from symtrans.check.evaluate import evaluate
from symtrans.check.stated import Stated, ungrouped
from symtrans.exact.ball_scalars import BallScalars
from symtrans.exact.enclosure import enclose
from symtrans.exact.field import Element
from symtrans.exact.written import Written
from symtrans.notation.name import AnyName
from symtrans.notation.tree import Constant, Node, Number, Power, children
from symtrans.ops.tensor import Tensor

BITS = 128


def most_decimals(node: Node) -> int:
    """The largest number of decimals of a side's numerals; 0 where none has any."""
    return max((Written.parse(n.text).decimals or 0 for n in _operands(node)), default=0)


def overlap(
    left: Node,
    right: Node,
    stated: Stated,
    find: Callable[[AnyName], Tensor[Element] | None],
    keep: Collection[int],
    loose: bool,
) -> bool:
    """Whether both sides agree for some values that their printed numbers may be roundings of.

    Every number with as many decimals as the right side shows is widened by half a unit of its
    last digit; those in `keep` (by `id`) are known to be exact.
    """
    threshold = stated.decimals or most_decimals(right)
    if threshold < 2:
        return False
    scalars = BallScalars(BITS)

    def meant(name: AnyName) -> Tensor[Any] | None:
        value = find(name)
        return None if value is None else value.map(lambda e: enclose(e, BITS))

    def side(node: Node) -> Tensor[Any] | None:
        wide = {
            id(n): Tensor.scalar(_ball(Written.parse(n.text))) for n in _operands(node, threshold) if id(n) not in keep
        }
        return evaluate(node, meant, scalars, wide, loose).value

    low = side(left)
    if low is None:
        return False
    literal = [None if c is None or c.decimals is None else c for c in stated.cells]
    high = None if all(literal) else side(right)
    if high is None and not all(literal):
        return False
    if len(low.entries) != len(stated.cells) or (high is not None and len(high.entries) != len(stated.cells)):
        return False
    for place, ball in enumerate(low.entries):
        cell = literal[place]
        other = _ball(cell.written, cell.decimals) if cell is not None else high.entries[place]  # type: ignore[union-attr]
        if not _meet(ball, other):
            return False
    return True


def _operands(node: Node, threshold: int = 1) -> list[Number]:
    """The numerals with at least so many decimals, except in the exponents of powers of numbers."""
    if isinstance(node, Number):
        return [node] if (Written.parse(node.text).decimals or 0) >= threshold else []
    if isinstance(node, Power) and not (isinstance(ungrouped(node.base), Constant)):
        return _operands(node.base, threshold)
    return [found for child in children(node) for found in _operands(child, threshold)]


def _ball(written: Written, decimals: int | None = None) -> Any:
    """The numbers that round to what is written."""
    shown = written.decimals if decimals is None else decimals
    half = Fraction(1, 2) * Fraction(10) ** -(shown or 0)
    with flint.ctx.workprec(BITS):
        middle = flint.arb(flint.fmpq(written.value.numerator, written.value.denominator))
        return middle + flint.arb(0, flint.arb(flint.fmpq(half.numerator, half.denominator)))


def _meet(a: Any, b: Any) -> bool:
    """Whether two balls share more than a border."""
    if not (a.is_finite() and b.is_finite()):
        return bool(a == b)
    with flint.ctx.workprec(BITS):
        return not (a - b > 0 or a - b < 0) and _inner(a, b)


def _inner(a: Any, b: Any) -> bool:
    """Whether the distance of the middles is less than the radii together, by more than the computing's own width."""
    with flint.ctx.workprec(BITS):
        distance, reach = abs(a.mid() - b.mid()), a.rad() + b.rad()
        return bool(distance < reach * (1 - flint.arb(2) ** -20))
