"""Exact values, enclosures and proven digits against hand-worked numbers and mpmath."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symtrans.errors import LimitError, Undecided, UndefinedValue, UsageError
from symtrans.exact.enclosure import bounds
from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element
from symtrans.exact.rounding import Agreement, certify, decide, exact_decimal
from symtrans.exact.sign import equal, sign
from symtrans.exact.written import Written


@pytest.fixture
def scalars() -> ExactScalars:
    return ExactScalars()


def number(scalars: ExactScalars, text: str) -> Element:
    return scalars.number(Fraction(text))


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("0.10", "1/10", 2),
        (".5", "1/2", 1),
        ("2", "2", 0),
        ("2.0", "2", 1),
        ("-1/3", "-1/3", None),
        ("1.2e-3", "3/2500", 4),
        ("−2", "-2", 0),
        ("6.54103e-7", "654103/1000000000000", 12),
    ],
)
def test_written_numbers_keep_their_digits(text: str, value: str, decimals: int | None) -> None:
    written = Written.parse(text)
    assert (written.text, written.value, written.decimals) == (text, Fraction(value), decimals)


@pytest.mark.parametrize("text", ["", ".", "1,5", "1/0", "0x1", "1e", "nan", "²", "1_0", "--1"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Written.parse(text)


@pytest.mark.parametrize("text", ["1" * 401, "1e4001"])
def test_numbers_have_caps(text: str) -> None:
    with pytest.raises(LimitError):
        Written.parse(text)


def test_softmax_is_one_symbol_for_two_logits(scalars: ExactScalars) -> None:
    first, second = scalars.softmax([number(scalars, "11.92"), number(scalars, "26.16")])
    assert first + second == number(scalars, "1")
    with mpmath.workdps(40):
        assert certify(first, 30).plain == mpmath.nstr(1 / (1 + mpmath.e ** (mpmath.mpf(356) / 25)), 30, min_fixed=0)
    again = scalars.softmax([number(scalars, "1.92"), number(scalars, "16.16")])
    assert again[0] == first  # the same differences of logits are the same weights


def test_equal_logits_are_rational(scalars: ExactScalars) -> None:
    weights = scalars.softmax([number(scalars, "7")] * 3)
    assert [w.fraction for w in weights] == [Fraction(1, 3)] * 3
    two, one, same = scalars.softmax([number(scalars, "2"), number(scalars, "1"), number(scalars, "2")])
    assert two == same
    assert two + one + same == number(scalars, "1")


def test_masked_logits_weigh_nothing(scalars: ExactScalars) -> None:
    masked = scalars.minus_infinity()
    weights = scalars.softmax([masked, number(scalars, "3"), masked + number(scalars, "5")])
    assert [w.fraction for w in weights] == [0, 1, 0]
    with pytest.raises(UndefinedValue):
        scalars.softmax([masked, masked])
    with pytest.raises(UndefinedValue):
        scalars.multiply(masked, number(scalars, "0"))


def test_the_loss_polynomial(scalars: ExactScalars) -> None:
    a = scalars.softmax([number(scalars, "5.96"), number(scalars, "13.08")])[0]
    b = scalars.softmax([number(scalars, "12.92"), number(scalars, "28.36")])[0]

    def times(factor: int, value: Element) -> Element:
        return number(scalars, str(factor)) * value

    loss = (times(488, a * a) - times(1596, a) + times(488, b * b) - times(1556, b) + number(scalars, "2595")) * number(
        scalars, "1/100"
    )
    assert certify(loss, 14).text == "25.937102635069"


@pytest.mark.parametrize(
    ("value", "digits", "plain"),
    [
        ("1/3", 6, "0.333333"),
        ("2/3", 6, "0.666667"),
        ("99999996/10000000", 6, "10.0000"),
        ("-1/7", 3, "-0.143"),
        ("1/8", 6, "0.125"),
        ("0", 6, "0"),
        ("2/30000000", 6, "6.66667e-8"),
        ("9999999/10000000000000", 3, "1.00e-6"),
        ("12345678901/7", 6, "1763668414.4"),
        ("1/1024", 3, "0.000977"),
        ("200000/3", 6, "66666.7"),
    ],
)
def test_rationals_to_significant_digits(scalars: ExactScalars, value: str, digits: int, plain: str) -> None:
    assert certify(number(scalars, value), digits).plain == plain


def test_digits_survive_cancellation(scalars: ExactScalars) -> None:
    """exp(1/10^30) - 1 - 1/10^30 is about 5e-61: 64 bits show nothing of it."""
    tiny = number(scalars, "1/1000000000000000000000000000000")
    value = scalars.function("exp", tiny) - number(scalars, "1") - tiny
    assert certify(value, 10).plain == "5.000000000e-61"
    assert sign(value) == 1


def test_what_is_zero_without_being_identically_so_is_undecided(scalars: ExactScalars) -> None:
    """log 6 - log 2 - log 3 is zero, which no enclosure proves."""
    six, two, three = (scalars.function("log", number(scalars, text)) for text in ("6", "2", "3"))
    value = six - two - three
    assert equal(value, number(scalars, "0")) is None
    with pytest.raises(Undecided):
        certify(value, 6)
    assert decide(value, Written.parse("0")) is Agreement.UNDECIDED


def test_roots_are_reduced(scalars: ExactScalars) -> None:
    root = scalars.function("sqrt", number(scalars, "8"))
    assert root * root == number(scalars, "8")
    assert scalars.function("sqrt", number(scalars, "9/4")).fraction == Fraction(3, 2)
    assert scalars.divide(number(scalars, "1"), root) * root == number(scalars, "1")
    with pytest.raises(UndefinedValue):
        scalars.function("sqrt", number(scalars, "-1"))


@pytest.mark.parametrize(
    ("value", "written", "agreement"),
    [
        ("2.75", "2.75", Agreement.EXACT),
        ("2.75", "2.750", Agreement.EXACT),
        ("2.75", "2.8", Agreement.ROUNDED),
        ("2.75", "2.7", Agreement.ROUNDED),  # a tie rounds either way
        ("2.76", "2.7", Agreement.LAST_DIGIT),
        ("2.76", "2.6", Agreement.WRONG),
        ("2.7", "2.75", Agreement.WRONG),  # ends within the digits shown: nothing to round
        ("2.7", "2.71", Agreement.WRONG),
        ("1/3", "0.33", Agreement.ROUNDED),
        ("1/3", "0.34", Agreement.LAST_DIGIT),
        ("1/3", "0.35", Agreement.WRONG),
        ("1/3", "1/3", Agreement.EXACT),
        ("1/3", "2/3", Agreement.WRONG),
        ("0.4", "0", Agreement.WRONG),  # an integer is exact
        ("-0.05", "-0.1", Agreement.ROUNDED),
    ],
)
def test_agreement(scalars: ExactScalars, value: str, written: str, agreement: Agreement) -> None:
    assert decide(number(scalars, value), Written.parse(written)) is agreement


def test_an_integer_can_be_judged_with_the_decimals_of_its_neighbours(scalars: ExactScalars) -> None:
    assert decide(number(scalars, "0.996"), Written.parse("1"), decimals=2) is Agreement.ROUNDED
    assert decide(number(scalars, "0.996"), Written.parse("1")) is Agreement.WRONG


@given(st.fractions(max_denominator=10**6), st.integers(1, 12))
def test_what_is_certified_agrees(value: Fraction, digits: int) -> None:
    element = ExactScalars().number(value)
    printed = certify(element, digits)
    assert decide(element, Written.parse(printed.plain), decimals=Written.parse(printed.plain).decimals) in (
        Agreement.EXACT,
        Agreement.ROUNDED,
    )


@given(
    st.fractions(min_value=-30, max_value=30, max_denominator=1000),
    st.sampled_from(["exp", "sin", "cos", "tanh", "sigmoid", "erf"]),
)
def test_enclosures_contain_the_value_and_shrink(value: Fraction, name: str) -> None:
    element = ExactScalars().function(name, ExactScalars().number(value))  # type: ignore[arg-type]
    with mpmath.workdps(80):
        x = mpmath.mpf(value.numerator) / value.denominator
        truth = 1 / (1 + mpmath.exp(-x)) if name == "sigmoid" else getattr(mpmath, name)(x)
        wide, narrow = bounds(element, 64), bounds(element, 200)
        assert wide is not None
        assert narrow is not None
        slack = mpmath.mpf(10) ** -75
        for low, high in (wide, narrow):
            assert mpmath.mpf(low.numerator) / low.denominator <= truth + slack
            assert truth - slack <= mpmath.mpf(high.numerator) / high.denominator
        assert narrow[1] - narrow[0] <= wide[1] - wide[0]


@pytest.mark.parametrize(
    ("value", "text"), [("1/8", "0.125"), ("1/3", None), ("-5/2", "-2.5"), ("100", "100"), ("7/125", "0.056")]
)
def test_exact_decimals(value: str, text: str | None) -> None:
    assert exact_decimal(Fraction(value)) == text


def test_powers_have_a_cap(scalars: ExactScalars) -> None:
    with pytest.raises(LimitError):
        scalars.power(number(scalars, "3"), Fraction(10**6))
    with pytest.raises(LimitError):
        scalars.power(number(scalars, str(10**300)), Fraction(900))
