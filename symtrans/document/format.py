"""What a document format is: its endings, how to know it by its content, and how to read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symtrans.document.event import Event
from symtrans.document.mapped import Mapped


@dataclass(frozen=True, slots=True)
class Format:
    """A format: `sniff` says how sure (0 to 100) a text without a known ending is of it; `read` never raises."""

    name: str
    endings: tuple[str, ...]
    sniff: Callable[[str], int]
    read: Callable[[Mapped], Iterator[Event]]
