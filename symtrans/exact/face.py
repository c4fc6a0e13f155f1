"""Exact elements as SymPy expressions, made when somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from symtrans.exact.field import Circle, Element, FunctionOf, Generator, Inverse, SoftmaxWeight

if TYPE_CHECKING:
    import sympy


def to_sympy(element: Element, opened: Callable[[Generator], bool] | None = None) -> sympy.Expr:
    """A rational, or a polynomial in symbols called as the generators are labelled.

    A generator for which `opened` says so stands as its definition instead, and so do those in it.
    """
    import sympy

    if element.infinite:
        return sympy.oo if element.infinite > 0 else -sympy.oo
    total = []
    for coefficient, monomial in element.terms():
        number = sympy.Rational(coefficient.numerator, coefficient.denominator)
        powers = [_base(g, opened) ** exponent for g, exponent in monomial]
        total.append(sympy.Mul(number, *powers))
    return sympy.Add(*total)


def _base(generator: Generator, opened: Callable[[Generator], bool] | None) -> sympy.Expr:
    import sympy

    if opened is not None and opened(generator):
        return definition_to_sympy(generator, opened)
    return sympy.Symbol(generator.label, real=True)


def definition_to_sympy(generator: Generator, opened: Callable[[Generator], bool] | None = None) -> sympy.Expr:
    """A let-bound symbol's definition."""
    import sympy

    def inner(element: Element) -> sympy.Expr:
        return to_sympy(element, opened)

    match generator.definition:
        case SoftmaxWeight(logits, position):
            own = logits[position]
            assert own is not None
            powers = [sympy.exp(inner(logit)) for logit in logits if logit is not None]
            return sympy.exp(inner(own)) / sympy.Add(*powers)
        case FunctionOf("sigmoid", argument):
            return 1 / (1 + sympy.exp(-inner(argument)))
        case FunctionOf("abs", argument):
            return sympy.Abs(inner(argument))
        case FunctionOf(name, argument):
            return getattr(sympy, name)(inner(argument))
        case Inverse(argument):
            return 1 / inner(argument)
        case Circle():
            return sympy.pi
