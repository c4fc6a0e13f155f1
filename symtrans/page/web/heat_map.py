"""Attention weights as a heat map: a table whose cells are the darker, the more weight they carry."""

from __future__ import annotations

from fractions import Fraction
from html import escape

from symtrans.derive.steps import DerivedStep
from symtrans.exact.rounding import certify
from symtrans.page.web.text import text, word

SHADES = 10  # besides none; the style sheet has a class for each
DIGITS = 3
MOST = 400  # cells, beyond which a map is not drawn


def heat_map(step: DerivedStep, codes: tuple[str, ...], attributes: str = "") -> str:
    """The figure of one step of weights between 0 and 1; nothing for one that is too large."""
    rows = step.values.tensor(step.id).rows()
    if len(rows) * len(rows[0]) > MOST:
        return ""
    told = [[certify(entry, DIGITS).plain for entry in row] for row in rows]
    columns = "".join(f'<th scope="col">{place}</th>' for place in range(1, len(rows[0]) + 1))
    body = "".join(_row(place, row) for place, row in enumerate(told, 1))
    corner = f'<td class="corner">{text(word("heat_corner", codes))}</td>'
    table = f"<table><thead><tr>{corner}{columns}</tr></thead><tbody>{body}</tbody></table>"
    caption = text(word("heat", codes, name=step.id))
    return (
        f'<figure class="heat"{attributes}><figcaption>{caption}</figcaption>'
        f'<div class="scroll" tabindex="0">{table}</div></figure>\n'
    )


def _row(place: int, row: list[str]) -> str:
    cells = "".join(f'<td class="w{shade(cell)}">{escape(cell)}</td>' for cell in row)
    return f'<tr><th scope="row">{place}</th>{cells}</tr>'


def shade(decimal: str) -> int:
    """How dark a weight is drawn, from 0 to SHADES."""
    try:
        value = Fraction(decimal)
    except ValueError:
        return 0
    return min(max(round(value * SHADES), 0), SHADES)
