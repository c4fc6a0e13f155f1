"""A derivation in a notebook: the page that tells it, or its formulas alone, as MathML or as LaTeX."""

from __future__ import annotations

from html import escape

from symtrans.derive.derivation import Derivation
from symtrans.language.words import words
from symtrans.notation.dialect import load_dialect
from symtrans.notation.tree import Chain, Matrix, walk
from symtrans.notation.writer import Writer
from symtrans.page.page_writer import page_writer
from symtrans.page.telling import tell
from symtrans.page.web import bare
from symtrans.shown import Face

MOST_LINES = 400


def markdown(derivation: Derivation) -> str:
    """The worked solution."""
    return page_writer("md").write(tell(derivation), derivation)


def html(derivation: Derivation) -> str:
    """What it is, and under each part's name a line for each formula: its name, what it is made of, and its value.

    The numbers put into a formula are left out, and so is what comes after many lines.
    """
    told, writer = words("en"), Writer(load_dialect("ams"))
    title = derivation.spec.title.get(told.code) or derivation.spec.name
    pieces, part = [f"<p><strong>{escape(title)}</strong></p>"], ""
    lines = derivation.lines("ams")
    for one in lines[:MOST_LINES]:
        if one.step.part != part:
            part = one.step.part
            pieces.append(f"<p>{escape(told.parts[part])}</p>")
        pieces.append(bare.line(bare.formula(writer.chain(_short(one.claim.chain)))))
    if len(lines) > MOST_LINES:
        pieces.append(f"<p>{escape(told.web['more_lines'].format(count=len(lines) - MOST_LINES))}</p>")
    return "\n".join(pieces)


def _short(chain: Chain) -> Chain:
    """A chain without the sides between its ends that hold matrices of numbers."""
    last = len(chain.sides) - 1
    kept = [
        place
        for place, side in enumerate(chain.sides)
        if place in (0, last) or side is None or not any(isinstance(node, Matrix) for node in walk(side))
    ]
    return Chain(tuple(chain.sides[place] for place in kept), tuple(chain.links[place - 1] for place in kept[1:]))


def latex(derivation: Derivation) -> str:
    """All formulas, each a display."""
    return "\n".join(f"$${formula}$$" for formula in derivation.latex())


FACE = Face("Derivation", {"text/html": html, "text/markdown": markdown, "text/latex": latex})
