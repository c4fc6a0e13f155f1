"""Equality of exact values that are let-bound apart: proven over common exponentials, or refuted, or not known."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element
from symtrans.exact.identity import same


class Numbers:
    def __init__(self) -> None:
        self.scalars = ExactScalars()

    def __call__(self, value: int | str) -> Element:
        return self.scalars.number(Fraction(value))

    def exp(self, value: int | str) -> Element:
        return self.scalars.function("exp", self(value))

    def over(self, above: Element, *below: Element) -> Element:
        return self.scalars.divide(above, self.scalars.sum(below))


@pytest.fixture
def n() -> Numbers:
    return Numbers()


def test_a_softmax_is_the_quotient_that_defines_it(n: Numbers) -> None:
    weights = n.scalars.softmax([n(1), n(2), n("7/2")])
    powers = [n.exp(1), n.exp(2), n.exp("7/2")]
    assert [same(w, n.over(p, *powers)) for w, p in zip(weights, powers, strict=True)] == [True, True, True]
    assert same(weights[0], n.over(powers[1], *powers)) is False


def test_a_sigmoid_has_several_faces(n: Numbers) -> None:
    value = n.scalars.function("sigmoid", n("12/5"))
    assert same(value, n.over(n(1), n(1), n.exp("-12/5"))) is True
    assert same(value, n.over(n.exp("12/5"), n(1), n.exp("12/5"))) is True
    assert same(value, n.over(n(1), n(1), n.exp("-12/5"), n("1/1000000000000000000000000"))) is False


def test_a_hyperbolic_tangent_is_made_of_exponentials(n: Numbers) -> None:
    above = n.scalars.subtract(n.exp(2), n(1))
    assert same(n.scalars.function("tanh", n(1)), n.over(above, n.exp(2), n(1))) is True


def test_exponents_may_hold_roots(n: Numbers) -> None:
    root = n.scalars.function("sqrt", n(3))
    logits = [n.scalars.divide(n(k), root) for k in (1, 2)]
    powers = [n.scalars.function("exp", x) for x in logits]
    assert same(n.scalars.softmax(logits)[1], n.over(powers[1], *powers)) is True


def test_rational_values_need_no_proof(n: Numbers) -> None:
    assert (same(n("1/3"), n("2/6")), same(n("1/3"), n("1/2"))) == (True, False)
    assert same(n.scalars.minus_infinity(), n(0)) is False


@pytest.mark.parametrize(
    ("name", "half_turns", "square", "side"),
    [
        ("sin", "1/2", 1, 1),
        ("cos", "1", 1, -1),
        ("sin", "7/6", "1/4", -1),
        ("cos", "1/4", "1/2", 1),
        ("cos", "3/2", 0, 0),
    ],
)
def test_sines_of_common_angles_are_exact(n: Numbers, name: str, half_turns: str, square: int | str, side: int) -> None:
    angle = n.scalars.multiply(n(half_turns), n.scalars.constant("pi"))
    value = n.scalars.function(name, angle)  # type: ignore[arg-type]
    root = n.scalars.function("sqrt", n(square))
    assert same(value, n.scalars.multiply(n(side), root)) is True
