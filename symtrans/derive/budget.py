"""How much exact work a derivation may take: polynomials in many let-bound symbols grow beyond any page.

A step that would take more has no exact value in let-bound symbols; it is known by its enclosures.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from symtrans.errors import LimitError
from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element
from symtrans.exact.scalars import FunctionName

MOST_WORK = 400_000  # terms multiplied or added in all: a second or two
BITS_OF_A_TERM = 256  # of a coefficient: products of a few floats have hundreds of digits
LONGEST_ARGUMENT = 24  # terms of a value whose function still gets a symbol; a page could not tell a longer definition


class OverBudget(LimitError):
    """An exact value would take more than the budget."""


class BudgetedScalars(ExactScalars):
    """Exact scalars that count the terms of the polynomials they work on, and stop before that takes long.

    Rational numbers cost nothing. Every operation raises OverBudget where the budget is spent.
    """

    spent = 0

    def add(self, left: Element, right: Element) -> Element:
        """The sum."""
        self._spend(self._terms(left) + self._terms(right))
        return super().add(left, right)

    def subtract(self, left: Element, right: Element) -> Element:
        """The difference."""
        self._spend(self._terms(left) + self._terms(right))
        return super().subtract(left, right)

    def multiply(self, left: Element, right: Element) -> Element:
        """The product."""
        one, two = self._terms(left), self._terms(right)
        self._spend(one * two or one + two)
        return super().multiply(left, right)

    def sum(self, values: Sequence[Element]) -> Element:
        """The total; 0 for none."""
        return reduce(self.add, values) if values else super().sum(values)

    def divide(self, left: Element, right: Element) -> Element:
        """The quotient."""
        self._spend(self._terms(left) * self._short(right))
        return super().divide(left, right)

    def power(self, base: Element, exponent: Fraction) -> Element:
        """A rational power."""
        if exponent.denominator != 1:
            self._short(base)
        return super().power(base, exponent)

    def function(self, name: FunctionName, argument: Element) -> Element:
        """A function of one variable."""
        self._short(argument)
        return super().function(name, argument)

    def softmax(self, logits: Sequence[Element]) -> list[Element]:
        """The weights of one row."""
        for logit in logits:
            self._short(logit)
        return super().softmax(logits)

    def maximum(self, values: Sequence[Element]) -> Element:
        """The largest value."""
        for value in values:
            self._short(value)
        return super().maximum(values)

    def _short(self, argument: Element) -> int:
        """The argument's terms, which must not be too many."""
        terms = 0 if argument.is_rational or argument.infinite else len(self.field.lift(argument))
        if terms > LONGEST_ARGUMENT:
            raise OverBudget(f"a function of more than {LONGEST_ARGUMENT} terms")
        return terms

    def _terms(self, value: Element) -> int:
        """A polynomial's terms, each counted for as many as its coefficient is long; a rational has none."""
        if value.is_rational or value.infinite:
            return 0
        polynomial = self.field.lift(value)
        length = int(polynomial.leading_coefficient().height_bits()) if len(polynomial) else 0
        return len(polynomial) * (1 + length // BITS_OF_A_TERM)

    def _spend(self, work: int) -> None:
        self.spent += work
        if self.spent > MOST_WORK:
            raise OverBudget(f"more than {MOST_WORK:,} terms to multiply or add")
