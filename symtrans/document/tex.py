r"""LaTeX documents: displays and inline formulas, macros expanded, without comments and preamble."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtrans.document.event import Border, Event, Heading, Item, Math, Skipped
from symtrans.document.fence import fence
from symtrans.document.inline import Finder
from symtrans.document.macros import Macro, definitions, expanded, group_end
from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.paragraph import paragraph

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*)?")
_VERBATIM = re.compile(
    r"\\begin\{(verbatim|lstlisting|minted|Verbatim|comment|alltt|filecontents)\*?\}"
    r"(?:\[[^\]]*\])?(?:\{[^}]*\})?(?P<body>.*?)\\end\{\1\*?\}",
    re.DOTALL,
)
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^A-Za-z\s*])(?:(?!\1)[^\n])*\1")
_LEVELS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "frametitle": 3}
_STRUCTURE = re.compile(
    r"\\(?P<title>part|chapter|section|subsection|subsubsection|paragraph|frametitle)\*?\s*(?:\[[^\]]*\]\s*)?(?=\{)"
    r"|\\item\b\s*(?P<mark>\[[^\]]*\])?"
    r"|\\(?P<edge>begin|end)\{(?P<name>itemize|enumerate|description|figure|table|tabular|theorem|proof|example|document"
    r"|abstract|quote|center|frame|exercise|solution|definition|lemma|remark)\*?\}"
    r"|\\par\b|(?P<gap>\n[ \t]*\n\s*)"
)


def events(mapped: Mapped) -> Iterator[Event]:
    """The events of a LaTeX text."""
    macros, places = definitions(_COMMENT.sub(_blank, mapped.text))
    start, end = _body(mapped.text)
    done = start
    for match in _VERBATIM.finditer(mapped.text, start, end):
        if _commented(mapped.text, match.start()):
            continue
        yield from _running(_cleaned(mapped, done, match.start(), places), macros)
        if match[1] not in ("comment", "filecontents"):
            yield from fence(mapped.slice(*match.span("body")))
        done = match.end()
    yield from _running(_cleaned(mapped, done, end, places), macros)


def _blank(match: re.Match[str]) -> str:
    """Spaces of the same length, so that offsets stay; a doubled backslash before the comment stays."""
    return match[1] + " " * (len(match.group()) - len(match[1]))


def _commented(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return re.search(r"(?<!\\)(?:\\\\)*%", line) is not None


def _body(text: str) -> tuple[int, int]:
    """Where the document's body stands; the whole where there is no preamble."""
    begin = re.search(r"\\begin\{document\}", text)
    while begin is not None and _commented(text, begin.start()):
        begin = re.compile(r"\\begin\{document\}").search(text, begin.end())
    if begin is None:
        return 0, len(text)
    end = text.find(r"\end{document}", begin.end())
    return begin.end(), len(text) if end < 0 else end


def _cleaned(mapped: Mapped, start: int, end: int, places: list[tuple[int, int]]) -> Mapped:
    """A stretch of the text without comments, definitions and short verbatim text."""
    cuts = [(match.end(1), match.end()) for match in _COMMENT.finditer(mapped.text, start, end)]
    cuts += [(match.start(), match.end()) for match in _VERB.finditer(mapped.text, start, end)]
    cuts += [(max(first, start), min(last, end)) for first, last in places if last > start and first < end]
    weaver, done = Weaver(), start
    for first, last in sorted(cuts):
        if first < done:
            done = max(done, min(last, end))
            continue
        weaver.copy(mapped, done, first)
        done = min(last, end)
    weaver.copy(mapped, done, end)
    return weaver.done()


def _running(mapped: Mapped, macros: dict[str, Macro]) -> Iterator[Event]:
    """Text cut at sections, items and empty lines; formulas are never cut."""
    inside = _formulas(mapped)
    marks: list[str] = []
    done = 0
    for match in _STRUCTURE.finditer(mapped.text):
        if match.start() < done or any(first < match.start() < last for first, last in inside):
            continue
        yield from _text(mapped.slice(done, match.start()), macros)
        done = match.end()
        if match["title"]:
            done = group_end(mapped.text, match.end())
            title = mapped.slice(match.end() + 1, done - 1)
            yield Border()
            yield Heading(_LEVELS[match["title"]], " ".join(title.text.split()))
            yield from (event for event in _text(title, macros) if isinstance(event, Math))
            yield Border()
        elif match.group().startswith("\\item"):
            yield Item((match["mark"] or "").strip("[]") or (marks[-1] if marks else "•"))
        else:
            yield Border()
            if match["name"] in ("itemize", "enumerate", "description"):
                if match["edge"] == "begin":
                    marks.append("1." if match["name"] == "enumerate" else "•")
                else:
                    marks = marks[:-1]
                    yield Item("")
    yield from _text(mapped.slice(done, len(mapped.text)), macros)


def _formulas(mapped: Mapped) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in Finder(mapped, markdown=False).run() if each.kind != "gap"]


def _text(mapped: Mapped, macros: dict[str, Macro]) -> Iterator[Event]:
    if not mapped.text.strip():
        return
    for event in paragraph(mapped, markdown=False):
        if not isinstance(event, Math) or event.kind == "plain":
            yield event
            continue
        formula = expanded(event.mapped, macros)
        if formula is None:
            yield Skipped(event.mapped.offset_at(0), "a formula's macros do not end; read as it stands")
        yield Math(formula or event.mapped, event.kind, event.label, event.notes)
