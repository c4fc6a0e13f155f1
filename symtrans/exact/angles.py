"""Sines of the angles that schools teach: multiples of π/6 and π/4, as roots of rational numbers."""

from __future__ import annotations

from fractions import Fraction

from symtrans.exact.field import Circle, Element

SQUARED_SINES = {
    Fraction(0): Fraction(0),
    Fraction(1, 6): Fraction(1, 4),
    Fraction(1, 4): Fraction(1, 2),
    Fraction(1, 3): Fraction(3, 4),
    Fraction(1, 2): Fraction(1),
}


def half_turns(argument: Element) -> Fraction | None:
    """c where the argument is exactly c·π, else None."""
    terms = argument.terms()
    if len(terms) == 1 and len(terms[0][1]) == 1 and terms[0][1][0][1] == 1:
        generator = terms[0][1][0][0]
        return terms[0][0] if isinstance(generator.definition, Circle) else None
    return None


def sine(turns: Fraction) -> tuple[int, Fraction] | None:
    """(sign, s²) of the sine s of turns·π where it is one of the table's, else None."""
    turns %= 2
    side = 1
    if turns >= 1:
        side, turns = -1, turns - 1
    square = SQUARED_SINES.get(min(turns, 1 - turns))
    return None if square is None else (side, square)
