"""From a reader's events to numbered blocks with their context."""

from __future__ import annotations

from collections.abc import Iterable

from symtrans.document.block import Announcement, Block, Document, Formula
from symtrans.document.event import Border, Event, Heading, Item, Math, Prose, Skipped
from symtrans.document.mapped import Mapped
from symtrans.document.silence import silenced, silences
from symtrans.document.source import Remark, Source

_PROSE_KEPT = 2_000
"""The number of characters of prose kept before a formula."""


def outline(source: Source, format_name: str, events: Iterable[Event]) -> Document:
    """Number the blocks and give each formula what stands before it."""
    writer = _Outline(source)
    for event in events:
        writer.take(event)
    writer.announced()
    blocks = _blocks(source, writer.groups)
    return Document(source, format_name, blocks, tuple(writer.remarks), tuple(writer.announcements))


class _Outline:
    """What is known while the events go by."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.groups: list[tuple[tuple[str, ...], list[Formula]]] = []
        self.remarks = list(source.remarks)
        self.announcements: list[Announcement] = []
        self.headings: list[Heading] = []
        self.prose: list[str] = []
        self.item = ""
        self.heading_changed = self.item_changed = False
        self.fresh = True
        self.colon: Announcement | None = None

    def take(self, event: Event) -> None:
        """Go on by one event."""
        match event:
            case Heading(level, text):
                self.announced()
                self.headings = [above for above in self.headings if above.level < level] + [event]
                self.prose.append(text)
                self.heading_changed = self.fresh = True
                self.item = ""
            case Item(marker):
                self.colon = None
                self.item, self.item_changed = marker, True
            case Prose(mapped, listed):
                self.prose.append(mapped.text)
                self._watch(mapped, listed)
            case Border():
                self.fresh = True
            case Skipped(offset, text):
                self.remarks.append(Remark(text, *self.source.line_column(offset)))
            case Math():
                self._formula(event)

    def _formula(self, math: Math) -> None:
        mapped = math.mapped.strip()
        if not mapped.text:
            return
        start = min(piece.origin for piece in mapped.pieces)
        end = max(piece.origin_end for piece in mapped.pieces)
        line, column = self.source.line_column(start)
        before = " ".join(part.strip() for part in self.prose if part.strip())[-_PROSE_KEPT:]
        formula = Formula(
            mapped.text, start, end, line, column, math.kind, mapped, math.label, math.notes, self.item, before,
            self.heading_changed, self.item_changed,
        )  # fmt: skip
        if self.fresh or not self.groups:
            self.groups.append((tuple(above.text for above in self.headings), []))
        self.groups[-1][1].append(formula)
        self.prose, self.heading_changed, self.item_changed, self.fresh = [], False, False, False
        self.colon = None

    def announced(self) -> None:
        """Keep the line with a colon that nothing came after."""
        if self.colon is not None:
            self.announcements.append(self.colon)
            self.colon = None

    def _watch(self, mapped: Mapped, listed: bool) -> None:
        """Look for lines that end in a colon."""
        if listed:
            self.colon = None
            return
        at = 0
        for text in mapped.text.split("\n"):
            if text.strip():
                self.announced()
                if text.rstrip().endswith((":", "：")):
                    line = self.source.line_column(mapped.offset_at(at + len(text.rstrip()) - 1))[0]
                    self.colon = Announcement(text.strip(), line)
            at += len(text) + 1


def _blocks(source: Source, groups: list[tuple[tuple[str, ...], list[Formula]]]) -> tuple[Block, ...]:
    found = silences(source.text)
    blocks: list[Block] = []
    previous_end = 0
    for index, (headings, formulas) in enumerate(groups, start=1):
        start, end = formulas[0].start, max(formula.end for formula in formulas)
        codes = silenced(found, source.text, previous_end, start, end) if found else frozenset()
        blocks.append(Block(index, tuple(formulas), headings, codes))
        previous_end = end
    return tuple(blocks)
