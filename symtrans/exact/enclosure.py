"""Rigorous enclosures: a ball of Arb that is proven to contain an exact element's value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any

import flint

from symtrans.exact.field import Circle, Element, Enclosed, Field, FunctionOf, Generator, Inverse, SoftmaxWeight

FIRST_BITS = 64
MOST_BITS = 1 << 14
MAX_EXPONENT = 1 << 18  # binary exponents of rational bounds


def precisions(first: int = FIRST_BITS) -> Iterator[int]:
    """The working precisions that are tried in turn, in bits, from about `first` up to the cap."""
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        if 2 * bits > first:
            yield bits
        bits *= 2


def working_at(bits: int) -> AbstractContextManager[Any]:
    """A working precision for all balls that are computed meanwhile."""
    context: AbstractContextManager[Any] = flint.ctx.workprec(bits)
    return context


def enclose(element: Element, bits: int) -> flint.arb:
    """A ball with the element's value in it, computed at a working precision of `bits`.

    An element that cancels gets a wide ball, an undefined or enormous step one that is not
    finite; whoever needs a narrow one asks for more bits.
    """
    with flint.ctx.workprec(bits):
        return _element(element, bits)


def enclose_each(elements: Sequence[Element], bits: int) -> list[flint.arb]:
    """`enclose` for many elements."""
    with flint.ctx.workprec(bits):
        return [_element(element, bits) for element in elements]


def matrix_around(height: int, width: int, values: Sequence[float]) -> Any:
    """Floats by rows as a matrix of balls, each exactly itself."""
    return flint.arb_mat(height, width, values)


def around(values: Sequence[Fraction | None], bits: int) -> list[flint.arb]:
    """Balls round rational numbers at a working precision of `bits`; None is minus infinity."""
    with flint.ctx.workprec(bits):
        return [
            flint.arb.neg_inf() if value is None else flint.arb(flint.fmpq(value.numerator, value.denominator))
            for value in values
        ]


def bounds(element: Element, bits: int) -> tuple[Fraction, Fraction] | None:
    """Rational numbers below and above the element's value; None where nothing is known that is not enormous."""
    ball = enclose(element, bits)
    if not ball.is_finite():
        return None
    low, high = ball.lower(), ball.upper()
    if any(abs(int(side.man_exp()[1])) > MAX_EXPONENT for side in (low, high)):
        return None
    return _fraction(low.fmpq()), _fraction(high.fmpq())


def point(ball: flint.arb) -> Fraction | None:
    """The number that a ball with no radius is, or None for a wider one."""
    return _fraction(ball.fmpq()) if ball.is_finite() and ball.is_exact() else None


def known_by(field: Field, first: flint.arb, ball: Callable[[int], flint.arb], label: str) -> Element:
    """The value that `ball(bits)` contains, of which `first` is one ball: a number where that is a point."""
    number = point(first)
    if number is not None:
        return field.rational(number)
    if first == flint.arb.neg_inf():
        return field.minus_infinity
    if first == flint.arb.pos_inf():
        return -field.minus_infinity
    return field.enclosed(ball, label)


def is_told(ball: flint.arb, enough: int) -> bool:
    """Whether a ball tells `enough` bits of its number, or has 0 in it: of a zero no precision may ever tell more.

    With `enough` of 0 whether it tells anything.
    """
    return bool(not ball.is_nan() and (not enough or 0 in ball or ball.rel_accuracy_bits() >= enough))


def undetermined() -> flint.arb:
    """The ball of a value of which nothing is known."""
    return flint.arb.nan()


def _fraction(value: flint.fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _element(element: Element, bits: int) -> flint.arb:
    if element.infinite:
        return flint.arb.pos_inf() if element.infinite > 0 else flint.arb.neg_inf()
    if element.rational is not None:
        return flint.arb(element.rational)
    if element.memo is None:
        element.memo = {}
    if bits not in element.memo:
        element.memo[bits] = _polynomial(element, bits)
    return element.memo[bits]


def _polynomial(element: Element, bits: int) -> flint.arb:
    total = flint.arb(0)
    for coefficient, monomial in element.monomials():
        term = flint.arb(coefficient)
        for generator, exponent in monomial:
            term = term * whole_power(_generator(generator, bits), exponent)
        total = total + term
    return total


def _generator(generator: Generator, bits: int) -> flint.arb:
    if bits not in generator.memo:
        generator.memo[bits] = _defined(generator, bits)
    return generator.memo[bits]


def _defined(generator: Generator, bits: int) -> flint.arb:
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
        case Enclosed(ball):
            return ball(bits)


def whole_power(base: flint.arb, exponent: int) -> flint.arb:
    """A ball to a power from 0 on, by multiplication: Arb's own power knows nothing of a ball with 0 in it."""
    result = flint.arb(1)
    for bit in bin(exponent)[2:]:
        result = result * result
        if bit == "1":
            result = result * base
    return result


def apply(name: str, argument: flint.arb) -> flint.arb:
    """A function of a ball at the current precision."""
    match name:
        case "sigmoid":
            return 1 / (1 + (-argument).exp())
        case "exp":
            return argument.exp()
        case "log":
            return argument.log()
        case "sqrt":
            return argument.sqrt()
        case "sin":
            return argument.sin()
        case "cos":
            return argument.cos()
        case "tanh":
            return argument.tanh()
        case "erf":
            return argument.erf()
        case "abs":
            return abs(argument)
        case "positive":
            return flint.arb(1) if argument > 0 else flint.arb(0) if argument <= 0 else flint.arb.nan()
        case _:
            raise ValueError(f"no function {name}")
