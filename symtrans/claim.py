"""A claim: a chain of trees and relations, where it stands and on whose word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from symtrans.notation.tree import Chain

Word = Literal["stated", "derived", "assumed"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a claim stands: a derivation's step, or a document's file, block, line and column (from 1)."""

    source: str
    step: str = ""
    block: int = 0
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """What is asserted (`chain`), where (`origin`), and on whose word."""

    chain: Chain
    origin: Origin
    word: Word
