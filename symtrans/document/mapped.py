"""Text that knows, character by character, where in its source it came from.

A formula is rarely a plain slice of its file: entities are resolved, prefixes of quotes dropped, `×`
becomes `\\times `. Every such step makes a new `Mapped` from slices of an old one, so that the way
back to the source stays exact however many steps there were.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Piece:
    """`length` characters of text from `start`, which stand for `source[origin:origin_end]`.

    `copied` pieces are the source's own characters, one for one; others were made by us from it.
    """

    start: int
    length: int
    origin: int
    origin_end: int
    copied: bool


@dataclass(frozen=True, slots=True)
class Mapped:
    """A text and the pieces that it is made of."""

    text: str
    pieces: tuple[Piece, ...] = field(repr=False)
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the pieces by where they start."""
        object.__setattr__(self, "_starts", tuple(piece.start for piece in self.pieces))

    @staticmethod
    def whole(text: str) -> Mapped:
        """A source's text as it stands."""
        return Mapped(text, (Piece(0, len(text), 0, len(text), True),) if text else ())

    @staticmethod
    def made(text: str, origin: int, origin_end: int) -> Mapped:
        """Characters of our own that stand for `source[origin:origin_end]`."""
        return Mapped(text, (Piece(0, len(text), origin, origin_end, False),) if text else ())

    @staticmethod
    def join(parts: Iterable[Mapped]) -> Mapped:
        """The parts, one after the other."""
        weaver = Weaver()
        for part in parts:
            weaver.copy(part)
        return weaver.done()

    def __len__(self) -> int:
        """The number of characters."""
        return len(self.text)

    def _piece(self, index: int) -> Piece:
        return self.pieces[max(bisect_right(self._starts, index) - 1, 0)]

    def offset_at(self, index: int) -> int:
        """The source's offset of `text[index]`; for characters that we made, of what they stand for."""
        if not self.pieces:
            return 0
        if index >= len(self.text):
            return self.pieces[-1].origin_end
        piece = self._piece(index)
        return piece.origin + (index - piece.start if piece.copied else 0)

    def end_at(self, index: int) -> int:
        """The source's offset just after `text[index - 1]`."""
        if index <= 0 or not self.pieces:
            return self.offset_at(0)
        piece = self._piece(index - 1)
        return piece.origin + index - piece.start if piece.copied else piece.origin_end

    def index_at(self, origin: int) -> int:
        """The index of the first character from the source's offset `origin` on, where pieces stand in its order."""
        at = bisect_right(self.pieces, origin, key=lambda piece: piece.origin)
        if at == 0:
            return 0
        piece = self.pieces[at - 1]
        if piece.copied and origin < piece.origin_end:
            return piece.start + origin - piece.origin
        return piece.start if origin == piece.origin and not piece.copied else piece.start + piece.length

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The stretch of source that `text[start:end]` stands for, or None where it is not one whole stretch."""
        if not 0 <= start < end <= len(self.text):
            return None
        first, last = self._piece(start), self._piece(end - 1)
        if not first.copied and start != first.start:
            return None
        if not last.copied and end != last.start + last.length:
            return None
        low = bisect_right(self._starts, start) - 1
        high = bisect_right(self._starts, end - 1) - 1
        for left, right in zip(self.pieces[low:high], self.pieces[low + 1 : high + 1], strict=True):
            if left.origin_end != right.origin:
                return None
        return self.offset_at(start), self.end_at(end)

    def is_copied(self, index: int) -> bool:
        """Whether `text[index]` is the source's own character."""
        return self._piece(index).copied

    def slice(self, start: int, end: int) -> Mapped:
        """`text[start:end]` with its way back."""
        start, end = max(start, 0), min(end, len(self.text))
        weaver = Weaver()
        weaver.copy(self, start, end)
        return weaver.done()

    def strip(self) -> Mapped:
        """Without white space at either end."""
        left = len(self.text) - len(self.text.lstrip())
        return self.slice(left, max(left, len(self.text.rstrip())))

    def replace(self, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str | None]) -> Mapped:
        """Every match of `pattern` replaced by what `new` makes of it; None leaves it as it stands."""
        weaver, done = Weaver(), 0
        for match in pattern.finditer(self.text):
            text = new(match)
            if text is None or text == match.group():
                continue
            weaver.copy(self, done, match.start())
            weaver.make(text, self, match.start(), match.end())
            done = match.end()
        if not done:
            return self
        weaver.copy(self, done, len(self.text))
        return weaver.done()


class Weaver:
    """Puts a new `Mapped` together from slices of others and from characters of our own."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._texts: list[str] = []
        self._pieces: list[Piece] = []
        self._length = 0

    def __len__(self) -> int:
        """The number of characters so far."""
        return self._length

    def copy(self, mapped: Mapped, start: int = 0, end: int | None = None) -> None:
        """Append `mapped.text[start:end]`."""
        end = len(mapped.text) if end is None else end
        if start >= end:
            return
        low = max(bisect_right(mapped._starts, start) - 1, 0)
        for piece in mapped.pieces[low:]:
            if piece.start >= end:
                break
            first, last = max(start, piece.start), min(end, piece.start + piece.length)
            if piece.copied:
                origin = piece.origin + first - piece.start
                self._append(mapped.text[first:last], origin, origin + last - first, True)
            else:
                self._append(mapped.text[first:last], piece.origin, piece.origin_end, False)

    def make(self, text: str, mapped: Mapped, start: int, end: int) -> None:
        """Append characters of our own that stand for `mapped.text[start:end]`."""
        origin = mapped.offset_at(start)
        self._append(text, origin, max(origin, mapped.end_at(end)) if end > start else origin, False)

    def _append(self, text: str, origin: int, origin_end: int, copied: bool) -> None:
        if not text:
            return
        last = self._pieces[-1] if self._pieces else None
        if copied and last is not None and last.copied and last.origin_end == origin:
            self._pieces[-1] = Piece(last.start, last.length + len(text), last.origin, origin_end, True)
        else:
            self._pieces.append(Piece(self._length, len(text), origin, origin_end, copied))
        self._texts.append(text)
        self._length += len(text)

    def done(self) -> Mapped:
        """What was woven."""
        return Mapped("".join(self._texts), tuple(self._pieces))
