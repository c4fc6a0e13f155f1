"""What a slip is: a way of going wrong that people take, tried where a printed number is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from symtrans.check.finding import Entry
from symtrans.exact.field import Element
from symtrans.notation.tree import Node, walk
from symtrans.ops.tensor import Tensor
from symtrans.registry import members

MOST_VARIANTS = 60  # of one slip for a scalar; a matrix gets fewer, since each entry takes its time
MOST_NODES = 400


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


@dataclass(frozen=True, slots=True)
class Trial:
    """What a slip is tried on: the wrong side, with calls written out, its value, and how to value and compare."""

    side: Node
    value: Tensor[Element]
    entries: Sequence[Entry]
    value_of: Callable[[Node], Tensor[Element] | None]
    reproduces: Callable[[Tensor[Element]], bool]


def likeliest(trial: Trial) -> str:
    """The first slip that gives the printed numbers, or nothing."""
    size = sum(1 for _ in walk(trial.side))
    if size > (MOST_NODES if all(entry.is_rational for entry in trial.value.entries) else MOST_NODES // 4):
        return ""
    budget = max(MOST_VARIANTS // len(trial.value.entries), 6)
    wrong = [entry for entry in trial.entries if entry.level == "error"]
    for slip in sorted(members("symtrans.check.slips", "SLIP").values(), key=lambda slip: (slip.rank, slip.name)):
        if slip.digits is not None and wrong and all(slip.digits(e.stated, e.decimal) for e in wrong):
            return str(slip.name)
        for variant in islice(slip.variants(trial.side), budget) if slip.variants is not None else ():
            value = trial.value_of(variant)
            if value is not None and trial.reproduces(value):
                return str(slip.name)
    return ""
