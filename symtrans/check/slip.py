"""What a slip is: a way of going wrong that people take, tried where a printed number is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from symtrans.check.finding import Entry
from symtrans.notation.tree import Node, walk
from symtrans.registry import members

MOST_VARIANTS = 60  # of one slip for a scalar; a matrix gets fewer, since each entry takes its time
MOST_NODES = 400

if TYPE_CHECKING:
    from symtrans.check.equality import Equality
    from symtrans.check.valued import Valued


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip of thought or of the pen; `rank` puts the likelier first.

    `variants` are the sides that someone who slipped would have computed. `digits` says of the
    digits as written and of the right ones whether the slip leads from these to those.
    """

    name: str
    rank: int
    variants: Callable[[Node], Iterator[Node]] | None = None
    digits: Callable[[str, str], bool] | None = None


def likeliest(equality: Equality, left: Valued, right: Valued, relation: str, entries: Sequence[Entry]) -> str:
    """The first slip that gives the printed numbers, or nothing."""
    if left.node is None or left.value is None:
        return ""
    size = sum(1 for _ in walk(equality.valuer.expanded(left.node)))
    if size > (MOST_NODES if all(entry.is_rational for entry in left.value.entries) else MOST_NODES // 4):
        return ""
    budget = max(MOST_VARIANTS // len(left.value.entries), 6)
    wrong = [entry for entry in entries if entry.level == "error"]
    for slip in sorted(members("symtrans.check.slips", "SLIP").values(), key=lambda slip: (slip.rank, slip.name)):
        if slip.digits is not None and wrong and all(slip.digits(e.stated, e.decimal) for e in wrong):
            return str(slip.name)
        for variant in islice(slip.variants(left.node), budget) if slip.variants is not None else ():
            value = equality.valuer.value_in(variant, "written").value
            if value is not None and equality.reproduces(value, right, relation):
                return str(slip.name)
    return ""
