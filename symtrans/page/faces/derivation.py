"""A derivation in a notebook: the page that tells it, or its formulas alone where there is no Markdown."""

from __future__ import annotations

from symtrans.derive.derivation import Derivation
from symtrans.page.page_writer import page_writer
from symtrans.page.telling import tell
from symtrans.shown import Face


def markdown(derivation: Derivation) -> str:
    """The worked solution."""
    return page_writer("md").write(tell(derivation), derivation)


def latex(derivation: Derivation) -> str:
    """All formulas, each a display."""
    return "\n".join(f"$${formula}$$" for formula in derivation.latex())


FACE = Face("Derivation", {"text/markdown": markdown, "text/latex": latex})
