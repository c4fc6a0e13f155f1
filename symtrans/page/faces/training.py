"""A training in a notebook: the table of losses."""

from __future__ import annotations

from html import escape

from symtrans.derive.training import Training
from symtrans.page.markdown_blocks import block
from symtrans.page.training import loss_table
from symtrans.shown import Face


def html(training: Training) -> str:
    """The table."""
    table = loss_table(training)
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.header)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def markdown(training: Training) -> str:
    """The same in Markdown."""
    return block(loss_table(training))


FACE = Face("Training", {"text/html": html, "text/markdown": markdown})
