"""Printed numbers as the intervals that they may be roundings of, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from symtrans.check.evaluate import evaluate
from symtrans.check.stated import Stated, ungrouped
from symtrans.exact.ball_scalars import BallScalars
from symtrans.exact.cells import BITS, meet, rounding_cell
from symtrans.exact.enclosure import enclose
from symtrans.exact.field import Element
from symtrans.exact.written import Written
from symtrans.notation.name import AnyName
from symtrans.notation.tree import Constant, Node, Number, Power, children
from symtrans.ops.tensor import Tensor


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
            id(n): Tensor.scalar(rounding_cell(Written.parse(n.text)))
            for n in _operands(node, threshold)
            if id(n) not in keep
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
        other = rounding_cell(cell.written, cell.decimals) if cell is not None else high.entries[place]  # type: ignore[union-attr]
        if not meet(ball, other):
            return False
    return True


def _operands(node: Node, threshold: int = 1) -> list[Number]:
    """The numerals with at least so many decimals, except in the exponents of powers of numbers."""
    if isinstance(node, Number):
        return [node] if (Written.parse(node.text).decimals or 0) >= threshold else []
    if isinstance(node, Power) and not (isinstance(ungrouped(node.base), Constant)):
        return _operands(node.base, threshold)
    return [found for child in children(node) for found in _operands(child, threshold)]
