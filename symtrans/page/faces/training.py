"""A training in a notebook: the table of losses."""

from __future__ import annotations

from html import escape

from symtrans.derive.steps import DerivedStep
from symtrans.derive.training import Training
from symtrans.page.markdown_blocks import block
from symtrans.page.training import loss_rows, loss_table
from symtrans.page.web import bare
from symtrans.shown import Face


def html(training: Training) -> str:
    """The table, its numbers as MathML."""
    derivation, table = training.derivation, loss_table(training)
    digits = derivation.style.digits
    rows = [
        (str(count), "" if rate is None else _number(rate, digits), _number(loss, digits))
        for count, rate, loss in loss_rows(training)
    ]
    return bare.table(map(escape, table.header), rows)


def _number(step: DerivedStep, digits: int) -> str:
    """A scalar step's value."""
    digits_of, _, power = step.decimals(digits)[0][0].partition("e")
    return bare.formula(rf"{digits_of}\times 10^{{{int(power)}}}" if power else digits_of)


def markdown(training: Training) -> str:
    """The same in Markdown."""
    return block(loss_table(training))


FACE = Face("Training", {"text/html": html, "text/markdown": markdown})
