"""Exact values as strings: a fraction or a closed form, its first digits, and whole matrices of them."""

from __future__ import annotations

from symtrans.check.finding import Shown
from symtrans.errors import SymtransError
from symtrans.exact.field import Circle, Definition, Element, Enclosed, FunctionOf, Inverse, SoftmaxWeight, ratio_text
from symtrans.exact.rounding import certify
from symtrans.ops.tensor import Tensor

LONGEST = 160
DIGITS = 10


def closed(element: Element) -> str:
    """A fraction or a closed form; a long one is cut to its decimal."""
    if element.infinite:
        return "oo" if element.infinite > 0 else "-oo"
    text = "" if element.is_enclosed else _closed(element, 0)
    return text if 0 < len(text) <= LONGEST else f"≈ {decimal(element)}"


def decimal(element: Element) -> str:
    """The first ten significant digits."""
    if element.infinite:
        return "oo" if element.infinite > 0 else "-oo"
    try:
        return certify(element, DIGITS).plain
    except SymtransError:
        return "?"


def shown(value: Tensor[Element] | None) -> Shown | None:
    """A scalar as a string, a matrix as rows of strings."""
    if value is None:
        return None
    if value.is_scalar:
        return closed(value.entries[0])
    return tuple(tuple(closed(entry) for entry in row) for row in value.rows())


def _closed(element: Element, depth: int) -> str:
    if element.is_rational:
        return ratio_text(element.fraction)
    if element.infinite:
        return closed(element)
    if depth > 6 or len(element.terms()) > 12:
        return "…" * LONGEST
    text = ""
    for coefficient, monomial in element.terms():
        powers = "*".join(
            _defined(g.definition, depth + 1) + (f"^{power}" if power != 1 else "") for g, power in monomial
        )
        size = ratio_text(abs(coefficient))
        term = powers if powers and size == "1" else f"{size}*{powers}" if powers else size
        sign = "-" if coefficient < 0 else "+"
        text += f" {sign} {term}" if text else ("-" if coefficient < 0 else "") + term
    return text


def _defined(definition: Definition, depth: int) -> str:
    match definition:
        case SoftmaxWeight(logits, position):
            own = logits[position]
            assert own is not None
            others = " + ".join(f"exp({_closed(x, depth)})" for x in logits if x is not None)
            return f"exp({_closed(own, depth)})/({others})"
        case FunctionOf(name, argument):
            return f"{name}({_closed(argument, depth)})"
        case Inverse(argument):
            return f"1/({_closed(argument, depth)})"
        case Circle():
            return "pi"
        case Enclosed():
            return "…"
