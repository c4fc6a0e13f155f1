"""Signs, equality and limits of exact values: what is proven, what stays undecided, and nothing hangs."""

from __future__ import annotations

import time
from fractions import Fraction

import flint
import pytest

from symtrans.errors import LimitError, Undecided
from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element
from symtrans.exact.sign import equal, sign


@pytest.fixture
def exact() -> ExactScalars:
    return ExactScalars()


def number(exact: ExactScalars, value: int | str | Fraction) -> Element:
    return exact.number(Fraction(value))


def row(exact: ExactScalars, *logits: int | str) -> list[Element]:
    return exact.softmax([number(exact, logit) for logit in logits])


def test_signs_are_found_through_cancellation(exact: ExactScalars) -> None:
    a, rest = row(exact, 1000, 0)  # a = 1 - 5.1e-435
    assert sign(rest) == 1
    assert sign(a - 1) == -1
    small = Fraction(1, 10**300)
    assert sign(exact.function("exp", exact.number(small)) - 1 - small) == 1  # 5e-601
    assert sign(exact.function("sin", exact.number(small)) - small) == -1
    b, _ = row(exact, "25.84", "56.72")  # 3.881382101433820…e-14
    assert sign(b - Fraction("3.88138210143382071e-14")) == 1
    assert sign(b - Fraction("3.88138210143382072e-14")) == -1
    assert exact.maximum([a, rest, b]) == a
    assert exact.maximum([number(exact, 2), number(exact, 2)]) == 2


def test_a_zero_that_is_no_identity_stays_undecided(exact: ExactScalars) -> None:
    # log 6 = log 2 + log 3 is true, and nothing here knows it.
    logs = [exact.function("log", number(exact, n)) for n in (6, 2, 3)]
    hidden = logs[0] - logs[1] - logs[2]
    assert equal(hidden, number(exact, 0)) is None
    assert not exact.is_zero(hidden)
    for ask in (lambda: sign(hidden), lambda: exact.divide(logs[0], hidden), lambda: exact.function("abs", hidden)):
        with pytest.raises(Undecided):
            ask()


def test_equality_is_identity_and_difference_is_separation(exact: ExactScalars) -> None:
    a, rest = row(exact, 0, 1)
    assert equal(a * rest, a - a * a) is True
    assert equal(a, rest) is False
    assert equal(a, number(exact, "0.2689414213699951")) is False  # differs in the 17th digit
    assert equal(number(exact, "1/3"), number(exact, "0.333")) is False
    assert equal(exact.minus_infinity(), a) is False


# --- limits


def test_limits_are_told_and_nothing_hangs(exact: ExactScalars) -> None:
    start = time.monotonic()
    a, b = row(exact, 0, 1)[0], row(exact, 0, 2)[0]
    with pytest.raises(LimitError):
        exact.power(number(exact, 2), Fraction(10**30))
    with pytest.raises(LimitError):
        exact.power(a, Fraction(10**6))
    with pytest.raises(LimitError):
        exact.power(sum((row(exact, 0, k)[0] for k in range(3, 12)), a + b), Fraction(60))
    wide = exact.power(a + 1, Fraction(1024))
    with pytest.raises(LimitError, match="multiply out"):
        (wide * wide) * (wide * wide)
    square = number(exact, 3)
    while square.fraction.numerator.bit_length() < 2**16:  # each step doubles the digits
        square = square * square
    with pytest.raises(LimitError):
        square * square
    assert exact.power(number(exact, -1), Fraction(10**30 + 1)) == -1
    assert exact.power(number(exact, 0), Fraction(10**30)) == 0
    giant = exact.function("exp", number(exact, 10**30000))
    with pytest.raises(Undecided):
        sign(giant - 5)
    assert sign(exact.function("exp", number(exact, -(10**9)))) == 1
    assert time.monotonic() - start < 20


def test_elements_use_flint_underneath(exact: ExactScalars) -> None:
    assert isinstance(number(exact, 3).rational, flint.fmpq)
    assert row(exact, 0, 1)[0].rational is None
