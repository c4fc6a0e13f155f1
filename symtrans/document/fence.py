"""Listings: fenced and preformatted text, be it mathematics, a program with what it printed, or plain arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtrans.document.event import Border, Event, Math, Prose
from symtrans.document.inline import Finder
from symtrans.document.mapped import Mapped
from symtrans.document.plain.scan import scan

_MATH = {"math", "katex", "mathjax", "asciimath", "displaymath", "equation"}
_TEX = {"latex", "tex"}
_PLAIN = {"", "text", "txt", "plain", "plaintext", "none", "output", "console", "math-text", "markdown", "md"}
_DRAWN = {"mermaid", "dot", "graphviz", "plantuml", "svg", "html", "xml", "css", "json", "yaml", "toml", "diff"}


def fence(body: Mapped, info: str = "") -> Iterator[Event]:
    """The events of one listing, which is one block. `info` is what stands behind the fence's opening."""
    word = re.match(r"[\s{]*\.?([\w-]*)", info)
    language = word[1].lower() if word else ""
    yield Border()
    if language in _MATH:
        yield Math(_without_options(body), "fence")
    elif language in _TEX or (language in _PLAIN and _is_tex(body.text)):
        stretches = [each for each in Finder(body, markdown=False).run() if each.kind in ("display", "inline")]
        for stretch in stretches:
            if stretch.mapped is not None:
                yield Math(stretch.mapped, "fence")
        if not stretches and re.search(r"[=≈]|\\approx|\\to\b", body.text):
            yield Math(body, "fence")
    elif language not in _DRAWN:
        found = scan(body, listing=True, language="" if language in _PLAIN else language, kind="fence")
        yield from found
        if not found:
            yield Prose(body, listed=True)
    yield Border()


def _is_tex(text: str) -> bool:
    return re.search(r"\\(?:begin\{|frac|text\{|sqrt\{|times|cdot|mathbf|left)", text) is not None


def _without_options(body: Mapped) -> Mapped:
    """Without the lines of options (`:label: …`) that a directive begins with."""
    options = re.match(r"(?:[ \t]*:[\w-]+:[^\n]*\n|---\n(?:[^\n]*\n)*?---\n)*\s*", body.text)
    return body.slice(options.end(), len(body.text)) if options else body
