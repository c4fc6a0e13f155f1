"""How much exact work a calculation may take: polynomials in many let-bound symbols grow beyond any page.

A value that would take more has no exact value in let-bound symbols; it is known by its enclosures.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from symtrans.errors import LimitError
from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element, Field
from symtrans.exact.scalars import FunctionName

MOST_WORK = 400_000  # terms multiplied or added in all: a second or two
BITS_OF_A_TERM = 256  # of a coefficient: products of a few floats have hundreds of bits
LONGEST_ARGUMENT = 24  # terms of a value whose function still gets a symbol; a page could not tell a longer definition


class OverBudget(LimitError):
    """An exact value would take more than the budget, or has operands that are no elements of one field."""


class BudgetedScalars(ExactScalars):
    """Exact scalars that count the terms of the polynomials they work on, and stop before that takes long.

    Rational numbers cost nothing, and 0 and 1 leave the other operand as it is. Every other operation
    raises OverBudget where the budget is spent, or where an operand is an element of another field,
    as one that is known by its enclosures is.
    """

    def __init__(self, field: Field | None = None, most: int = MOST_WORK) -> None:
        super().__init__(field)
        self.most = most
        self.spent = 0

    def add(self, left: Element, right: Element) -> Element:
        """The sum."""
        if left == 0:
            return right
        if right == 0:
            return left
        self._spend(self._work(left) + self._work(right))
        return super().add(left, right)

    def subtract(self, left: Element, right: Element) -> Element:
        """The difference."""
        if right == 0:
            return left
        self._spend(self._work(left) + self._work(right))
        return super().subtract(left, right)

    def multiply(self, left: Element, right: Element) -> Element:
        """The product."""
        for one, other in ((left, right), (right, left)):
            if one == 1 or (one == 0 and not other.infinite):
                return other if one == 1 else one
        one_work, two_work = self._work(left), self._work(right)
        self._spend(one_work * two_work or one_work + two_work)
        return super().multiply(left, right)

    def negate(self, value: Element) -> Element:
        """The opposite."""
        self._spend(self._work(value))
        return super().negate(value)

    def sum(self, values: Sequence[Element]) -> Element:
        """The total; 0 for none."""
        return reduce(self.add, values) if values else super().sum(values)

    def divide(self, left: Element, right: Element) -> Element:
        """The quotient."""
        self._spend(self._work(left) * self._short(right))
        return super().divide(left, right)

    def power(self, base: Element, exponent: Fraction) -> Element:
        """A rational power."""
        terms = self._terms(base)
        if exponent.denominator != 1:
            self._short(base)
        elif terms > 1:
            self._spend(terms ** min(abs(exponent.numerator), 16))
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
        terms = self._terms(argument)
        if terms > LONGEST_ARGUMENT:
            raise OverBudget(f"a function of more than {LONGEST_ARGUMENT} terms")
        return terms

    def _work(self, value: Element) -> int:
        """A value's terms, each counted for as many as its coefficient is long."""
        return self._terms(value) * (1 + value.height // BITS_OF_A_TERM)

    def _terms(self, value: Element) -> int:
        if value.is_rational or value.infinite:
            return 0
        if value.home is not self.field or value.is_enclosed:
            raise OverBudget("a value that is known by its enclosures only")
        return value.length

    def _spend(self, work: int) -> None:
        self.spent += work
        if self.spent > self.most:
            raise OverBudget(f"more than {self.most:,} terms to multiply or add")
