"""Enclosures contain the truth and shrink; mpmath and a second calculation in balls are the independent routes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symtrans.errors import Undecided, UndefinedValue
from symtrans.exact.ball_scalars import BallScalars
from symtrans.exact.enclosure import enclose
from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element
from symtrans.exact.scalars import FunctionName, Scalars

# 30 digits of 1/(1+e^(356/25)) and of 1/(1+e^(772/25)), worked out apart from this package.
A = "0.000000654103229872535324619511402463"
B = "3.88138210143382071988317132647e-14"

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "sqrt": mpmath.sqrt,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tanh": mpmath.tanh,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "erf": mpmath.erf,
    "abs": abs,
}


def contains(enclosure: flint.arb, value: Any, digits: int = 60) -> bool:
    """Whether the ball has a point within 10^-digits (relatively) of a number that mpmath computed."""
    with flint.ctx.workprec(600):
        near = flint.arb(mpmath.nstr(value, digits + 20)) * (1 + flint.arb(0, flint.arb(10) ** -digits))
        return bool(enclosure.overlaps(near))


def weights() -> tuple[ExactScalars, Element, Element]:
    exact = ExactScalars()
    rows = (("11.92", "26.16"), ("25.84", "56.72"))
    a, b = (exact.softmax([exact.number(Fraction(logit)) for logit in row])[0] for row in rows)
    return exact, a, b


@pytest.mark.parametrize("bits", [64, 128, 512])
def test_the_hand_worked_weights_and_loss(bits: int) -> None:
    _, a, b = weights()
    loss = (488 * a * a - 1596 * a + 488 * b * b - 1556 * b + 2595) * Fraction(1, 100)
    with mpmath.workdps(90):
        alpha, beta = (1 / (1 + mpmath.exp(mpmath.mpf(top) / 25)) for top in (356, 772))
        truth = (488 * alpha**2 - 1596 * alpha + 488 * beta**2 - 1556 * beta + 2595) / 100
        assert contains(enclose(a, bits), alpha)
        assert contains(enclose(b, bits), beta)
        assert contains(enclose(loss, bits), truth)
        assert mpmath.nstr(alpha, 30) == mpmath.nstr(mpmath.mpf(A), 30)
        assert mpmath.nstr(beta, 30) == mpmath.nstr(mpmath.mpf(B), 30)
    assert enclose(loss, 2 * bits).rad() < enclose(loss, bits).rad() * flint.arb(2) ** (-bits // 2)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("argument", ["7/10", "3", "1/1000", "12345/678"])
def test_functions_against_mpmath(name: FunctionName, argument: str) -> None:
    exact = ExactScalars()
    x = Fraction(argument)
    with mpmath.workdps(120):
        truth = FUNCTIONS[name](mpmath.mpf(x.numerator) / x.denominator)
        for bits in (64, 320):
            assert contains(enclose(exact.function(name, exact.number(x)), bits), truth, 110)
            assert contains(BallScalars(bits).function(name, BallScalars(bits).number(x)), truth, 110)


def test_cancellation_widens_the_ball_and_more_bits_narrow_it() -> None:
    _, a, _ = weights()
    tiny = a - Fraction(A)
    assert enclose(tiny, 64).rel_accuracy_bits() < 64 < enclose(tiny, 256).rel_accuracy_bits()
    with mpmath.workdps(120):
        truth = 1 / (1 + mpmath.exp(mpmath.mpf(356) / 25)) - mpmath.mpf(A)
        assert all(contains(enclose(tiny, bits), truth, 55) for bits in (64, 256))


def test_the_precision_of_others_is_left_alone() -> None:
    before = flint.ctx.prec
    enclose(weights()[1], 512)
    assert flint.ctx.prec == before


def test_an_unknown_zero_stays_a_ball_around_zero() -> None:
    exact = ExactScalars()
    six, two, three = (exact.function("log", exact.number(Fraction(n))) for n in (6, 2, 3))
    assert 0 in enclose(six - two - three, 64)


@given(st.lists(st.integers(-3000, 3000), min_size=2, max_size=5), st.lists(st.integers(-9, 9), min_size=5, max_size=5))
def test_balls_and_exact_elements_agree(logits: list[int], factors: list[int]) -> None:
    """One calculation, told twice: in exact elements, and in balls at two precisions."""

    def calculation(scalars: Scalars[Any]) -> list[Any]:
        row = scalars.softmax([scalars.number(Fraction(n, 100)) for n in logits])
        k = [scalars.number(Fraction(n, 7)) for n in factors]
        mixed = scalars.sum([scalars.multiply(weight, factor) for weight, factor in zip(row, k, strict=False)])
        spread = scalars.add(scalars.multiply(mixed, mixed), scalars.number(Fraction(1, 9)))
        scaled = scalars.divide(scalars.subtract(mixed, k[4]), scalars.power(spread, Fraction(1, 2)))
        gelu = scalars.multiply(scaled, scalars.function("sigmoid", scaled))
        logged = scalars.function("log", scalars.add(spread, scalars.function("exp", gelu)))
        turned = scalars.multiply(scalars.function("sin", gelu), scalars.constant("pi"))
        again = scalars.softmax([gelu, scalars.negate(logged), scalars.minus_infinity(), turned])
        return [*row, mixed, spread, scaled, gelu, logged, turned, *again, scalars.power(spread, Fraction(-3, 2))]

    exact = calculation(ExactScalars())
    for bits in (80, 400):
        for element, found in zip(exact, calculation(BallScalars(bits)), strict=True):
            assert found.overlaps(enclose(element, 600))
            assert enclose(element, bits).overlaps(found)


def test_balls_have_the_same_infinities() -> None:
    balls = BallScalars(64)
    low, two, zero = balls.minus_infinity(), balls.number(Fraction(2)), balls.number(Fraction(0))
    assert balls.add(low, two) == balls.add(two, low) == balls.subtract(low, two) == balls.multiply(low, two) == low
    assert balls.negate(low) == balls.multiply(low, balls.number(Fraction(-2))) == flint.arb.pos_inf()
    assert balls.subtract(two, balls.negate(low)) == low
    assert balls.divide(two, low).is_zero()
    assert balls.divide(low, two) == low
    assert balls.maximum([low, two]) == two
    assert balls.maximum([low, low]) == low
    assert [w.is_zero() for w in balls.softmax([low, two, low])] == [True, False, True]
    for wrong in (
        lambda: balls.softmax([low]),
        lambda: balls.divide(two, zero),
        lambda: balls.function("log", zero),
        lambda: balls.function("sqrt", balls.number(Fraction(-1))),
        lambda: balls.power(balls.number(Fraction(-8)), Fraction(1, 3)),
    ):
        with pytest.raises(UndefinedValue):
            wrong()
    for unclear in (
        lambda: balls.add(low, balls.negate(low)),
        lambda: balls.multiply(low, zero),
        lambda: balls.divide(low, low),
    ):
        with pytest.raises((UndefinedValue, Undecided)):
            unclear()
    hidden = balls.subtract(balls.power(two, Fraction(1, 2)), balls.function("sqrt", two))
    assert not balls.is_zero(hidden)
    with pytest.raises(Undecided):
        balls.divide(two, hidden)


def test_powers_of_balls() -> None:
    balls = BallScalars(200)
    with mpmath.workdps(80):
        assert contains(balls.power(balls.number(Fraction(10000)), Fraction(1, 3)), mpmath.cbrt(10000), 50)
        assert contains(
            balls.power(balls.number(Fraction(7)), Fraction(-3, 2)), mpmath.mpf(7) ** mpmath.mpf("-1.5"), 50
        )
        assert contains(balls.constant("e"), mpmath.e, 50)
        assert contains(balls.constant("pi"), mpmath.pi, 50)
    assert balls.power(balls.number(Fraction(0)), Fraction(1, 2)).is_zero()
    assert balls.power(balls.number(Fraction(-2)), Fraction(3)) == -8
