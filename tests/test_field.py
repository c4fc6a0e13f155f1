"""Exact elements: they stay rational while they can, and every let-bound symbol is what it says."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symtrans.errors import UndefinedValue
from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element, Field, FunctionOf, SoftmaxWeight
from symtrans.exact.scalars import FunctionName
from symtrans.exact.sign import equal, sign

fractions = st.fractions(min_value=-50, max_value=50, max_denominator=60)


@pytest.fixture
def exact() -> ExactScalars:
    return ExactScalars()


def number(exact: ExactScalars, value: int | str | Fraction) -> Element:
    return exact.number(Fraction(value))


def row(exact: ExactScalars, *logits: int | str) -> list[Element]:
    return exact.softmax([number(exact, logit) for logit in logits])


# --- rationals


@given(fractions, fractions)
def test_rationals_compute_as_fractions_do(x: Fraction, y: Fraction) -> None:
    field = Field()
    a, b = field.rational(x), field.rational(y)
    assert [(a + b).fraction, (a - b).fraction, (a * b).fraction] == [x + y, x - y, x * y]
    assert [(a + y).fraction, (y - a).fraction, (3 * a).fraction, (-a).fraction] == [x + y, y - x, 3 * x, -x]
    assert (a**3).fraction == x**3
    assert (a == b) == (x == y)
    assert hash(a) == hash(x)
    assert a == x
    assert sign(a - b) == (x > y) - (x < y)


def test_a_float_is_no_exact_value() -> None:
    field = Field()
    with pytest.raises(TypeError, match="integers and fractions"):
        field.rational(0.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="integers and fractions"):
        field.rational(1) + 0.5  # type: ignore[operator]


# --- polynomials in generators


def test_a_constant_polynomial_is_a_rational_again(exact: ExactScalars) -> None:
    a, rest = row(exact, 0, 1)
    assert not a.is_rational
    assert a + rest == 1
    assert (a + rest).is_rational
    assert (a - a).fraction == 0
    assert (a * 0).fraction == 0
    assert rest == 1 - a


def test_terms_stand_as_on_paper(exact: ExactScalars) -> None:
    (a, _), (b, _) = row(exact, "11.92", "26.16"), row(exact, "25.84", "56.72")
    a.generators()[0].label, b.generators()[0].label = "a", "b"
    loss = (a * a * 488 - a * 1596 + b * b * 488 - b * 1556 + 2595) * Fraction(1, 100)
    assert [(c, [(g.label, e) for g, e in m]) for c, m in loss.terms()] == [
        (Fraction(488, 100), [("a", 2)]),
        (Fraction(-1596, 100), [("a", 1)]),
        (Fraction(488, 100), [("b", 2)]),
        (Fraction(-1556, 100), [("b", 1)]),
        (Fraction(2595, 100), []),
    ]
    assert str(b * a - b + 2) == "a*b - b + 2"
    assert [g.index for g in loss.generators()] == [0, 1]
    assert number(exact, 0).terms() == []


def test_equal_polynomials_are_equal_and_hash_alike_across_growth(exact: ExactScalars) -> None:
    a, rest = row(exact, 0, 1)
    before = a * rest
    for k in range(2, 40):
        row(exact, 0, k)
    after = a - a * a
    assert before == after
    assert hash(before) == hash(after)
    assert before != after + 1
    assert {before: "here"}[after] == "here"
    assert len(exact.field.generators) == 39


def test_fields_do_not_mix() -> None:
    one, other = ExactScalars(), ExactScalars()
    a, b = row(one, 0, 1)[0], row(other, 0, 2)[0]
    for mix in (lambda: a + b, lambda: a * b, lambda: b - a):
        with pytest.raises(ValueError, match="two fields"):
            mix()
    assert a != b
    assert other.number(Fraction(2)) + a == a + 2


# --- softmax


def test_a_row_of_two_is_a_and_one_minus_a(exact: ExactScalars) -> None:
    a, rest = row(exact, 12, 14)
    generator = a.generators()[0]
    assert rest == 1 - a
    assert generator.definition == SoftmaxWeight((number(exact, 12), number(exact, 14)), 0)
    assert generator.label == "t_1"


def test_equal_logits_weigh_the_same(exact: ExactScalars) -> None:
    assert row(exact, 5, 5, 5) == [Fraction(1, 3)] * 3
    first, middle, last = row(exact, 7, 1, 1)
    assert middle == last == (1 - first) * Fraction(1, 2)
    assert len(exact.field.generators) == 1


def test_rows_that_differ_by_a_constant_share_their_symbols(exact: ExactScalars) -> None:
    a, b, c = row(exact, 1, 2, 4)
    assert row(exact, "3.5", "4.5", "6.5") == [a, b, c]
    assert row(exact, 4, 1, 2) == [c, a, b]
    assert len(exact.field.generators) == 2
    shift = exact.function("exp", number(exact, 1))
    assert exact.softmax([shift, shift + 1]) == row(exact, 0, 1)


def test_masked_entries_weigh_nothing(exact: ExactScalars) -> None:
    mask = exact.minus_infinity()
    a, rest = row(exact, 1, 3)
    assert exact.softmax([number(exact, 1), mask, number(exact, 3)]) == [a, 0, rest]
    assert exact.softmax([mask, number(exact, 9)]) == [0, 1]
    assert exact.softmax([mask + 3, mask * Fraction(1, 2), number(exact, 1), number(exact, 1)])[2] == Fraction(1, 2)
    with pytest.raises(UndefinedValue, match="masked"):
        exact.softmax([mask, mask])
    with pytest.raises(UndefinedValue, match="infinite"):
        exact.softmax([-mask, number(exact, 0)])


def test_a_weight_far_below_the_others_is_let_bound_itself(exact: ExactScalars) -> None:
    one, two, tiny = row(exact, 1, 2, -(10**9))
    assert len(tiny.terms()) == 1
    assert two == 1 - one - tiny


# --- infinities


def test_infinities_of_a_mask(exact: ExactScalars) -> None:
    low, two = exact.minus_infinity(), number(exact, 2)
    assert exact.add(low, two) == exact.add(two, low) == exact.multiply(low, two) == low
    assert exact.multiply(row(exact, 0, 1)[0], low) == low
    assert exact.negate(exact.negate(low)) == low
    assert exact.multiply(low, number(exact, -2)) == -low != low
    assert exact.divide(low, two) == low
    assert exact.divide(low, number(exact, -2)) == -low
    assert exact.divide(two, low) == 0
    assert exact.maximum([low, two]) == two
    assert exact.maximum([low, low]) == low
    assert [exact.function(name, low) for name in ("exp", "sigmoid", "tanh", "erf")] == [0, 0, -1, -1]
    for wrong in (
        lambda: exact.add(low, -low),
        lambda: exact.multiply(low, number(exact, 0)),
        lambda: exact.divide(low, low),
        lambda: exact.function("log", low),
        lambda: exact.function("sin", low),
    ):
        with pytest.raises(UndefinedValue):
            wrong()


# --- functions


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [
        ("exp", "0", "1"),
        ("log", "1", "0"),
        ("sin", "0", "0"),
        ("cos", "0", "1"),
        ("tanh", "0", "0"),
        ("sigmoid", "0", "1/2"),
        ("erf", "0", "0"),
        ("sqrt", "0", "0"),
        ("sqrt", "64", "8"),
        ("sqrt", "9/4", "3/2"),
        ("sqrt", "1.21", "11/10"),
        ("abs", "-3/7", "3/7"),
    ],
)
def test_functions_are_rational_where_they_can_be(
    exact: ExactScalars, name: FunctionName, argument: str, value: str
) -> None:
    assert exact.function(name, number(exact, argument)) == Fraction(value)
    assert exact.field.generators == []


def test_the_same_value_gets_the_same_symbol(exact: ExactScalars) -> None:
    for name in ("exp", "sin", "cos", "tanh", "sigmoid", "erf"):
        first = exact.function(name, number(exact, "0.7"))  # type: ignore[arg-type]
        assert exact.function(name, number(exact, "7/10")) == first  # type: ignore[arg-type]
        assert first.generators()[0].definition == FunctionOf(name, number(exact, "0.7"))
    assert len(exact.field.generators) == 6


def test_parity(exact: ExactScalars) -> None:
    plus, minus = number(exact, "0.7"), number(exact, "-0.7")
    for name in ("sin", "tanh", "erf"):
        assert exact.function(name, minus) == -exact.function(name, plus)  # type: ignore[arg-type]
    assert exact.function("cos", minus) == exact.function("cos", plus)
    assert exact.function("sigmoid", minus) == 1 - exact.function("sigmoid", plus)


def test_roots_square_to_their_radicand(exact: ExactScalars) -> None:
    def root(value: int | str) -> Element:
        return exact.function("sqrt", number(exact, value))

    assert root(2) ** 2 == 2
    assert root(8) == 2 * root(2)
    assert root("1/2") == root(2) * Fraction(1, 2)
    assert root(2) ** 5 == 4 * root(2)
    assert exact.divide(number(exact, 1), root(2)) == root("1/2")
    assert len(exact.field.generators) == 1
    big = 3 * 10**60 + 1  # no square, and too large to look for square factors
    assert root(big) * root(25 * big) == 5 * big
    assert root(2 * big**2) == big * root(2)
    with pytest.raises(UndefinedValue, match="square root of -2"):
        root(-2)


def test_a_root_of_a_let_bound_value(exact: ExactScalars) -> None:
    a, _ = row(exact, 0, 1)
    value = a * a + 1
    root = exact.function("sqrt", value)
    assert root * root == value
    assert root**3 == value * root
    inverse = exact.divide(number(exact, 1), root)
    assert inverse * root == 1
    assert inverse * inverse * value == 1
    with pytest.raises(UndefinedValue):
        exact.function("sqrt", -value)


def test_circle_functions_lie_on_the_circle(exact: ExactScalars) -> None:
    x = number(exact, "1.3")
    sine, cosine = exact.function("sin", x), exact.function("cos", x)
    assert sine**2 + cosine**2 == 1
    y = number(exact, "-0.4")
    cosine, sine = exact.function("cos", y), exact.function("sin", y)
    assert sine**2 + cosine**2 == 1
    assert sine**2 != cosine**2


def test_exponentials_and_logarithms(exact: ExactScalars) -> None:
    def log(value: int | str) -> Element:
        return exact.function("log", number(exact, value))

    x = number(exact, "0.3")
    assert exact.function("exp", x) * exact.function("exp", -x) == 1
    assert exact.divide(number(exact, 1), exact.function("exp", x)) == exact.function("exp", -x)
    assert exact.function("exp", -x) * (exact.function("exp", x) + 1) == 1 + exact.function("exp", -x)
    assert exact.function("log", exact.function("exp", x)) == x
    assert exact.function("exp", log(3) * 2) == 9
    assert log(8) == 3 * log(2)
    assert log("1/2") == -log(2)
    assert log("9/4") == -log("4/9") == 2 * log("3/2")
    assert exact.divide(log(8), log(2)) == 3
    for wrong in (0, -1, "-1/2"):
        with pytest.raises(UndefinedValue, match="logarithm"):
            log(wrong)


def test_powers(exact: ExactScalars) -> None:
    def power(base: int | str, exponent: str) -> Element:
        return exact.power(number(exact, base), Fraction(exponent))

    assert power(10000, "1/2") == 100
    assert power(2, "-3") == Fraction(1, 8)
    assert power(8, "2/3") == 4
    assert power("1/16", "-3/4") == 8
    assert power(0, "0") == 1
    assert power(0, "1/2") == 0
    assert power(-3, "3") == -27
    assert power(2, "-1/2") ** 2 == Fraction(1, 2)
    assert power(2, "3/2") == 2 * power(2, "1/2")
    third = power(10000, "1/3")
    assert third.generators()[-1].definition == FunctionOf(
        "exp", exact.function("log", number(exact, 10000)) * Fraction(1, 3)
    )
    for base, exponent in ((0, "-1"), (-2, "1/2"), (-8, "1/3")):
        with pytest.raises(UndefinedValue):
            power(base, exponent)


# --- division


def test_division(exact: ExactScalars) -> None:
    a, _ = row(exact, 0, 1)
    b, _ = row(exact, 0, 2)
    assert exact.divide(number(exact, 1), number(exact, 3)) == Fraction(1, 3)
    assert exact.divide(a * a - b * b, a - b) == a + b
    assert exact.divide(a * 6, number(exact, 4)) == a * Fraction(3, 2)
    symbols = len(exact.field.generators)
    inverse = exact.divide(number(exact, 1), a + b)
    assert inverse * (a + b) == 1
    assert len((inverse * a).terms()) == 1  # no multiple of a + b: it stays as it is
    assert exact.divide(number(exact, 1), 3 * (a + b)) * 3 == inverse
    assert exact.divide(number(exact, 1), exact.divide(number(exact, 1), a + b)) == a + b
    assert len(exact.field.generators) == symbols + 1
    for nothing in (number(exact, 0), a - a):
        with pytest.raises(UndefinedValue, match="division by zero"):
            exact.divide(a, nothing)


def test_equality_of_quotients_is_proven_by_multiplying_out(exact: ExactScalars) -> None:
    a, _ = row(exact, 0, 1)
    b, _ = row(exact, 0, 2)
    total = a + b + 1
    left = exact.divide(a, total) + exact.divide(b, total) + exact.divide(number(exact, 1), total)
    assert equal(left, number(exact, 1)) is True
    x, y = exact.divide(a, total), exact.divide(b, total)
    assert equal(x * x + 2 * x * y + y * y, exact.power(1 - exact.divide(number(exact, 1), total), Fraction(2))) is True
    assert equal(x, y) is False
    assert sign(left - 1) == 0


# --- signs, maxima, what stays open
