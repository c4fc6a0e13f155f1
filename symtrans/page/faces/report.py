"""A report in a notebook: what was covered, and a line for each finding."""

from __future__ import annotations

from html import escape

from symtrans.language.words import words
from symtrans.page.report import covered, sentence
from symtrans.page.verification import Report
from symtrans.shown import Face

MARKS = {"FAILS": "✗", "INHERITED": "↳", "ASSUMED": "≈", "UNDECIDED": "?", "UNREADABLE": "?"}


def html(report: Report) -> str:
    """The findings as a table below the coverage."""
    rows = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in cells) + "</tr>"
        for cells in _findings(report)
    )
    return f"<p>{escape(_coverage(report))}</p>" + (f"<table>{rows}</table>" if rows else "")


def markdown(report: Report) -> str:
    """The same as a list."""
    lines = [f"* {mark} {place} `{code}` `{told.replace('`', ' ')}`" for mark, place, code, told in _findings(report)]
    return "\n".join([_coverage(report), "", *lines]).rstrip() + "\n"


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
