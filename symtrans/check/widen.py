"""Printed numbers as the intervals that they may be roundings of, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from symtrans.check.evaluate import evaluate
from symtrans.check.stated import Numeral, Stated, ungrouped, widths
from symtrans.check.stated import stated as stated_of
from symtrans.check.world import Quantity
from symtrans.exact.ball_scalars import BallScalars
from symtrans.exact.cells import BITS, meet, rounding_cell
from symtrans.exact.enclosure import enclose
from symtrans.exact.written import Written
from symtrans.notation.name import AnyName
from symtrans.notation.tree import Constant, Matrix, Node, Number, Power, Symbol, children, walk
from symtrans.ops.tensor import Tensor

FEWEST_DIGITS = 4  # of a result, from which numbers with as many digits count as rounded like it


def most_decimals(node: Node) -> int:
    """The largest number of decimals of a side's numerals; 0 where none has any."""
    return max((Written.parse(n.text).decimals or 0 for n in _operands(node)), default=0)


def overlap(
    left: Node,
    right: Node,
    stated: Stated,
    find: Callable[[AnyName], Quantity | None],
    keep: Collection[int],
    rounded: Collection[int],
    loose: bool,
) -> bool:
    """Whether both sides agree for some values that their printed numbers may be roundings of.

    Every number that shows as many decimals as the right side, or as many significant digits where
    those are more than three, is widened by half a unit of its last digit; those in `keep` (by `id`)
    are known to be exact, those in `rounded` are widened in any case. So is a name that was printed rounded,
    entry by entry.
    """
    names = {n.name: find(n.name) for side in (left, right) for n in walk(side) if isinstance(n, Symbol)}
    printed = [q.printed for q in names.values() if q is not None and q.printed is not None]
    threshold = stated.decimals or max((most_decimals(right), *(_most(cells) for cells in printed)))
    if threshold < 2:
        return False
    enough = stated.significant if stated.significant >= FEWEST_DIGITS else None
    scalars = BallScalars(BITS)

    def meant(name: AnyName) -> Tensor[Any] | None:
        known = names[name] if name in names else find(name)
        if known is None:
            return None
        exact = known.written.map(lambda e: enclose(e, BITS))
        if known.printed is None:
            return exact
        cells = zip(known.printed, widths(known.printed), exact.entries, strict=True)
        return Tensor(exact.shape, tuple(_cell(c, width, e) for c, width, e in cells))

    def side(node: Node) -> Tensor[Any] | None:
        own = _widths(node)
        wide = {
            id(n): Tensor.scalar(rounding_cell(Written.parse(n.text), own.get(id(n))))
            for n in _operands(node, threshold, enough, rounded)
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


def _most(cells: tuple[Numeral | None, ...]) -> int:
    return max((cell.written.decimals or 0 for cell in cells if cell is not None), default=0)


def _cell(cell: Numeral | None, width: int | None, exact: Any) -> Any:
    """The numbers that round to a printed entry; one that is no decimal is exact."""
    return exact if cell is None or width is None else rounding_cell(cell.written, width)


def _widths(node: Node) -> dict[int, int]:
    """The decimals that the numbers in matrices are rounded to, by `id`."""
    found: dict[int, int] = {}
    for part in walk(node):
        if isinstance(part, Matrix):
            cells = stated_of(part).cells
            for cell, width in zip(cells, widths(cells), strict=True):
                numbers = [] if cell is None else [n for n in walk(cell.node) if isinstance(n, Number)]
                if width is not None and len(numbers) == 1:  # with a power of ten there are more
                    found[id(numbers[0])] = width
    return found


def _operands(node: Node, threshold: int = 1, enough: int | None = None, rounded: Collection[int] = ()) -> list[Number]:
    """The numerals with at least so many decimals or digits that count, but for the exponents of powers of numbers."""
    if isinstance(node, Number):
        written = Written.parse(node.text)
        decimals = written.decimals or 0
        wide = (
            decimals >= threshold
            or (decimals > 0 and id(node) in rounded)
            or (enough is not None and decimals > 0 and written.significant >= enough)
        )
        return [node] if wide else []
    if isinstance(node, Power) and not (isinstance(ungrouped(node.base), Constant)):
        return _operands(node.base, threshold, enough, rounded)
    return [found for child in children(node) for found in _operands(child, threshold, enough, rounded)]
