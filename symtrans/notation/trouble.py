"""What the reader could not understand, and where."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trouble:
    """A part of the source that was not understood: its offsets, and why in a few words."""

    start: int
    end: int
    what: str


class Unreadable(Exception):
    """Raised inside the reader only; a `Trouble` is what comes out."""

    def __init__(self, start: int, end: int, what: str) -> None:
        super().__init__(what)
        self.trouble = Trouble(start, end, what)
