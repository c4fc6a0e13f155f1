"""What a format's reader tells, in the order of the text: headings, list items, prose, mathematics, borders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from symtrans.document.block import Kind
from symtrans.document.mapped import Mapped


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a level (1 is the highest)."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """A list item begins, with its marker as written; an empty marker: the list has ended."""

    marker: str


@dataclass(frozen=True, slots=True)
class Prose:
    """Text that is not mathematics; `listed`: lines of a listing, which announce nothing."""

    mapped: Mapped
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Border:
    """What stands before and after belongs to two blocks."""


@dataclass(frozen=True, slots=True)
class Math:
    """A formula."""

    mapped: Mapped
    kind: Kind
    label: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something at a source's offset that was not read, and why."""

    offset: int
    text: str


Event: TypeAlias = Heading | Item | Prose | Border | Math | Skipped
