"""Formulas as HTML that stands alone, without a style sheet, a script or a link: what a notebook shows."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from html import escape

from symtrans.page.web.mathml import markup, mathml

MARKS = {"wrong": "background:#f8c7c7;color:#000", "slight": "background:#f7e3a8;color:#000"}
SCROLLED = "overflow-x:auto;padding:2px 0"


def formula(latex: str) -> str:
    """A formula as MathML, or as it is written where it cannot be converted."""
    root = mathml(latex)
    return f"<code>{escape(latex)}</code>" if root is None else shown(root)


def shown(root: ET.Element) -> str:
    """A `math` element in display style; classes that mark an entry become its colours."""
    root.set("displaystyle", "true")
    for element in root.iter():
        mark = element.attrib.pop("class", "")
        if mark in MARKS:
            element.set("style", MARKS[mark])
    return markup(root)


def line(content: str) -> str:
    """A line that scrolls in itself where it is wider than what it stands in."""
    return f'<div style="{SCROLLED}">{content}</div>'


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in row) + "</tr>" for row in rows
    )
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"
