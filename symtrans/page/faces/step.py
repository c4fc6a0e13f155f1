"""A step in a notebook: its name and value as a formula."""

from __future__ import annotations

from symtrans.derive.numerals import Style
from symtrans.derive.steps import DerivedStep
from symtrans.page.web import bare
from symtrans.shown import Face


def latex(step: DerivedStep) -> str:
    """The formula as a display, a large matrix by its first and last entries."""
    return f"$${step.latex(style=Style())}$$"


def html(step: DerivedStep) -> str:
    """The same as MathML."""
    return bare.line(bare.formula(step.latex(style=Style())))


FACE = Face("DerivedStep", {"text/html": html, "text/latex": latex})
