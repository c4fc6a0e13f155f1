"""What a document holds once its text is understood: blocks of formulas, each with its exact place and context."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from symtrans.document.mapped import Mapped
from symtrans.document.source import Remark, Source

Kind = Literal["display", "inline", "fence", "plain", "code", "output", "table", "image"]
"""How a formula was set: as a display, in a line of LaTeX, a fence of mathematics, arithmetic in plain text, code
(where rebinding a name is usual), a printed output, a table's cell, or an image's address."""

EVERYTHING = "*"
"""The member of `ignored` that silences every code."""


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula: its decoded mathematics, the way back to the source, and what stands before it.

    `start`, `end` are offsets into the source's text; `line`, `column` count from 1. `label` is what introduces
    it on its line (`head 1: …`), `notes` are comments inside it. `prose` is the text between the formula before
    and this one; `heading_changed` and `item_changed` say whether a heading or a list item's border stands there.
    """

    text: str
    start: int
    end: int
    line: int
    column: int
    kind: Kind
    mapped: Mapped = field(repr=False, compare=False)
    label: str = ""
    notes: tuple[str, ...] = ()
    item: str = ""
    prose: str = field(default="", repr=False)
    heading_changed: bool = False
    item_changed: bool = False

    def offset_at(self, index: int) -> int:
        """The source's offset of `text[index]`."""
        return self.mapped.offset_at(index)

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The stretch of source that `text[start:end]` stands for, or None where it is not one whole stretch."""
        return self.mapped.source_span(start, end)


@dataclass(frozen=True, slots=True)
class Block:
    """The n-th display, fence or paragraph that holds mathematics; `index` counts from 1."""

    index: int
    formulas: tuple[Formula, ...]
    headings: tuple[str, ...] = ()
    ignored: frozenset[str] = frozenset()

    @property
    def line(self) -> int:
        """The line of its first formula, from 1."""
        return self.formulas[0].line

    @property
    def item(self) -> str:
        """The marker of the list item that it stands in (`1.`, `-`, `•`), or nothing."""
        return self.formulas[0].item

    @property
    def prose_before(self) -> str:
        """The text between the previous block and this one."""
        return self.formulas[0].prose

    @property
    def heading_changed(self) -> bool:
        """Whether a heading stands between the previous block and this one."""
        return self.formulas[0].heading_changed

    @property
    def list_item_changed(self) -> bool:
        """Whether a list item begins or ends between the previous block and this one."""
        return self.formulas[0].item_changed

    def ignores(self, code: str) -> bool:
        """Whether a comment silences this code here; `ST1` silences `ST101` too."""
        return EVERYTHING in self.ignored or any(code.startswith(silent) for silent in self.ignored)


@dataclass(frozen=True, slots=True)
class Announcement:
    """A line of prose that ends in a colon where neither mathematics nor a list follows."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """A source, read: its blocks in order, remarks on what was skipped or guessed, and what it only announces."""

    source: Source
    format: str
    blocks: tuple[Block, ...]
    remarks: tuple[Remark, ...]
    announcements: tuple[Announcement, ...] = ()
