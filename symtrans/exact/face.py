"""Exact elements as SymPy expressions, made when somebody looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtrans.exact.field import Circle, Element, FunctionOf, Generator, Inverse, SoftmaxWeight

if TYPE_CHECKING:
    import sympy


def to_sympy(element: Element) -> sympy.Expr:
    """A rational, or a polynomial in symbols called as the generators are labelled."""
    import sympy

    if element.infinite:
        return sympy.oo if element.infinite > 0 else -sympy.oo
    total = []
    for coefficient, monomial in element.terms():
        number = sympy.Rational(coefficient.numerator, coefficient.denominator)
        powers = [sympy.Symbol(g.label, real=True) ** exponent for g, exponent in monomial]
        total.append(sympy.Mul(number, *powers))
    return sympy.Add(*total)


def definition_to_sympy(generator: Generator) -> sympy.Expr:
    """A let-bound symbol's definition."""
    import sympy

    match generator.definition:
        case SoftmaxWeight(logits, position):
            own = logits[position]
            assert own is not None
            powers = [sympy.exp(to_sympy(logit)) for logit in logits if logit is not None]
            return sympy.exp(to_sympy(own)) / sympy.Add(*powers)
        case FunctionOf("sigmoid", argument):
            return 1 / (1 + sympy.exp(-to_sympy(argument)))
        case FunctionOf("abs", argument):
            return sympy.Abs(to_sympy(argument))
        case FunctionOf(name, argument):
            return getattr(sympy, name)(to_sympy(argument))
        case Inverse(argument):
            return 1 / to_sympy(argument)
        case Circle():
            return sympy.pi
