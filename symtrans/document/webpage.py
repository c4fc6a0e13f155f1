r"""HTML and XML documents: MathML, KaTeX's and MathJax's sources, PreTeXt's elements, `<pre>`, and text."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from symtrans.document.entities import resolved
from symtrans.document.event import Border, Event, Heading, Item, Math
from symtrans.document.fence import fence
from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.markup import Tag, Text, scan
from symtrans.document.mathml import to_latex
from symtrans.document.paragraph import paragraph

_BLOCKS = {
    "p", "div", "section", "article", "body", "main", "blockquote", "dd", "dt", "dl", "ul", "ol", "figure",
    "figcaption",
    "details", "summary", "header", "footer", "aside", "nav", "form", "hr", "html", "para", "sec", "subsection",
    "chapter", "book", "example", "solution", "statement", "proof", "exercise", "remark", "introduction", "paragraphs",
    "pretext", "caption", "disp-formula", "informalequation", "equation",
}  # fmt: skip
_INNER_BLOCKS = {"p", "para", "li", "td", "th", "dd", "dt", "caption", "figcaption", "summary", "h1", "h2", "h3", "h4"}
_TITLES = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "title": 2}
_LISTINGS = {"pre", "program", "console", "sage", "programlisting", "screen", "listing"}
_INLINE = {"m", "inline-equation"}
_DISPLAYS = {"me", "men", "md", "mdn"}
_PASSED = {"style", "noscript", "template", "svg", "head", "iframe", "object", "button", "select", "mjx-container"}
_ESCAPED = re.compile(r"\\(amp|lt|gt)(?![A-Za-z])\s?")
_HIDDEN = re.compile(r"katex-html|MathJax(?!_Display)|mjx-|sr-only|mwe-math-fallback")


class _Walker:
    """Goes through the tags once and gathers the text of the paragraph that is open."""

    def __init__(self, mapped: Mapped) -> None:
        self.mapped = mapped
        self.tokens = list(scan(mapped))
        self.text = Weaver()
        self.open: list[str] = []
        self.kind_table = False

    def run(self) -> Iterator[Event]:
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if isinstance(token, Text):
                self._take(token)
                at += 1
                continue
            after = yield from self._tag(token, at)
            at = max(after, at + 1)
        yield from self._flush()

    def _take(self, token: Text) -> None:
        self.text.copy(self.mapped, token.start, token.end)

    def _flush(self) -> Iterator[Event]:
        text, self.text = self.text.done(), Weaver()
        if text.text.strip():
            yield from paragraph(text, markdown=False, kind="table" if self.kind_table else "plain")

    def _end(self, at: int, name: str) -> int:
        """The index of the tag that closes what `tokens[at]` opens."""
        depth = 0
        for number in range(at, len(self.tokens)):
            token = self.tokens[number]
            if isinstance(token, Tag) and token.name == name and not token.empty:
                depth += -1 if token.closing else 1
                if depth == 0:
                    return number
        return at

    def _tag(self, tag: Tag, at: int) -> Generator[Event, None, int]:
        """The events of a tag; gives back the index of the next token (as a generator's value)."""
        name = tag.name
        last = at
        if tag.closing:
            yield from self._close(tag)
        elif name == "math" and not tag.empty:
            last = self._end(at, "math")
            yield from self._math(tag, at, last)
        elif name in _INLINE | _DISPLAYS | {"tex-math"} and not tag.empty:
            last = self._end(at, name)
            yield from self._tex(name, at, last)
        elif name == "script":
            last = self._end(at, name)
            if "math/tex" in tag.attribute("type"):
                yield from self._script(tag, at)
        elif name in _PASSED or (_HIDDEN.search(tag.attribute("class")) and not tag.empty):
            last = self._end(at, name)
        elif name in _LISTINGS and not tag.empty:
            last = self._end(at, name)
            yield from self._flush()
            yield from fence(self._plain(at, last), self._language(tag, at))
        elif name in _TITLES and not tag.empty:
            last = self._end(at, name)
            yield from self._flush()
            yield from self._title(_TITLES[name], at, last)
        elif name == "img":
            self.text.copy(self.mapped, tag.start, tag.end)
        elif name == "br":
            self.text.make("\n", self.mapped, tag.start, tag.end)
        elif name in ("sup", "sub") and not tag.empty:
            self.text.make("^{" if name == "sup" else "_{", self.mapped, tag.start, tag.end)
        else:
            yield from self._block(tag)
        return last + 1

    def _block(self, tag: Tag) -> Iterator[Event]:
        name = tag.name
        if name in ("li", "item"):
            yield from self._flush()
            yield Item("•")
        elif name in ("td", "th", "tr"):
            yield from self._flush()
        elif name == "table":
            yield from self._flush()
            yield Border()
            self.kind_table = True
        elif name in _BLOCKS:
            yield from self._flush()
            yield Border()
        if not tag.empty and name in _INNER_BLOCKS:
            self.open.append(name)

    def _close(self, tag: Tag) -> Iterator[Event]:
        name = tag.name
        if name in ("sup", "sub"):
            self.text.make("}", self.mapped, tag.start, tag.end)
        if name in ("td", "th", "tr", "li", "item"):
            yield from self._flush()
        if name in ("li", "item"):
            yield Item("")
        if name == "table":
            yield from self._flush()
            self.kind_table = False
            yield Border()
        elif name in _BLOCKS:
            yield from self._flush()
            yield Border()
        if name in self.open:
            while self.open.pop() != name:
                pass

    def _plain(self, first: int, last: int) -> Mapped:
        """The text between two tags without the tags inside, entities resolved."""
        weaver = Weaver()
        for token in self.tokens[first + 1 : last]:
            if isinstance(token, Text):
                part = self.mapped.slice(token.start, token.end)
                weaver.copy(part if token.literal else resolved(part))
            elif token.name == "br":
                weaver.make("\n", self.mapped, token.start, token.end)
        return weaver.done()

    def _language(self, tag: Tag, at: int) -> str:
        classes = tag.attribute("class") + " " + tag.attribute("language")
        following = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        if isinstance(following, Tag) and following.name == "code":
            classes += " " + following.attribute("class")
        match = re.search(r"(?:language|lang|highlight-source|brush:)-?\s*(\w+)", classes)
        return match[1] if match else ""

    def _title(self, level: int, first: int, last: int) -> Iterator[Event]:
        text = self._plain(first, last)
        yield Border()
        yield Heading(level, " ".join(text.text.split()))
        if re.search(r"[=≈]", text.text):
            yield from (event for event in paragraph(text, markdown=False) if isinstance(event, Math))
        yield Border()

    def _math(self, tag: Tag, first: int, last: int) -> Iterator[Event]:
        end = self.tokens[last]
        latex = to_latex(self.mapped.slice(tag.start, end.end if last > first else tag.end))
        alone = not self.open and not self.text.done().text.strip()
        if tag.attribute("display") == "block" or "mode: display" in tag.attributes or alone:
            yield from self._display(latex)
        else:
            self._inline(latex, tag)

    def _inline(self, latex: Mapped, tag: Tag) -> None:
        self.text.make(r"\(", self.mapped, tag.start, tag.start)
        self.text.copy(latex)
        self.text.make(r"\)", self.mapped, tag.start, tag.start)

    def _display(self, latex: Mapped) -> Iterator[Event]:
        yield from self._flush()
        yield Border()
        yield Math(latex, "display")
        yield Border()

    def _tex(self, name: str, first: int, last: int) -> Iterator[Event]:
        """PreTeXt's and JATS's mathematics, which is TeX with `\\amp`, `\\lt` and `\\gt`."""
        tag = self.tokens[first]
        assert isinstance(tag, Tag)
        rows = [n for n in range(first, last) if self._is_row(n)]
        if rows and name in ("md", "mdn"):
            weaver = Weaver()
            weaver.make(r"\begin{aligned}", self.mapped, tag.start, tag.start)
            for number, row in enumerate(rows):
                weaver.make(r" \\ " if number else "", self.mapped, self.tokens[row].start, self.tokens[row].start)
                weaver.copy(_unescaped(self._plain(row, self._end(row, "mrow"))))
            weaver.make(r"\end{aligned}", self.mapped, tag.start, tag.start)
            latex = weaver.done()
        else:
            latex = _unescaped(self._plain(first, last))
        document = re.search(r"\\begin\{document\}(.*?)\\end\{document\}", latex.text, re.DOTALL)
        if document is not None:
            latex = latex.slice(*document.span(1))
        latex = _bare(latex.strip())
        if name in _DISPLAYS:
            yield from self._display(latex)
        else:
            self._inline(latex, tag)

    def _is_row(self, number: int) -> bool:
        token = self.tokens[number]
        return isinstance(token, Tag) and token.name == "mrow" and not token.closing

    def _script(self, tag: Tag, at: int) -> Iterator[Event]:
        body = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        if not isinstance(body, Text):
            return
        latex = resolved(self.mapped.slice(body.start, body.end))
        if "mode=display" in tag.attribute("type").replace(" ", "") or "mode=display" in tag.attributes:
            yield from self._display(latex)
        else:
            self._inline(latex, tag)


def _unescaped(latex: Mapped) -> Mapped:
    return latex.replace(_ESCAPED, lambda match: {"amp": "&", "lt": "<", "gt": ">"}[match[1]])


def _bare(latex: Mapped) -> Mapped:
    """Without dollars round the whole."""
    match = re.fullmatch(r"(\$\$?|\\\[|\\\()(.*?)(?:\$\$?|\\\]|\\\))", latex.text, re.DOTALL)
    return latex.slice(*match.span(2)) if match else latex


def events(mapped: Mapped) -> Iterator[Event]:
    """The events of an HTML or XML text."""
    yield from _Walker(mapped).run()
