"""What a slip is: a way of going wrong that people take, tried where a printed number is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symtrans.check.stated import Stated
from symtrans.notation.tree import Node
from symtrans.registry import members

if TYPE_CHECKING:
    from symtrans.check.chain import ChainJudge, Valued


@dataclass(frozen=True, slots=True)
class Slip:
    """`variants` are the sides that someone who slipped would have computed; `rank` puts the likelier first."""

    name: str
    rank: int
    variants: Callable[[Node], Iterator[Node]]


def likeliest(judge: ChainJudge, left: Valued, right: Valued, cells: Stated) -> str:
    """The first slip that gives the printed numbers, or nothing."""
    if left.side is None or left.side.node is None:
        return ""
    for slip in sorted(members("symtrans.check.slips", "SLIP").values(), key=lambda s: (s.rank, s.name)):
        for tried, variant in enumerate(slip.variants(left.side.node)):
            if tried > 60:
                break
            value = judge.value_in(variant, "written").value
            if value is not None and judge.reproduces(value, cells, right):
                return str(slip.name)
    return ""
