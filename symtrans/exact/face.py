"""Exact elements as SymPy expressions, made when somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symtrans.errors import UndefinedValue
from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Circle, Element, Enclosed, FunctionOf, Generator, Inverse, SoftmaxWeight

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
        case Enclosed():
            return sympy.Symbol(generator.label, real=True)


def from_sympy(expression: Any, scalars: ExactScalars) -> Element:
    """A SymPy expression of numbers, functions and generators' symbols as an exact element.

    Raises UndefinedValue for anything else.
    """
    import sympy

    by_label = {generator.label: generator for generator in scalars.field.generators}

    def walk(node: Any) -> Element:
        if node is sympy.oo or node is -sympy.oo:
            return scalars.minus_infinity() if node is -sympy.oo else -scalars.minus_infinity()
        if isinstance(node, sympy.Rational):
            return scalars.number(Fraction(int(node.p), int(node.q)))
        if node is sympy.E or node is sympy.pi:
            return scalars.constant("e" if node is sympy.E else "pi")
        if isinstance(node, sympy.Symbol) and node.name in by_label:
            return scalars.field.element(by_label[node.name])
        if isinstance(node, sympy.Add):
            return scalars.sum([walk(argument) for argument in node.args])
        if isinstance(node, sympy.Mul):
            product = scalars.number(Fraction(1))
            for argument in node.args:
                product = scalars.multiply(product, walk(argument))
            return product
        if isinstance(node, sympy.exp):
            return scalars.function("exp", walk(node.args[0]))
        if isinstance(node, sympy.Pow) and isinstance(node.exp, sympy.Rational):
            return scalars.power(walk(node.base), Fraction(int(node.exp.p), int(node.exp.q)))
        for name in ("log", "sin", "cos", "tanh", "erf"):
            if isinstance(node, getattr(sympy, name)):
                return scalars.function(name, walk(node.args[0]))
        if isinstance(node, sympy.Abs):
            return scalars.function("abs", walk(node.args[0]))
        raise UndefinedValue(f"{type(node).__name__} has no exact value here")

    return walk(expression)
