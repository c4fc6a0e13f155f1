"""Typst documents: `$ … $` displays and `$…$` inline, headings, items, comments, raw text, and the text between."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtrans.document.event import Border, Event, Heading, Item, Skipped
from symtrans.document.fence import fence
from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.paragraph import paragraph
from symtrans.document.typst_math import to_latex

_TOKEN = re.compile(
    r"(?P<comment>(?<!:)//[^\n]*|/\*.*?(?:\*/|\Z))|(?P<raw>`{3,})|(?P<code>`[^`\n]*`)|(?P<escape>\\.)|(?P<math>\$)"
    r"|^(?P<heading>=+)[ \t]+(?P<title>[^\n]*)|^[ \t]*(?P<item>[-+]|\d+\.)[ \t]+|(?P<gap>\n[ \t]*\n\s*)"
    r"|^#(?:set|show|import|include|let)\b[^\n]*",
    re.DOTALL | re.MULTILINE,
)


def events(mapped: Mapped) -> Iterator[Event]:
    """The events of a Typst text."""
    text, at = mapped.text, 0
    running = Weaver()
    in_list = False
    while (match := _TOKEN.search(text, at)) is not None:
        running.copy(mapped, at, match.start())
        at = match.end()
        if match["math"]:
            end = _closing(text, at)
            if end is None:
                yield Skipped(mapped.offset_at(match.start()), "$ opens a formula that nothing closes; read as text")
                running.copy(mapped, match.start(), at)
                continue
            is_display = text[at : at + 1].isspace() and text[end - 1].isspace()
            opening, closing = (r"\[", r"\]") if is_display else (r"\(", r"\)")
            running.make(opening, mapped, match.start(), at)
            running.copy(to_latex(mapped.slice(at, end)))
            running.make(closing, mapped, end, end + 1)
            at = end + 1
        elif match["raw"]:
            end = text.find(match["raw"], at)
            end = len(text) if end < 0 else end
            yield from paragraph(running.done(), markdown=False)
            running = Weaver()
            info = re.compile(r"[\w-]*").match(text, at)
            first = info.end() if info else at
            yield from fence(mapped.slice(first, end), text[at:first])
            at = min(len(text), end + len(match["raw"]))
        elif match["heading"]:
            yield from paragraph(running.done(), markdown=False)
            running = Weaver()
            yield Border()
            yield Heading(len(match["heading"]), match["title"].strip())
            yield Border()
        elif match["item"]:
            yield from paragraph(running.done(), markdown=False)
            running = Weaver()
            in_list = True
            yield Item(match["item"])
        elif match["gap"]:
            yield from paragraph(running.done(), markdown=False)
            running = Weaver()
            yield Border()
            if in_list and text[at : at + 1] not in ("-", "+", " "):
                in_list = False
                yield Item("")
        elif match["escape"] or match["code"]:
            running.copy(mapped, match.start(), at)
    running.copy(mapped, at, len(text))
    yield from paragraph(running.done(), markdown=False)


def _closing(text: str, at: int) -> int | None:
    r"""The index of the dollar that closes the formula begun before `at`; strings and `\$` do not count."""
    for match in re.compile(r'\\.|"(?:[^"\\\n]|\\.)*"|\$|\n[ \t]*\n', re.DOTALL).finditer(text, at, at + 100_000):
        if match.group() == "$":
            return match.start() if match.start() > at else None
        if match.group().startswith("\n"):
            return None
    return None
