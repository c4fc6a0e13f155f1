"""A stated side against a value: entry by entry, how well the digits agree, and how a difference may be explained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symtrans.check.finding import LEVELS, Entry, Level
from symtrans.check.show import closed, decimal
from symtrans.check.stated import Stated, is_infinite
from symtrans.exact.field import Element
from symtrans.exact.identity import close, same
from symtrans.exact.rounding import Agreement, decide, exact_decimal
from symtrans.exact.written import Written
from symtrans.ops.tensor import Tensor

Value = Tensor[Element]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`level` is the worst entry's; `undecided` says that one could not be settled; `rounded` that digits were cut."""

    level: Level
    entries: tuple[Entry, ...] = ()
    undecided: bool = False
    rounded: bool = False

    @property
    def is_error(self) -> bool:
        """Whether it is more than rounding or one unit of the last digit."""
        return self.level == "error"


def fits(left: tuple[int, ...], right: tuple[int, ...], loose: bool) -> bool:
    """Whether two sides can be equal: one shape; one number is one number; a list is a row or a column."""
    if left == right:
        return True
    if left in ((), (1, 1)) and right in ((), (1, 1)):
        return True
    return loose and len(left) == 2 and left == right[::-1] and 1 in left


def compare(
    value: Value,
    stated: Stated,
    right: Value | None,
    text: Callable[[int], str],
    span: Callable[[int], tuple[int, int] | None],
    upstream: Value | None = None,
    explained: Callable[[], bool] = lambda: False,
    right_upstream: Value | None = None,
    unsure: bool = False,
) -> Comparison:
    """Compare. `right` has the values of entries that are expressions; `upstream` is the value before rounding.

    `text` and `span` tell an entry's digits and place; `explained` is asked last, whether printed
    operands that may be roundings explain the difference; with `unsure`, when operands are known only as
    roundings, one of a last digit too. Where the values before rounding are not
    told apart by their enclosures, which proves nothing, an error is left undecided.
    """
    agreements = [_agreement(value, stated, right, place) for place in range(len(stated.cells))]
    undecided = any(a is Agreement.UNDECIDED for a in agreements)
    levels: list[Level] = []
    not_told_apart: set[int] = set()
    for place, agreement in enumerate(agreements):
        if agreement in (Agreement.EXACT, Agreement.ROUNDED, Agreement.UNDECIDED):
            levels.append("ok")
            continue
        before = _before_rounding(upstream, stated, right, right_upstream, place)
        if before in (Agreement.EXACT, Agreement.ROUNDED):
            levels.append("explained-by-rounding")
            continue
        levels.append("last-digit" if agreement is Agreement.LAST_DIGIT else "error")
        if before is Agreement.UNDECIDED:
            not_told_apart.add(place)
    if ("error" in levels or (unsure and "last-digit" in levels)) and explained():
        levels = ["ok" if level == "ok" else "explained-by-rounding" for level in levels]
    elif not_told_apart:
        undecided = True
        levels = ["ok" if place in not_told_apart else level for place, level in enumerate(levels)]
    width = stated.shape[1] if stated.shape else 1
    entries = tuple(
        Entry(place // width + 1, place % width + 1, text(place), closed(value.entries[place]),
              decimal(value.entries[place]), level, span(place))
        for place, level in enumerate(levels)
        if level != "ok"
    )  # fmt: skip
    worst = LEVELS[max((LEVELS.index(level) for level in levels), default=0)]
    return Comparison(worst, entries, undecided and worst == "ok", Agreement.ROUNDED in agreements)


def _before_rounding(
    upstream: Value | None, stated: Stated, right: Value | None, right_upstream: Value | None, place: int
) -> Agreement | None:
    """How the values before rounding agree: with what is stated, or with each other where that is no numeral."""
    if upstream is None or len(upstream.entries) != len(stated.cells):
        return None
    found = _agreement(upstream, stated, right, place)
    told = right_upstream is not None and len(right_upstream.entries) == len(stated.cells)
    if stated.cells[place] is None and told and found in (Agreement.WRONG, Agreement.UNDECIDED):
        return _agreement(upstream, stated, right_upstream, place)
    return found


def _agreement(value: Value, stated: Stated, right: Value | None, place: int) -> Agreement:
    exact, cell = value.entries[place], stated.cells[place]
    if cell is not None:
        if exact.infinite:
            return Agreement.WRONG
        if cell.decimals is None:
            known = right.entries[place] if right is not None else None
            if exact.is_rational:
                return Agreement.EXACT if exact.fraction == cell.written.value else Agreement.WRONG
            return _same(exact, known, stated.about) if known is not None else decide(exact, cell.written)
        return decide(exact, cell.written, cell.decimals)
    if right is None:
        return Agreement.UNDECIDED
    if exact.infinite or is_infinite(stated.nodes[place]):
        return Agreement.EXACT if exact == right.entries[place] else Agreement.WRONG
    return _same(exact, right.entries[place], stated.about)


def _same(left: Element, right: Element, about: bool) -> Agreement:
    """How two values agree; enclosures prove that they are about the same, which is no equality."""
    verdict = same(left, right)
    if verdict is None:
        return Agreement.ROUNDED if about and close(left, right) else Agreement.UNDECIDED
    return Agreement.EXACT if verdict else Agreement.WRONG


def matches(value: Value, other: Value) -> bool:
    """Whether two values are certainly equal, entry by entry."""
    return len(value.entries) == len(other.entries) and all(
        same(x, y) is True for x, y in zip(value.entries, other.entries, strict=True)
    )


def coarser(value: Value, other: Value) -> bool:
    """Whether one of two values is the other rounded to fewer decimals, entry by entry."""
    if len(value.entries) != len(other.entries):
        return False
    return all(_rounds(x, y) or _rounds(y, x) for x, y in zip(value.entries, other.entries, strict=True))


def _rounds(rounded: Element, value: Element) -> bool:
    if rounded == value:
        return True
    text = exact_decimal(rounded.fraction) if rounded.is_rational else None
    if text is None or "." not in text:
        return False
    return decide(value, Written.parse(text)) is Agreement.ROUNDED
