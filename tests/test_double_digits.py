"""Digits that balls of doubles decide: the same text that `certify` gives for any number in the ball, or none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from symtrans.exact.double_balls import DoubleBalls
from symtrans.exact.double_digits import decided
from symtrans.exact.doubles import two_sum
from symtrans.exact.field import Field
from symtrans.exact.rounding import certify

np = pytest.importorskip("numpy")


def judged(balls: DoubleBalls, digits: int) -> int:
    """How many entries are decided; both ends and the middle of each such ball print the same, by exact arithmetic."""
    texts, field = decided(balls, digits), Field()
    zero = np.zeros(balls.shape)
    parts = (balls.high, zero if balls.low is None else balls.low, zero if balls.radius is None else balls.radius)
    for text, *triple in zip(texts, *(part.ravel().tolist() for part in parts), strict=True):
        if text is not None:
            high, low, radius = map(Fraction, triple)
            for value in (high + low, high + low - radius, high + low + radius):
                assert certify(field.rational(value), digits).plain == text
    return sum(text is not None for text in texts)


def numbers(high: Any, width: float, seed: int = 0) -> DoubleBalls:
    source = np.random.default_rng(seed)
    high, low = two_sum(high, high * source.uniform(-1, 1, high.shape) * 2.0**-54)
    return DoubleBalls(high.reshape(1, -1), low.reshape(1, -1), (abs(high) * width).reshape(1, -1))


@pytest.mark.parametrize("digits", [1, 2, 3, 6, 9, 14])
def test_numbers_of_every_magnitude(digits: int) -> None:
    source = np.random.default_rng(digits)
    high = source.normal(size=600) * 10.0 ** source.integers(-19, 8, 600)
    assert judged(numbers(high, 10.0 ** -(digits + 4)), digits) > (350 if digits < 9 else 200)


@pytest.mark.parametrize("digits", [1, 2, 6])
def test_numbers_near_the_middle_of_two_decimals(digits: int) -> None:
    source = np.random.default_rng(1)
    wholes = source.integers(10 ** (digits - 1), 10**digits, 300) + 0.5
    high = wholes * 10.0 ** source.integers(-12, -3, 300) * (1 + source.choice([-1, 0, 1], 300) * 2.0**-48)
    for width in (2.0**-70, 2.0**-49, 2.0**-46):
        judged(numbers(high, width), digits)
    assert judged(numbers(high, 2.0**-46), digits) == 0  # every ball reaches over a middle


def test_decimals_and_powers_of_ten_are_left_to_others() -> None:
    """A ball round a short decimal may be that decimal, printed otherwise; at powers of ten the unit changes."""
    short = np.array([0.5, 2.0, 0.25, 1.5, 100.0, 1e-5, 123456.0])
    assert decided(numbers(short, 1e-12), 6) == [None] * 7
    tens = 10.0 ** np.arange(-10.0, 10.0)
    near = np.concatenate([tens * (1 + 1e-9), tens * (1 - 1e-9), tens * (1 - 1e-14)])
    assert judged(numbers(near, 1e-16), 6) < 60


def test_what_is_not_told_is_not_printed() -> None:
    balls = DoubleBalls(
        np.array([[1.23456789, np.nan, np.inf, 0.0, 1.23456789, 1e300, 1e-300]]),
        np.zeros((1, 7)),
        np.array([[np.inf, 0.0, 0.0, 1e-9, 1e-3, 0.0, 0.0]]),
    )
    assert decided(balls, 6) == [None] * 7
    zeros = DoubleBalls(np.array([[0.0, -0.0, 0.0]]), None, np.array([[0.0, 0.0, 2.0**-900]]))
    assert decided(zeros, 6) == ["0", "0", None]
    assert decided(DoubleBalls(np.array([[-1.23456789, 12.3456789, 1.23456789e-7]])), 6) == [
        "-1.23457",
        "12.3457",
        "1.23457e-7",
    ]
