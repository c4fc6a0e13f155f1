"""Markdown and plain text: blocks by markdown-it; what stands in them by our own scanners, for exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from symtrans.document import displays
from symtrans.document.event import Border, Event, Heading, Item, Math, Skipped
from symtrans.document.fence import fence
from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.paragraph import BULLET, paragraph
from symtrans.document.webpage import events as webpage_events

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LINE = re.compile(r"\r\n|\r|\n")
_PIPE = re.compile(r"(?<!\\)\|")
_FRONT = re.compile(r"\A---[ \t]*\r?\n(?:[^\n]*\n){0,200}?---[ \t]*(?:\r?\n|\Z)")


@cache
def _parser() -> MarkdownIt:
    """The block parser. Indented text is no code here: people indent their formulas."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 60})
    parser.enable("table").disable(["code", "reference"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    displays.install(parser)
    return parser


class _Lines:
    """The lines of a text as the parser counts them, and the slices that its blocks came from."""

    def __init__(self, mapped: Mapped) -> None:
        self.mapped = mapped
        breaks = [(match.start(), match.end()) for match in _LINE.finditer(mapped.text)]
        starts = [0, *(end for _, end in breaks)]
        ends = [*(start for start, _ in breaks), len(mapped.text)]
        self.spans = list(zip(starts, ends, strict=True))

    def found(self, content: str, first: int) -> Mapped:
        """The source of a block's content, whose first line is line `first`: without prefixes of quotes and lists."""
        weaver = Weaver()
        for number, line in enumerate(content.split("\n")):
            if first + number >= len(self.spans):
                break
            start, end = self.spans[first + number]
            bare = line.strip()
            at = self.mapped.text.rfind(bare, start, end) if bare else end
            if at < 0:  # the parser changed a character: take the line as it is
                at, bare = start, self.mapped.text[start:end]
            if number:
                weaver.make("\n", self.mapped, at, at)
            left = len(line) - len(line.lstrip()) if bare else 0
            if left and self.mapped.text[at - left : at].isspace():
                at -= left
                bare = self.mapped.text[at : at + left] + bare
            weaver.copy(self.mapped, at, at + len(bare))
        return weaver.done()


def events(mapped: Mapped) -> Iterator[Event]:
    """The events of a Markdown text."""
    front = _FRONT.match(mapped.text)
    if front is not None and ":" in front.group():
        mapped = mapped.slice(front.end(), len(mapped.text))
    lines = _Lines(mapped)
    try:
        tokens = _parser().parse(mapped.text)
    except (RecursionError, IndexError, ValueError) as fault:  # a fault of the parser's, not of the text's
        yield Skipped(0, f"the block parser gave up ({type(fault).__name__}); read as one paragraph")
        yield from paragraph(mapped, markdown=True)
        return
    items: list[str] = []
    bulleted = False
    for number, token in enumerate(tokens):
        match token.type:
            case "heading_open":
                content = tokens[number + 1]
                yield Border()
                yield Heading(int(token.tag[1:]), content.content)
                if content.map is not None:
                    title = lines.found(content.content, content.map[0])
                    yield from (each for each in paragraph(title, markdown=True) if isinstance(each, Math))
            case "list_item_open":
                items.append(f"{token.info}{token.markup}")
                yield Item(items[-1])
            case "list_item_close":
                items.pop()
                yield Item(items[-1] if items else "")
            case "bullet_list_open" | "ordered_list_open" | "bullet_list_close" | "ordered_list_close":
                if not items:
                    yield Border()
            case "paragraph_open":
                if not token.hidden:
                    yield Border()
            case "paragraph_close":
                if not token.hidden:
                    yield Border()
            case "heading_close" | "table_open" | "table_close":
                yield Border()
            case "inline" if token.map is not None and tokens[number - 1].type == "paragraph_open":
                first = lines.mapped.text[slice(*lines.spans[token.map[0]])]
                if bulleted and first[:1].strip() and BULLET.match(first) is None:
                    yield Item("")  # a list of bullets that Markdown does not know has ended
                    bulleted = False
                bulleted = bulleted or BULLET.search(token.content) is not None
                yield from paragraph(lines.found(token.content, token.map[0]), markdown=True)
            case "tr_open" if token.map is not None:
                yield from _cells(lines, token.map[0])
            case "fence" if token.map is not None:
                yield from fence(lines.found(token.content, token.map[0] + 1), token.info)
            case "display" if token.map is not None:
                yield from _display(lines.found(token.content, token.map[0]), token.markup)
            case "html_block" if token.map is not None:
                yield from webpage_events(lines.found(token.content, token.map[0]))


def _cells(lines: _Lines, number: int) -> Iterator[Event]:
    """The cells of a table's row, cut at its bars."""
    start, end = lines.spans[number]
    first = start
    for bar in [*_PIPE.finditer(lines.mapped.text, start, end), None]:
        last = end if bar is None else bar.start()
        if lines.mapped.text[first:last].strip():
            yield from paragraph(lines.mapped.slice(first, last), markdown=True, kind="table")
        first = last + 1


def _display(body: Mapped, markup: str) -> Iterator[Event]:
    yield Border()
    yield Math(body.slice(*displays.inner(body.text, markup)), "display")
    yield Border()
