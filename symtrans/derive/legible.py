"""Which exact values a page writes in let-bound symbols: few symbols, few terms, short coefficients; else decimals."""

from __future__ import annotations

from fractions import Fraction

from symtrans.derive.values import Values, root_of
from symtrans.exact.decimals import exactly
from symtrans.exact.field import Element, Generator
from symtrans.ops.domains.rational import WholeTensor

MOST_SYMBOLS = 6  # let-bound symbols in one step's value
MOST_TERMS = 60  # terms in all of its entries
LONGEST_COEFFICIENT = 10  # digits of a coefficient as a decimal
LARGEST_IN_FRACTION = 100  # what stands above or below the line of a coefficient that is no short decimal


class Legibility:
    """Decides for a derivation's values; a symbol is written where the step that introduces it is.

    `takes_fractions`: numbers are written as fractions, whose length nobody minds then. With
    `most_symbols=0` only roots of whole numbers are written.
    """

    def __init__(self, values: Values, *, takes_fractions: bool = False, most_symbols: int = MOST_SYMBOLS) -> None:
        self.values = values
        self.most_symbols = most_symbols
        self.takes_fractions = takes_fractions
        self._steps: dict[str, bool] = {}

    def of_symbol(self, generator: Generator) -> bool:
        """Whether a let-bound symbol is written: as the root that it is, or because its step's value is legible."""
        return root_of(generator) is not None or self.of_step(self.values.introduced_by(generator))

    def of_entry(self, entry: Element) -> bool:
        """Whether a value is written exactly: a number, or a legible expression in symbols that are written."""
        if entry.is_rational or entry.infinite:
            return True
        if entry.is_enclosed or not all(self.of_symbol(generator) for generator in entry.generators()):
            return False
        return self.takes_fractions or _has_short_coefficients(entry)

    def of_step(self, step_id: str) -> bool:
        """Whether a step's value is legible as a whole."""
        if isinstance(self.values.tensor(step_id), WholeTensor):
            return True  # nothing but numbers
        if step_id not in self._steps:
            self._steps[step_id] = True  # its own symbols count as written while this is decided
            entries = [e for e in self.values.tensor(step_id).entries if not (e.is_rational or e.infinite)]
            symbols = {g for e in entries for g in e.generators() if root_of(g) is None}
            self._steps[step_id] = (
                not any(entry.is_enclosed for entry in entries)
                and len(symbols) <= self.most_symbols
                and sum(entry.length for entry in entries) <= MOST_TERMS
                and all(self.of_entry(entry) for entry in entries)
            )
        return self._steps[step_id]


def _has_short_coefficients(entry: Element) -> bool:
    return all(_is_short(abs(coefficient)) for coefficient, _ in entry.terms())


def _is_short(coefficient: Fraction) -> bool:
    printed = exactly(coefficient, LONGEST_COEFFICIENT)
    return printed is not None or max(coefficient.numerator, coefficient.denominator) < LARGEST_IN_FRACTION
