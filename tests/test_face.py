"""Exact elements seen through SymPy: the same numbers, in symbols called as they were labelled."""

from __future__ import annotations

from fractions import Fraction

import sympy

from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.face import definition_to_sympy, to_sympy


def test_elements_as_sympy_expressions() -> None:
    exact = ExactScalars()
    a = exact.softmax([exact.number(Fraction(n)) for n in (12, 14)])[0]
    a.generators()[0].label = "a_{11}"
    symbol = sympy.Symbol("a_{11}", real=True)
    assert to_sympy(exact.number(Fraction(-3, 4))) == sympy.Rational(-3, 4)
    assert to_sympy(exact.number(Fraction(0))) == 0
    assert to_sympy(exact.minus_infinity()) == -sympy.oo
    assert sympy.expand(to_sympy((1 - a) * (a + Fraction(1, 2))) - (1 - symbol) * (symbol + sympy.Rational(1, 2))) == 0


def test_definitions_as_sympy_expressions() -> None:
    exact = ExactScalars()
    number = [exact.number(Fraction(n)) for n in (2, 3)]
    two, three = number
    a = exact.softmax([two, exact.minus_infinity(), three])[0]
    symbol = sympy.Symbol("t_1", real=True)
    made = [
        (a, sympy.exp(2) / (sympy.exp(2) + sympy.exp(3))),
        (exact.function("sqrt", two), sympy.sqrt(2)),
        (exact.function("exp", a), sympy.exp(symbol)),
        (exact.function("sigmoid", a), 1 / (1 + sympy.exp(-symbol))),
        (exact.function("erf", three), sympy.erf(3)),
        (exact.divide(two, a + 1) * Fraction(1, 2), 1 / (symbol + 1)),
        (exact.constant("pi"), sympy.pi),
        (exact.constant("e"), sympy.exp(1)),
    ]
    for element, expected in made:
        assert sympy.expand(definition_to_sympy(element.generators()[-1]) - expected) == 0
