"""Numbers that stand for values whose exact form is long or not to be had, where only structure counts."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from symtrans.exact.field import Element, Field
from symtrans.exact.rounding import certify

MOST_TERMS = 60  # of the exact values that one side is computed from
DIGITS = 6  # of a number that stands for a value


def common_field(entries: Iterable[Element], otherwise: Field) -> Field | None:
    """The field in which values can be computed with exactly and soon, `otherwise` for rational ones; else None."""
    own = [entry for entry in entries if not (entry.is_rational or entry.infinite)]
    if any(entry.is_enclosed for entry in own) or len({id(entry.home) for entry in own}) > 1:
        return None
    if sum(entry.length for entry in own) > MOST_TERMS:
        return None
    return own[0].home if own else otherwise


def stand_in(entry: Element, field: Field) -> Element:
    """The first digits of a value as a number; rational ones and infinities stay. Raises Undecided."""
    if entry.is_rational or entry.infinite:
        return entry
    return field.rational(Fraction(certify(entry, DIGITS).plain))
