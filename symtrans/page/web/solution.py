"""A derivation's web page: the outline of its story with every formula, the graph of its steps and its figures."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from symtrans.derive.derivation import Derivation
from symtrans.page.story import Display, Heading, Sentence, Story, Table
from symtrans.page.web.document import choice, contents, document
from symtrans.page.web.formulas import Formulas
from symtrans.page.web.graph import graph
from symtrans.page.web.heat_map import heat_map
from symtrans.page.web.outline import Said, Section, outline
from symtrans.page.web.plot import plot
from symtrans.page.web.steps import Steps
from symtrans.page.web.text import Told, marked, text, word

LARGEST = 5_000_000  # bytes of a page
FOLDED = 3  # levels of headings that can be folded
LISTED = 2  # levels of headings in the table of contents
ATTENTION = "weights"  # the role of the steps that are shown as heat maps too


def solution(story: Story, derivation: Derivation) -> str:
    """The page as one HTML file; one that would be too large leaves out where entries come from, and says so."""
    page = _Solution(story, derivation, explained=True).page()
    if len(page.encode("utf-8")) > LARGEST:
        page = _Solution(story, derivation, explained=False).page()
    return page


class _Solution:
    """One page in the making."""

    def __init__(self, story: Story, derivation: Derivation, explained: bool) -> None:
        self.story = story
        self.derivation = derivation
        self.codes = (story.language, *(other.language for other in story.others))
        self.explained = explained
        self.steps = Steps(story, derivation, explained)
        self.formulas = Formulas(story, derivation, self.steps)
        self.outline = outline(story)
        self.count = 0
        self.listed: list[tuple[int, str, str]] = []
        self.placed: set[str] = set()
        self.drawn: set[str] = set()

    def page(self) -> str:
        title = {one.language: one.title for one in (self.story, *self.story.others)}
        body = "".join(self._items(self.outline, 1))
        drawn = graph(self.derivation, self.steps)
        if drawn:
            folded = f"<details><summary>{text(word('graph', self.codes))}</summary>\n"
            about = f"<p>{text(word('graph_says', self.codes))}</p>"
            body = f'<section class="graph" id="_graph">{folded}{about}{drawn}</details></section>\n{body}'
        written = self.derivation.style.numbers
        return document(
            title,
            f"{self._hint()}\n{body}",
            codes=self.codes,
            controls=self._controls(),
            contents=contents(self.listed, self.codes),
            data={**self.steps.data(), "written": written},
        )

    def _hint(self) -> str:
        if self.explained:
            return f'<p class="hint">{text(word("hint", self.codes))}</p>'
        return f"<p>{text(word('left_out', self.codes))}</p>"

    def _controls(self) -> list[str]:
        codes, written = self.codes, self.derivation.style.numbers
        kinds = [*sorted(("decimal", "fraction"), key=lambda kind: kind != written), "symbol"]
        options = [(kind, text(word(f"numbers_{kind}", codes))) for kind in kinds]
        found = [choice("numbers", options, word("numbers", codes))] if self.explained else []
        heads = sorted({d.line.step.head for d in self.outline.displays() if d.line.step.head is not None})
        if len(heads) > 1:
            options = [("", text(word("all_heads", codes))), *((str(head), str(head)) for head in heads)]
            found.append(choice("head", options, word("head", codes)))
        folds = [("", text(word("unfold", codes))), ("all", text(word("fold", codes)))]
        return [*found, choice("folded", folds, word("parts", codes))]

    def _items(self, section: Section, depth: int) -> Iterator[str]:
        for item in section.items:
            match item:
                case Section():
                    yield self._section(item, depth + 1)
                case Said():
                    yield f"<p>{self._said(item)}</p>\n"
                case Table():
                    yield self._table(item)
                case Display():
                    yield self._display(item)

    def _section(self, section: Section, depth: int) -> str:
        assert section.title is not None
        self.count += 1
        anchor, told = f"_{self.count}", self._said(section.title)
        if depth - 1 <= LISTED:
            self.listed.append((depth - 1, anchor, told))
        head = "" if section.head is None else f' data-head="{section.head}"'
        body = "".join(self._items(section, depth))
        heading = f'<h{min(depth, 6)} id="{anchor}">{told}</h{min(depth, 6)}>'
        if depth - 1 <= FOLDED:
            return f'<details open class="part"{head}><summary>{heading}</summary>\n{body}</details>\n'
        return f"<section{head}>{heading}\n{body}</section>\n"

    def _said(self, said: Said) -> str:
        return marked({code: self._text(block) for code, block in said.told.items()})

    def _text(self, block: Sentence | Heading) -> str:
        if isinstance(block, Heading):
            return escape(block.text)
        return "".join(escape(p) if isinstance(p, str) else self.formulas.inline(p) for p in block.pieces)

    def _display(self, display: Display) -> str:
        step = display.line.step
        number, is_first = self.steps.number(step), step.id not in self.placed
        head = "" if step.head is None else f' data-head="{step.head}"'
        marks = (f' id="{escape(step.id)}"' if is_first else "") + ("" if number is None else f' data-step="{number}"')
        self.placed.add(step.id)
        chain = f'<div class="chain">{self.formulas.chain(display)}</div>'
        html = f'<div class="line"{marks}{head}>{chain}{self._about(display)}</div>\n'
        if step.role == ATTENTION and step.shape and "data-v" in chain and step.id not in self.drawn:
            self.drawn.add(step.id)
            html += heat_map(self.derivation[step.id], self.codes, head)
        return html

    def _about(self, display: Display) -> str:
        """Which forward step a gradient or an update is about, as a link."""
        step = display.line.step
        if not step.of or display.line.telling != "numbers" or step.of not in self.derivation.tape:
            return ""
        source = self.derivation.tape[step.of]
        target = self.steps.target(source)
        if not target or target == step.id:
            return ""
        said = text(word("about_update" if step.part == "update" else "about_gradient", self.codes, name=source.id))
        return f'<a class="of" href="#{escape(target)}">{said}</a>'

    def _table(self, table: Table) -> str:
        tables = [b for b in self.story.blocks if isinstance(b, Table)]
        place = next(i for i, other in enumerate(tables) if other is table)
        headers: list[Told] = []
        stories = (self.story, *self.story.others)
        for column in range(len(table.header)):
            own = {s.language: [b for b in s.blocks if isinstance(b, Table)][place].header[column] for s in stories}
            headers.append(own)
        top = "".join(f'<th scope="col">{text(told)}</th>' for told in headers)
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
        drawn = "" if table.plotted is None else plot(table, headers)
        whole = f'<table class="values"><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table>'
        return f'{drawn}<div class="scroll" tabindex="0">{whole}</div>\n'
