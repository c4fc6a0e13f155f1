"""Rigorous enclosures: a ball of Arb that is proven to contain an exact element's value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from symtrans.exact.field import Circle, Element, FunctionOf, Generator, Inverse, SoftmaxWeight

FIRST_BITS = 64
MOST_BITS = 1 << 14


def enclose(element: Element, bits: int) -> Any:
    """A `flint.arb` that contains the element's value, computed at a working precision of `bits`.

    An element that cancels gets a wide ball; whoever needs a narrow one asks for more bits.
    """
    with flint.ctx.workprec(bits):
        return _element(element, bits)


def bounds(element: Element, bits: int) -> tuple[Fraction, Fraction] | None:
    """Rational numbers below and above the element's value; None where nothing finite is known."""
    with flint.ctx.workprec(bits):
        ball = _element(element, bits)
        if not ball.is_finite():
            return None
        low, high = ball.lower(), ball.upper()
        if any(abs(int(side.man_exp()[1])) > 1 << 18 for side in (low, high)):
            return None  # too far out for a rational number of reasonable size
        return _fraction(low.fmpq()), _fraction(high.fmpq())


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _element(element: Element, bits: int) -> Any:
    if element.infinite:
        return flint.arb.pos_inf() if element.infinite > 0 else flint.arb.neg_inf()
    if element.is_rational:
        return flint.arb(element._q)
    total = flint.arb(0)
    for coefficient, monomial in element.terms():
        term = flint.arb(flint.fmpq(coefficient.numerator, coefficient.denominator))
        for generator, exponent in monomial:
            term = term * _generator(generator, bits) ** exponent
        total = total + term
    return total


def _generator(generator: Generator, bits: int) -> Any:
    if bits not in generator.memo:
        generator.memo[bits] = _defined(generator, bits)
    return generator.memo[bits]


def _defined(generator: Generator, bits: int) -> Any:
    match generator.definition:
        case SoftmaxWeight(logits, position):
            own = logits[position]
            assert own is not None
            below = flint.arb(0)
            for logit in logits:
                if logit is not None:
                    below = below + _element(logit - own, bits).exp()
            return 1 / below
        case FunctionOf(name, argument):
            return apply(name, _element(argument, bits))
        case Inverse(argument):
            return 1 / _element(argument, bits)
        case Circle():
            return flint.arb.pi()


def apply(name: str, ball: Any) -> Any:
    """A function of a ball at the current precision."""
    match name:
        case "sigmoid":
            return 1 / (1 + (-ball).exp())
        case "abs":
            return abs(ball)
        case "exp" | "log" | "sqrt" | "sin" | "cos" | "tanh" | "erf":
            return getattr(ball, name)()
        case _:
            raise ValueError(f"no function {name}")
