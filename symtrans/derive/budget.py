"""How much exact work a derivation may take: polynomials in many let-bound symbols grow beyond any page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from symtrans.errors import LimitError
from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element

MOST_WORK = 2_000_000  # terms multiplied or added: some seconds, and as long again to write them


class BudgetedScalars(ExactScalars):
    """Exact scalars that count the terms of the polynomials they work on, and stop before that takes minutes.

    `at` is the step that is being worked out; rational numbers cost nothing.
    """

    at = ""
    spent = 0

    def add(self, left: Element, right: Element) -> Element:
        """The sum. Raises LimitError where the budget is spent."""
        self._spend(self._terms(left) + self._terms(right))
        return super().add(left, right)

    def subtract(self, left: Element, right: Element) -> Element:
        """The difference. Raises LimitError where the budget is spent."""
        self._spend(self._terms(left) + self._terms(right))
        return super().subtract(left, right)

    def multiply(self, left: Element, right: Element) -> Element:
        """The product. Raises LimitError where the budget is spent."""
        one, two = self._terms(left), self._terms(right)
        self._spend(one * two or one + two)
        return super().multiply(left, right)

    def sum(self, values: Sequence[Element]) -> Element:
        """The total; 0 for none. Raises LimitError where the budget is spent."""
        return reduce(self.add, values) if values else super().sum(values)

    def _terms(self, value: Element) -> int:
        return 0 if value.is_rational or value.infinite else len(self.field.lift(value))

    def _spend(self, work: int) -> None:
        self.spent += work
        if self.spent > MOST_WORK:
            raise LimitError(
                f"{self.at} has too many let-bound symbols in its exact value to be worked out: more than "
                f"{MOST_WORK:,} terms to multiply or add; fewer positions, or fewer steps with --head or --part, "
                "take less"
            )
