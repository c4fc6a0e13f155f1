"""A report in a notebook: what was covered, and a line for each finding."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from symtrans.check.finding import LinkVerdict
from symtrans.language.words import words
from symtrans.page.markdown_blocks import text
from symtrans.page.report import covered, sentence, short
from symtrans.page.verification import Report
from symtrans.page.web import bare
from symtrans.page.web.verdicts import side
from symtrans.shown import Face

MARKS = {"FAILS": "✗", "INHERITED": "↳", "ASSUMED": "≈", "UNDECIDED": "?", "UNREADABLE": "?"}
MOST_CHARACTERS = 50_000  # of formulas that are set as such


def html(report: Report) -> str:
    """The findings as a table below the coverage, each with its formula, in which wrong entries are marked."""
    told, left, rows = words(report.language), MOST_CHARACTERS, []
    for link in report.findings:
        left -= len(link.lhs) + len(link.rhs)
        said = sentence(replace(link, lhs="", rel="", rhs=""), told).strip()
        place = [MARKS.get(link.verdict, ""), f"{link.line}:{link.column}", link.code or link.verdict]
        rows.append([*map(escape, place), _formula(link, left >= 0) + f"<div>{escape(said)}</div>"])
    return f"<p>{escape(_coverage(report))}</p>" + (bare.table((), rows) if rows else "")


def _formula(link: LinkVerdict, is_set: bool) -> str:
    """A link as MathML, or as it is written."""
    roots = [side(link.lhs, "", None), side(link.rhs, link.rel, link)] if is_set else []
    whole = [root for root in roots if root is not None]
    if len(whole) < 2:
        return f"<code>{escape(short(f'{link.lhs} {link.rel} {link.rhs}'))}</code>"
    return bare.line("".join(map(bare.shown, whole)))


def markdown(report: Report) -> str:
    """The same as a list."""
    lines = [f"* {mark} {place} `{code}` `{told.replace('`', ' ')}`" for mark, place, code, told in _findings(report)]
    return "\n".join([text(_coverage(report)), "", *lines]).rstrip() + "\n"


def _coverage(report: Report) -> str:
    told = words(report.language)
    remarks = [f"{told.report['remark']} {remark.text}" for remark in report.result.report.remarks]
    return "; ".join([covered(report.coverage, told, [report.result]), *remarks])


def _findings(report: Report) -> list[tuple[str, str, str, str]]:
    told = words(report.language)
    return [
        (MARKS.get(link.verdict, ""), f"{link.line}:{link.column}", link.code or link.verdict, sentence(link, told))
        for link in report.findings
    ]


FACE = Face("Report", {"text/html": html, "text/markdown": markdown})
