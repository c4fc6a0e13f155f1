"""The independent second reader's part in a verdict: both must understand a side alike before a link holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symtrans.check.chain import ChainJudge, Valued


@dataclass(frozen=True, slots=True)
class Readers:
    """How many readers understood both sides alike, and what each read where they disagree."""

    count: int
    disagree: bool = False
    readings: tuple[str, ...] = ()


def agree(judge: ChainJudge, left: Valued, right: Valued, readers: int) -> Readers:
    """Ask the second reader for both sides."""
    return Readers(1)
