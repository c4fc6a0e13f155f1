"""HTML and XML as a flat list of tags and texts with exact offsets; nothing is refused, nothing is mended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from symtrans.document.mapped import Mapped

_TOKEN = re.compile(
    r"<!--(?P<comment>.*?)-->"
    r"|<!\[CDATA\[(?P<cdata>.*?)\]\]>"
    r"|<[!?][^>]*>"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]*+)(?P<attributes>(?:[^<>\"']|\"[^\"]{0,20000}+\"|'[^']{0,20000}+'){0,4000}+)>",
    re.DOTALL,
)
_RAW = {"script", "style", "textarea"}
_EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr", "mspace"}


@dataclass(frozen=True, slots=True)
class Tag:
    """`<name attributes>` at `start:end` of the text; `closing`: `</name>`; `empty`: nothing stands inside."""

    name: str
    attributes: str
    closing: bool
    empty: bool
    start: int
    end: int

    def attribute(self, name: str) -> str:
        """An attribute's value as written, or nothing."""
        match = re.search(
            rf"(?<![\w-]){re.escape(name)}\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", self.attributes
        )
        return next((value for value in match.groups() if value is not None), "") if match else ""


@dataclass(frozen=True, slots=True)
class Text:
    """Text between tags at `start:end`; `literal`: entities in it are not to be resolved."""

    start: int
    end: int
    literal: bool = False


def scan(mapped: Mapped) -> Iterator[Tag | Text]:
    """The tags and texts in order; comments are left out, and what stands in a script is one literal text."""
    text, at = mapped.text, 0
    for match in _TOKEN.finditer(text):
        if match.start() < at:
            continue
        if match.start() > at:
            yield Text(at, match.start())
        at = match.end()
        if match["cdata"] is not None:
            yield Text(*match.span("cdata"), literal=True)
        elif match["name"] is not None:
            name = match["name"].rsplit(":", 1)[-1].lower()
            attributes = match["attributes"]
            empty = attributes.endswith("/") or name in _EMPTY
            yield Tag(name, attributes, bool(match["close"]), empty, match.start(), match.end())
            if name in _RAW and not match["close"] and not empty:
                end = re.compile(rf"</{name}\b", re.IGNORECASE).search(text, at)
                last = len(text) if end is None else end.start()
                yield Text(at, last, literal=True)
                at = last
    if at < len(text):
        yield Text(at, len(text))
