"""A report as a web page: every formula in order, wrong entries marked, the right value beside, roots linked."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from html import escape
from itertools import groupby

from symtrans.check.finding import Entry, LinkVerdict, Root, Shown, Verdict
from symtrans.check.verify import FileResult
from symtrans.document.source import Remark
from symtrans.exact.decimals import exact_decimal
from symtrans.language.words import Words, languages, words
from symtrans.page.report import covered, sentence, total, worth_telling
from symtrans.page.web.document import choice, contents, document
from symtrans.page.web.mathml import markup, mathml
from symtrans.page.web.text import Told, text, word

ORDER: tuple[Verdict, ...] = ("FAILS", "INHERITED", "ASSUMED", "UNDECIDED", "UNREADABLE", "HOLDS", "DEFINITION")
LONGEST_DECIMAL = 12
COPIED = "ST304"  # whose entries are those of the matrix that was copied, whatever is done with it
AROUND_A_MATRIX = "[](){}|‖.,;。，； \u2003"
MOST_CHARACTERS = 500_000  # of formulas that are set as such; what comes after them stands as it is written


def report(results: Sequence[FileResult], told: Words) -> str:
    """The page as one HTML file, first in the language of the words."""
    return _Report(results, (told.code, *(code for code in languages() if code != told.code))).page()


class _Report:
    """One page in the making."""

    def __init__(self, results: Sequence[FileResult], codes: tuple[str, ...]) -> None:
        self.results = results
        self.codes = codes
        self.left = MOST_CHARACTERS

    def page(self) -> str:
        links = [link for result in self.results for link in result.report.links]
        counts = Counter(link.verdict for link in links)
        names = ", ".join(result.report.path for result in self.results[:3]) + (" …" if len(self.results) > 3 else "")
        options = [("", f"{text(self._word('all'))} {len(links)}")]
        options += [(v, f"{text(self._word(f'verdict_{v}'))} {counts[v]}") for v in ORDER if counts[v]]
        coverage = {code: covered(total(self.results), words(code), self.results) for code in self.codes}
        body = f'<p class="coverage">{text(coverage)}</p>\n'
        body += "".join(self._file(number, result) for number, result in enumerate(self.results, 1))
        listed = [(1, f"_f{number}", escape(one.report.path)) for number, one in enumerate(self.results, 1)]
        return document(
            self._word("report_on", names=names),
            body,
            codes=self.codes,
            controls=[choice("show", options, self._word("show"))],
            contents=contents(listed, self.codes),
        )

    def _word(self, key: str, **values: object) -> Told:
        return word(key, self.codes, **values)

    def _file(self, number: int, result: FileResult) -> str:
        remarks = "".join(map(self._remark, result.report.remarks))
        nothing = "" if result.report.coverage.checked else f"<p>{text(self._said('nothing'))}</p>\n"
        formulas = "".join(
            self._formula(number, formula, list(links), result)
            for formula, links in groupby(result.report.links, key=lambda link: link.formula)
        )
        heading = f'<h2 id="_f{number}">{escape(result.report.path)}</h2>'
        return f'<details open class="part"><summary>{heading}</summary>\n{remarks}{nothing}{formulas}</details>\n'

    def _remark(self, remark: Remark) -> str:
        place = f" ({text(self._word('at_line', line=remark.line))})" if remark.line else ""
        return f"<p>{text(self._said('remark'))} {escape(remark.text)}{place}</p>\n"

    def _said(self, key: str) -> Told:
        return {code: words(code).report[key] for code in self.codes}

    def _formula(self, number: int, formula: int, links: list[LinkVerdict], result: FileResult) -> str:
        """One formula: its chains, and below each what is said of its links."""
        verdicts = sorted({link.verdict for link in links}, key=ORDER.index)
        place = f"{text(self._word('formula', number=formula))} · {text(self._word('at_line', line=links[0].line))}"
        body = "".join(self._chain(number, chain, result) for chain in _chains(links))
        marks = f'class="formula {_worst(links)}" id="_f{number}.{formula}" data-verdict="{" ".join(verdicts)}"'
        return f'<section {marks}><h3 class="place">{place}</h3>\n{body}</section>\n'

    def _chain(self, number: int, links: list[LinkVerdict], result: FileResult) -> str:
        boxes = [self._side(links[0].lhs, "", None)]
        boxes += [self._side(link.rhs, link.rel, link) for link in links]
        told = "".join(self._finding(number, link, result) for link in links if worth_telling(link))
        if not told and any(link.verdict == "HOLDS" and not link.silenced for link in links):
            told = self._badge("HOLDS")
            told = f'<div class="finding">{told}</div>\n'
        return f'<div class="line"><div class="chain">{"".join(boxes)}</div></div>\n{told}'

    def _side(self, latex: str, relation: str, link: LinkVerdict | None) -> str:
        """A side with the relation before it; wrong entries are marked."""
        self.left -= len(latex)
        root = side(latex, relation, link) if self.left >= 0 else None
        if root is None:
            written = f"<code>{escape(latex)}</code>" if latex.strip() else ""
            return f'<span class="side"><span class="rel">{escape(relation)}</span> {written}</span>'
        return f'<span class="side">{markup(root)}</span>'

    def _badge(self, verdict: str) -> str:
        return f'<span class="badge {verdict.lower()}">{text(self._word(f"verdict_{verdict}"))}</span>'

    def _finding(self, number: int, link: LinkVerdict, result: FileResult) -> str:
        bare = replace(link, lhs="", rel="", rhs="", root=None)
        said = text({code: sentence(bare, words(code)).strip() for code in self.codes})
        html = f"<p>{self._badge('SLIGHT' if _is_slight(link) else link.verdict)} {said}"
        html += f" <code>{escape(link.code)}</code>" if link.code else ""
        if link.root is not None:
            html += f" · {text(self._word('because_of'))} {self._link(number, link.root)}"
        html += "</p>\n"
        rights = link.truth if link.verdict == "INHERITED" else link.exact if link.entries else None
        if rights is not None:
            key = "right_above" if link.verdict == "INHERITED" else "right"
            html += f'<p class="right"><span>{text(self._word(key))}</span> {_value(rights, link.entries)}</p>\n'
        html += "".join(f'<p class="working">{escape(line)}</p>\n' for line in self._workings(link, result))
        heirs = dict.fromkeys(
            other.formula
            for other in result.report.links
            if other.root is not None and (other.root.formula, other.root.step) == (link.formula, link.step)
        )
        if heirs:
            places = ", ".join(self._link(number, Root(heir, 0)) for heir in heirs)
            html += f"<p>{text(self._word('heirs'))} {places}</p>\n"
        return f'<div class="finding">{html}</div>\n'

    def _link(self, number: int, root: Root) -> str:
        return f'<a href="#_f{number}.{root.formula}">{text(self._word("formula", number=root.formula))}</a>'

    def _workings(self, link: LinkVerdict, result: FileResult) -> Sequence[str]:
        return result.workings.get((link.formula, link.step), ())


def side(latex: str, relation: str, link: LinkVerdict | None) -> ET.Element | None:
    """A side as MathML with the relation before it and its wrong entries marked; None where it cannot be converted."""
    root = mathml(latex)
    if root is None:
        return None
    if link is not None and link.entries:
        _mark(root, link)
    if relation:
        sign = ET.Element("mo")
        sign.text = relation
        root.insert(0, sign)
    return root


def _is_slight(link: LinkVerdict) -> bool:
    """Whether a link is off by a rounding or in its last digit only."""
    return link.verdict == "FAILS" and link.level in ("explained-by-rounding", "last-digit")


def _worst(links: Sequence[LinkVerdict]) -> str:
    """The class of a formula: how bad the worst of its links is."""
    found = {"slight" if _is_slight(link) else link.verdict.lower() for link in links if not link.silenced}
    return next((name for name in ("fails", "inherited", "slight") if name in found), "quiet")


def _chains(links: Sequence[LinkVerdict]) -> Iterator[list[LinkVerdict]]:
    """The links of a formula as chains: each takes up where the one before it ended."""
    chain: list[LinkVerdict] = []
    for link in links:
        if chain and (link.step != chain[-1].step + 1 or link.lhs != chain[-1].rhs):
            yield chain
            chain = []
        chain.append(link)
    if chain:
        yield chain


def _mark(root: ET.Element, link: LinkVerdict) -> None:
    """Mark the wrong entries of a side: cells of the matrix that it is, or all of it.

    Of a side that does more with its matrix, the cells are not its entries, unless they were copied wrong.
    """
    tables = list(root.iter("mtable"))
    around = "".join(root.itertext()).replace("".join(text for table in tables for text in table.itertext()), "", 1)
    is_cells = link.code == COPIED or not around.strip(AROUND_A_MATRIX)
    if not isinstance(link.exact, tuple) or not is_cells:
        row = ET.Element("mrow", {"class": "slight" if _is_slight(link) else "wrong"})
        row.extend(list(root))
        root[:] = [row]
        return
    if len(tables) != 1 or [len(row) for row in tables[0]] != [len(row) for row in link.exact]:
        return
    for entry in link.entries:
        tables[0][entry.row - 1][entry.col - 1].set("class", "wrong" if entry.level == "error" else "slight")


def _value(value: Shown, entries: Sequence[Entry]) -> str:
    """A right value as MathML, with the entries marked that are written otherwise."""
    places = {(entry.row, entry.col) for entry in entries}
    if isinstance(value, str):
        return f"<math>{_number(value)}</math>"
    rows = ""
    for i, row in enumerate(value, 1):
        marks = [' class="mended"' if (i, j) in places else "" for j in range(1, len(row) + 1)]
        cells = "".join(f"<mtd{mark}>{_number(cell)}</mtd>" for mark, cell in zip(marks, row, strict=True))
        rows += f"<mtr>{cells}</mtr>"
    return f"<math><mrow><mo>[</mo><mtable>{rows}</mtable><mo>]</mo></mrow></math>"


def _number(exact: str) -> str:
    """A number as a decimal where that ends soon, as a fraction, or as the text that it is."""
    try:
        value = Fraction(exact)
    except (ValueError, ZeroDivisionError):
        return f"<mtext>{escape(exact)}</mtext>"
    sign = "<mo>−</mo>" if value < 0 else ""
    decimal = exact_decimal(abs(value))
    if decimal is not None and len(decimal) <= LONGEST_DECIMAL:
        return f"<mrow>{sign}<mn>{decimal}</mn></mrow>" if sign else f"<mn>{decimal}</mn>"
    over = f"<mfrac><mn>{abs(value.numerator)}</mn><mn>{value.denominator}</mn></mfrac>"
    return f"<mrow>{sign}{over}</mrow>"
