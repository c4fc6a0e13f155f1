"""From a reader's events to numbered blocks with their context."""

from __future__ import annotations

from collections.abc import Iterable

from symtrans.document.block import Block, Document, Formula
from symtrans.document.event import Border, Event, Heading, Item, Math, Prose, Skipped
from symtrans.document.silence import silenced, silences
from symtrans.document.source import Remark, Source

_PROSE_KEPT = 2_000
"""The number of characters of prose kept before a formula."""


def outline(source: Source, format_name: str, events: Iterable[Event]) -> Document:
    """Number the blocks and give each formula what stands before it."""
    groups: list[tuple[tuple[str, ...], list[Formula]]] = []
    remarks = list(source.remarks)
    headings: list[Heading] = []
    prose: list[str] = []
    item = ""
    heading_changed = item_changed = False
    fresh = True
    for event in events:
        match event:
            case Heading(level, text):
                headings = [above for above in headings if above.level < level] + [event]
                prose.append(text)
                heading_changed = fresh = True
            case Item(marker):
                item, item_changed = marker, True
            case Prose(text):
                prose.append(text)
            case Border():
                fresh = True
            case Skipped(offset, text):
                remarks.append(Remark(text, *source.line_column(offset)))
            case Math(mapped, kind, label, notes):
                mapped = mapped.strip()
                if not mapped.text:
                    continue
                start = min(piece.origin for piece in mapped.pieces)
                end = max(piece.origin_end for piece in mapped.pieces)
                line, column = source.line_column(start)
                before = " ".join(part.strip() for part in prose if part.strip())[-_PROSE_KEPT:]
                formula = Formula(
                    mapped.text, start, end, line, column, kind, mapped, label, notes, item, before,
                    heading_changed, item_changed,
                )  # fmt: skip
                if fresh or not groups:
                    groups.append((tuple(above.text for above in headings), []))
                groups[-1][1].append(formula)
                prose, heading_changed, item_changed, fresh = [], False, False, False
    return Document(source, format_name, _blocks(source, groups), tuple(remarks))


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
