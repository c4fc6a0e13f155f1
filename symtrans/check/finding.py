"""What the checker says: a verdict for every relation of a document, its evidence, and what was covered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from symtrans.document.claims import Statement
from symtrans.document.source import Remark, Source
from symtrans.exact.field import Element
from symtrans.exact.written import Written

Verdict = Literal["HOLDS", "FAILS", "INHERITED", "ASSUMED", "UNDECIDED", "UNREADABLE", "DEFINITION"]
Level = Literal["ok", "explained-by-rounding", "last-digit", "error"]
Shown = str | tuple[tuple[str, ...], ...]
"""A value told in strings: one for a scalar, rows of them for a matrix."""

LEVELS: tuple[Level, ...] = ("ok", "explained-by-rounding", "last-digit", "error")
"""From harmless to wrong."""


@dataclass(frozen=True, slots=True)
class Root:
    """The link whose fault is inherited."""

    formula: int
    step: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry that differs: its place (from 1; a scalar is 1, 1), the digits as written, and what is right.

    `exact` is a fraction or a closed form, `decimal` its first digits. `span` is where the digits
    stand in the source, or None where they are not one stretch of it.
    """

    row: int
    col: int
    stated: str
    exact: str
    decimal: str
    level: Level = "error"
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number that the author wrote, its place in the source, and what it should be in truth.

    `truth` is None where that is not known. Numbers of one `group` (a matrix, or a number alone) are
    written alike, with decimals or without. `is_result`: it is what a relation states, not an operand.
    """

    written: Written
    span: tuple[int, int]
    truth: Element | None
    formula: int
    step: int
    group: int
    is_result: bool


@dataclass(frozen=True, slots=True)
class LinkVerdict:
    """The judgement of one relation.

    `formula` and `step` count blocks and relations from 1; `line`, `column` are those of the
    relation; `lhs` and `rhs` the decoded mathematics of its sides. `level` is None unless a value
    was compared; `exact` is the right side's value from the author's own operands, `truth` from
    the definitions. `root` is where an inherited fault comes from. `readers` counts who understood
    both sides alike (2, or 1 where the second reader cannot express one). `reason` says in a few
    words why something is undecided, unreadable or of the wrong shape; `names` are the names
    concerned; `slip` names the slip of `check/slips` that reproduces the printed number; `note`
    adds what is worth telling besides.
    """

    formula: int
    step: int
    line: int
    column: int
    lhs: str
    rel: str
    rhs: str
    verdict: Verdict
    level: Level | None = None
    code: str | None = None
    exact: Shown | None = None
    truth: Shown | None = None
    entries: tuple[Entry, ...] = ()
    root: Root | None = None
    readers: int = 1
    reason: str = ""
    names: tuple[str, ...] = ()
    slip: str = ""
    note: str = ""
    span: tuple[int, int] | None = None
    silenced: bool = False
    readings: tuple[str, ...] = ()

    @property
    def is_failure(self) -> bool:
        """Whether it is a fault that makes a run fail: a difference of the last digit is a note."""
        return self.verdict == "FAILS" and self.level in (None, "error") and not self.silenced


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a document was seen, read and judged."""

    formulas: int
    read: int
    links: int
    checked: int
    undecided: int
    unreadable: int
    read_twice: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """Everything that is said of one file; `literals` are the numbers that mending may rewrite."""

    path: str
    coverage: Coverage
    links: tuple[LinkVerdict, ...]
    literals: tuple[Numeral, ...] = ()
    remarks: tuple[Remark, ...] = ()
    source: Source | None = field(default=None, repr=False)
    statements: tuple[Statement, ...] = field(default=(), repr=False)
    quantities: Mapping[str, Shown] = field(default_factory=dict, repr=False)

    @property
    def fails(self) -> tuple[LinkVerdict, ...]:
        """The links that are new faults."""
        return tuple(link for link in self.links if link.verdict == "FAILS")
