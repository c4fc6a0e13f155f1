r"""Displays as blocks of Markdown: `$$`, `\[`, environments, a lone `[`, and reStructuredText's `.. math::`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from symtrans.document.inline import ENVIRONMENTS

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MAX_LINES = 400

_OPEN = re.compile(
    rf"(?P<open>\$\$|\\\\?\[|\\begin\{{(?P<name>(?:{ENVIRONMENTS})\*?)\}}|\[(?=\s*$)|\.\. (?:math|displaymath)::)"
)
_BEHIND = re.compile(r"\s*(?:[.,;:。，；]|\([\w .:-]*\)|\{[^{}]*\}|\\\\|</?\w+>)?\s*\Z")


def install(markdown: MarkdownIt) -> None:
    """Teach the block parser displays; they may end a paragraph."""
    markdown.block.ruler.before(
        "fence", "display", _display, {"alt": ["paragraph", "reference", "blockquote", "list", "table"]}
    )


def _display(state: Any, start: int, end: int, silent: bool) -> bool:
    """A rule of the block parser: a display that begins on line `start`."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    match = _OPEN.match(line)
    if match is None:
        return False
    directive = match["open"].startswith("..")
    last = _directive(state, start, end) if directive else _closed(state, start, end, line, match)
    if last is None:
        return False
    if silent:
        return True
    token = state.push("display", "", 0)
    token.map = [start, last + 1]
    token.content = state.getLines(start, last + 1, 0, False)
    token.markup = match["open"]
    state.line = last + 1
    return True


def _closed(state: Any, start: int, end: int, line: str, match: re.Match[str]) -> int | None:
    """The line on which the display closes with nothing but punctuation or a label behind, or None."""
    opening, name = match["open"], match["name"]
    closing = (
        "$$" if opening == "$$" else rf"\end{{{name}}}" if name else opening.replace("[", "]")
    )  # fmt: skip
    rest = line[match.end() :]
    for number in range(start, min(end, start + MAX_LINES)):
        if number > start:
            if state.sCount[number] < state.blkIndent and not state.isEmpty(number):
                return None
            rest = state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
            if rest.startswith(("```", "~~~")) or re.match(r"#{1,6} ", rest):
                return None
        if opening == "[":
            if number > start and rest.strip() == "]":
                return number if number > start + 1 else None
            continue
        at = rest.find(closing)
        while at > 0 and rest[at - 1] == "\\" and closing == "$$":
            at = rest.find(closing, at + 1)
        if at >= 0:
            if name and f"\\begin{{{name}}}" in rest[:at] and number > start:
                return None
            behind = rest[at + len(closing) :]
            return number if _BEHIND.match(behind) else None
    return None


def _directive(state: Any, start: int, end: int) -> int | None:
    """The last line of a directive's indented body."""
    last = start
    for number in range(start + 1, end):
        if state.isEmpty(number):
            continue
        if state.sCount[number] <= state.sCount[start]:
            break
        last = number
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    return last if last > start or line.split("::", 1)[1].strip() else None


def inner(content: str, markup: str) -> tuple[int, int]:
    """Where the mathematics stands in a display's text."""
    if markup.startswith("\\begin"):
        first = content.find("\\begin")
        name = markup[len("\\begin{") : -1]
        last = content.rfind(f"\\end{{{name}}}")
        return first, last + len(f"\\end{{{name}}}")
    first = content.find(markup) + len(markup)
    if markup.startswith(".."):
        options = re.match(r"(?:\s*:[\w-]+:[^\n]*\n)*", content[first:])
        return first + (options.end() if options else 0), len(content)
    closing = markup.replace("[", "]")
    return first, max(first, content.rfind(closing))
