"""A paragraph's events: its displays, its inline formulas, its plain arithmetic, bullets and the prose between."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtrans.document.block import Kind
from symtrans.document.entities import resolved
from symtrans.document.event import Border, Event, Heading, Item, Math, Prose, Skipped
from symtrans.document.inline import Finder, Stretch
from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.plain.scan import scan
from symtrans.document.plain.tokens import GAP, LAST_TEX, TEX

BULLET = re.compile(r"^[ \t]*(?P<mark>[•◦▪‣∙●○·]|[(（]?\d{1,2}[)）、]|[①-⑳])(?=\s|[^\s\d.,+*/=×])", re.MULTILINE)
_TITLE = re.compile(
    r"\s*(?:(?P<one>第?[一二三四五六七八九十百]+[、章节．.])|(?P<two>\d+\s*、|[IVX]+\.\s)|(?P<three>\d+(?:\.\d+)+\.?\s))\s*\S"
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKS = re.compile(
    r"(?:(?<=[\s(（：:,，。])|^)(\*{1,3}|__)(?=[^\s*])"
    r"|(?<=[^\s*])(?<![(\[/×=+])(\*{1,3}|__)(?=[\s)）：:,.;，。、]|$)|~~",
    re.MULTILINE,
)


def paragraph(mapped: Mapped, *, markdown: bool, kind: Kind = "plain") -> Iterator[Event]:
    """The events of one paragraph; borders stand round its displays only."""
    if (title := _title(mapped.text)) is not None:
        yield title
        return
    finder = Finder(mapped, markdown)
    found = finder.run()
    done = 0
    for number, stretch in enumerate(found):
        if stretch.kind == "display":
            inner = [each for each in found[:number] if each.start >= done and each.kind != "display"]
            yield from _running(mapped, done, stretch.start, inner, markdown, kind)
            yield Border()
            if stretch.mapped is not None:
                yield Math(stretch.mapped, "display")
            yield Border()
            done = stretch.end
    yield from _running(mapped, done, len(mapped.text), [each for each in found if each.start >= done], markdown, kind)
    for at, sign in finder.unclosed:
        yield Skipped(mapped.offset_at(at), f"{sign} opens a formula that nothing closes; read as text")


def _title(text: str) -> Heading | None:
    """A short line that is numbered as titles are, in documents without markup."""
    text = text.strip()
    if len(text) > 60 or "\n" in text or re.search(r"[=≈$\\。！？]", text):
        return None
    match = _TITLE.match(text)
    if match is None:
        return None
    return Heading(1 if match["one"] else 2 if match["two"] else 2 + match["three"].strip(" .").count("."), text)


def _running(
    mapped: Mapped, start: int, end: int, found: list[Stretch], markdown: bool, kind: Kind
) -> Iterator[Event]:  # fmt: skip
    """Text without displays: events in the order of the text."""
    text, inner = _woven(mapped, start, end, found, markdown)
    formulas = [stretch for stretch in found if stretch.kind in ("inline", "image")]
    plain = scan(text, inner=inner, kind=kind)
    taken = [math.mapped for math in plain]
    events: list[tuple[int, int, Event]] = []
    for math in plain:
        first = mapped.index_at(min(piece.origin for piece in math.mapped.pieces))
        events.append((first, mapped.index_at(max(piece.origin_end for piece in math.mapped.pieces)), math))
    for stretch in formulas:
        if stretch.mapped is not None and not any(_inside(stretch.mapped, other) for other in taken):
            set_as: Kind = "image" if stretch.kind == "image" else "inline"
            events.append((stretch.start, stretch.end, Math(stretch.mapped, set_as)))
    for match in BULLET.finditer(mapped.text, start, end):
        events.append((match.start(), match.start(), Item(match["mark"])))
    done = start
    for first, last, event in sorted(events, key=lambda each: (each[0], isinstance(each[2], Math))):
        if first > done:
            yield Prose(mapped.slice(done, first))
        yield event
        done = max(done, last)
    if done < end:
        yield Prose(mapped.slice(done, end))


def _inside(inner: Mapped, outer: Mapped) -> bool:
    """Whether a formula's text has become part of another."""
    if not inner.pieces:
        return False
    first = inner.pieces[0].origin
    return any(piece.copied and piece.origin <= first < piece.origin_end for piece in outer.pieces)


def _woven(
    mapped: Mapped, start: int, end: int, found: list[Stretch], markdown: bool
) -> tuple[Mapped, list[Mapped]]:  # fmt: skip
    """The text as plain text reads it: formulas as one private character each, markup left out, entities resolved."""
    weaver = Weaver()
    inner: list[Mapped] = []
    done = start
    for stretch in found:
        if stretch.start < done:
            continue
        _copy(weaver, mapped, done, stretch.start, markdown)
        if stretch.kind == "code" and stretch.mapped is not None:
            weaver.copy(stretch.mapped)
        elif stretch.kind == "inline" and stretch.mapped is not None and len(inner) < ord(LAST_TEX) - ord(TEX):
            weaver.make(chr(ord(TEX) + len(inner)), mapped, stretch.start, stretch.end)
            inner.append(stretch.mapped.strip())
        elif stretch.kind != "gap" or not _is_light(mapped.text[stretch.start : stretch.end]):
            weaver.make(GAP, mapped, stretch.start, stretch.end)
        done = stretch.end
    _copy(weaver, mapped, done, end, markdown)
    return weaver.done(), inner


def _is_light(tag: str) -> bool:
    """Whether a tag sets nothing apart: emphasis, a span."""
    return re.match(r"</?(?:b|i|em|strong|span|code|tt|u|mark|font|small|var)\b", tag) is not None


def _copy(weaver: Weaver, mapped: Mapped, start: int, end: int, markdown: bool) -> None:
    part = mapped.slice(start, end)
    if re.search(f"[{TEX}-{GAP}]", part.text):
        part = part.replace(re.compile(f"[{TEX}-{GAP}]"), lambda _: "\ufffd")
    if markdown and ("*" in part.text or "__" in part.text or "~~" in part.text):
        part = part.replace(_MARKS, lambda _: "")
    if markdown and "\\" in part.text:
        dropped, done = Weaver(), 0
        for match in _ESCAPE.finditer(part.text):
            dropped.copy(part, done, match.start())
            done = match.start() + 1
        dropped.copy(part, done)
        part = dropped.done()
    weaver.copy(resolved(part))
