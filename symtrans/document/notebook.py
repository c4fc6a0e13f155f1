"""Jupyter notebooks: Markdown cells, and code cells with the matrices that they print; offsets into the raw file.

The file is read with a small scanner of its own rather than a JSON library, because every character of every
string has to keep its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from symtrans.document.event import Border, Event, Skipped
from symtrans.document.fence import fence
from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.markdown import events as markdown_events

MAX_DEPTH = 60

_TOKEN = re.compile(r'\s*(?:(?P<mark>[\[\]{},:])|"(?P<string>(?:[^"\\]|\\.)*+)"|(?P<other>[^\s\[\]{},:"]+))', re.DOTALL)
_ESCAPE = re.compile(r"\\u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_TERMINAL = re.compile("\x1b\\[[0-9;]*m")


@dataclass(slots=True)
class _Value:
    """A JSON value: a string (mapped), a list, an object, or anything else (None)."""

    text: Mapped | None = None
    items: list[_Value] | None = None
    members: dict[str, _Value] | None = None

    def get(self, key: str) -> _Value:
        return (self.members or {}).get(key, _Value())

    def joined(self) -> Mapped:
        """A multi-line string: one string, or a list of them."""
        parts = [self] if self.text is not None else self.items or []
        return Mapped.join(part.text for part in parts if part.text is not None)


def _unescape(match: re.Match[str]) -> str:
    text = match.group()
    if text[1] == "u" and len(text) == 12:
        high, low = int(text[2:6], 16), int(text[8:12], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if text[1] == "u" and len(text) == 6:
        code = int(text[2:], 16)
        return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)
    return _SIMPLE.get(text[1], text[1])


class _Reader:
    """Reads one JSON text; what is broken ends the reading, and what was read so far counts."""

    def __init__(self, mapped: Mapped) -> None:
        self.mapped = mapped
        self.at = 0
        self.broken = False

    def _next(self) -> re.Match[str] | None:
        match = _TOKEN.match(self.mapped.text, self.at)
        if match is None:
            self.broken = True
            return None
        self.at = match.end()
        return match

    def value(self, depth: int = 0) -> _Value:
        match = self._next()
        if match is None or depth > MAX_DEPTH:
            self.broken = True
            return _Value()
        if match["string"] is not None:
            return _Value(text=self.mapped.slice(*match.span("string")).replace(_ESCAPE, _unescape))
        if match["mark"] == "[":
            return _Value(items=self._list(depth))
        if match["mark"] == "{":
            return _Value(members=self._object(depth))
        if match["mark"] is not None:
            self.broken = True
        return _Value()

    def _list(self, depth: int) -> list[_Value]:
        found: list[_Value] = []
        while not self.broken:
            if self._mark("]"):
                break
            found.append(self.value(depth + 1))
            self._mark(",")
        return found

    def _object(self, depth: int) -> dict[str, _Value]:
        found: dict[str, _Value] = {}
        while not self.broken:
            if self._mark("}"):
                break
            key = self.value(depth + 1)
            if key.text is None or not self._mark(":"):
                self.broken = True
                break
            found[key.text.text] = self.value(depth + 1)
            self._mark(",")
        return found

    def _mark(self, mark: str) -> bool:
        match = _TOKEN.match(self.mapped.text, self.at)
        if match is None or match["mark"] != mark:
            return False
        self.at = match.end()
        return True


def events(mapped: Mapped) -> Iterator[Event]:
    """The events of a notebook."""
    reader = _Reader(mapped)
    root = reader.value()
    if reader.broken:
        yield Skipped(min(reader.at, max(len(mapped.text) - 1, 0)), "the notebook's JSON breaks off; read up to here")
    sheets = root.get("worksheets").items or []
    cells = root.get("cells").items or [cell for sheet in sheets for cell in sheet.get("cells").items or []]
    for cell in cells:
        kind = cell.get("cell_type").text
        source = cell.get("source") if cell.get("source").text or cell.get("source").items else cell.get("input")
        yield Border()
        if kind is not None and kind.text in ("markdown", "heading"):
            yield from markdown_events(source.joined())
        elif kind is not None and kind.text == "code":
            yield from _code(source.joined(), cell.get("outputs").items or [])


def _code(source: Mapped, outputs: list[_Value]) -> Iterator[Event]:
    """A program and below it what it printed."""
    weaver = Weaver()
    weaver.copy(source, 0, len(source.text.rstrip("; \n\t")))
    formulas: list[Mapped] = []
    for output in outputs:
        data = output.get("data")
        latex = data.get("text/latex").joined()
        if latex.text:
            formulas.append(latex)
            continue
        printed = output.get("text").joined() if output.get("text") != _Value() else data.get("text/plain").joined()
        if printed.text:
            weaver.make("\n", printed, 0, 0)
            weaver.copy(printed.replace(_TERMINAL, lambda _: ""))
    yield from fence(weaver.done(), "python")
    for latex in formulas:
        yield from markdown_events(latex)
