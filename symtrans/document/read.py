"""The door of this room: a source in, a document out; nothing here raises for any content."""

from __future__ import annotations

from pathlib import PurePath

from symtrans.document.block import Document
from symtrans.document.format import Format
from symtrans.document.mapped import Mapped
from symtrans.document.outline import outline
from symtrans.document.source import Source
from symtrans.registry import members


def formats() -> dict[str, Format]:
    """All formats by name."""
    return members("symtrans.document.formats", "FORMAT")


def format_of(source: Source) -> Format:
    """The format by the path's ending, else the surest by content; Markdown reads whatever else there is."""
    known = formats()
    ending = PurePath(source.path).suffix.lower().lstrip(".")
    for each in known.values():
        if ending in each.endings:
            return each
    head = source.text[:20_000]
    return max(known.values(), key=lambda each: (each.sniff(head), each.name == "markdown"))


def read(source: Source) -> Document:
    """Find the mathematics of a document."""
    chosen = format_of(source)
    return outline(source, chosen.name, chosen.read(Mapped.whole(source.text)))
