"""Printed digits are proven and written numbers judged; every expectation is worked out by hand or by mpmath."""

from __future__ import annotations

import decimal
import time
from fractions import Fraction

import flint
import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symtrans.errors import LimitError, Undecided
from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element
from symtrans.exact.rounding import Agreement, Printed, _rounded_ball, certify, certify_beyond, decide, exact_decimal
from symtrans.exact.written import Written

EXACT, ROUNDED, LAST, WRONG, OPEN = Agreement


def rational(value: str | Fraction | int) -> Element:
    return ExactScalars().number(Fraction(value))


def weights(*rows: tuple[str, str]) -> list[Element]:
    """The first softmax weight of each row, in one field."""
    exact = ExactScalars()
    return [exact.softmax([exact.number(Fraction(logit)) for logit in row])[0] for row in rows]


def loss(*rows: tuple[str, str]) -> Element:
    a, b = weights(*rows)
    return (488 * a * a - 1596 * a + 488 * b * b - 1556 * b + 2595) * Fraction(1, 100)


def near(value: str, offset: str) -> Element:
    """`value` + `offset`·e^-30, let-bound: a number that is not rational and as near as one likes."""
    exact = ExactScalars()
    return exact.function("exp", exact.number(Fraction(-30))) * Fraction(offset) + Fraction(value)


UNSCALED = (("11.92", "26.16"), ("25.84", "56.72"))
SCALED = (("5.96", "13.08"), ("12.92", "28.36"))


# --- printing


def test_the_hand_worked_losses_to_twelve_decimals() -> None:
    assert certify(loss(*UNSCALED), 14) == Printed("25.949989560514", None, False)
    assert certify(loss(*SCALED), 14) == Printed("25.937102635069", None, False)


def test_small_weights_are_printed_with_a_power_of_ten() -> None:
    a, b = weights(*UNSCALED)
    assert certify(a, 6) == Printed("6.54103", -7, False)
    assert certify(a, 6).plain == "6.54103e-7"
    assert certify(a, 24).text == "6.54103229872535324619511"
    assert certify(b, 30) == Printed("3.88138210143382071988317132647", -14, False)
    assert certify(-b, 3) == Printed("-3.88", -14, False)
    assert certify(1 - a, 6) == Printed("0.999999", None, False)
    assert certify(1 - a, 9) == Printed("0.999999346", None, False)
    assert certify(1 - b, 6) == Printed("1.00000", None, False)


@pytest.mark.parametrize(
    ("value", "digits", "printed"),
    [
        ("1/3", 6, Printed("0.333333", None, False)),
        ("-2/3", 6, Printed("-0.666667", None, False)),
        ("200/3", 4, Printed("66.67", None, False)),
        ("1/30000", 3, Printed("3.33", -5, False)),
        ("1/3000", 3, Printed("0.000333", None, False)),
        ("0", 6, Printed("0", None, True)),
        ("2.50", 6, Printed("2.5", None, True)),
        ("-17", 6, Printed("-17", None, True)),
        ("0.0000005", 6, Printed("5", -7, True)),
        ("1200000000000000000000", 6, Printed("1.2", 21, True)),
        ("1000000000000000000000", 6, Printed("1", 21, True)),
        ("120000", 2, Printed("120000", None, True)),
        ("11", 1, Printed("11", None, True)),
        ("11.5", 1, Printed("11.5", None, True)),
        # Rounded: a decimal is shown even where the digits are used up by the whole part.
        ("123456.78", 3, Printed("123456.8", None, False)),
        ("2000/3", 2, Printed("666.7", None, False)),
        ("1/30000", 1, Printed("3.3", -5, False)),
        # Over a power of ten, in both forms.
        ("9.9999995", 7, Printed("10.00000", None, False, tie=True)),
        ("9.9999994", 7, Printed("9.999999", None, False)),
        ("-99.999", 3, Printed("-100.0", None, False)),
        ("0.99996", 4, Printed("1.000", None, False)),
        ("0.0000099996", 4, Printed("1.000", -5, False)),
        ("0.000099996", 4, Printed("0.0001000", None, False)),
        ("9999999999999999.96", 4, Printed("1.000", 16, False)),
        # Ties go to the even digit and say so.
        ("0.125", 2, Printed("0.12", None, False, tie=True)),
        ("0.375", 2, Printed("0.38", None, False, tie=True)),
        ("-2.5e-7", 1, Printed("-2.5", -7, True)),
        ("0.1250001", 2, Printed("0.13", None, False)),
    ],
)
def test_rationals(value: str, digits: int, printed: Printed) -> None:
    assert certify(rational(value), digits) == printed


@pytest.mark.parametrize(
    ("value", "offset", "digits", "text"),
    [
        # e^-30 = 9.36e-14, so that these lie on either side of what they are compared with.
        ("9.9999995", "1", 7, "10.00000"),
        ("9.9999995", "-1", 7, "9.999999"),
        ("10", "1", 7, "10.00000"),
        ("10", "-1", 7, "10.00000"),
        ("10", "-1", 13, "10.00000000000"),
        ("10", "-1", 14, "9.9999999999999"),
        ("-10", "1", 14, "-9.9999999999999"),
        ("1.5", "1", 1, "1.5"),
        ("0.125", "1", 2, "0.13"),
        ("0.125", "-1", 2, "0.12"),
        ("-0.125", "1", 2, "-0.12"),
        ("0.0001", "-1", 4, "0.0001000"),
        ("0.0001", "1", 4, "0.0001000"),
        ("123456", "1", 6, "123456.0"),
        ("1000000", "-1", 6, "1000000.0"),
    ],
)
def test_let_bound_values_next_to_a_boundary(value: str, offset: str, digits: int, text: str) -> None:
    assert certify(near(value, offset), digits) == Printed(text, None, False)


@given(st.integers(-4000, 4000), st.integers(1, 40), st.integers(-6, 6))
def test_digits_against_mpmath(top: int, digits: int, power: int) -> None:
    exact = ExactScalars()
    value = exact.function("exp", exact.number(Fraction(top, 100))) * Fraction(10) ** power
    if value.is_rational:
        return
    printed = certify(value, digits)
    with mpmath.workdps(120):
        truth = decimal.Decimal(mpmath.nstr(mpmath.exp(mpmath.mpf(top) / 100) * mpmath.mpf(10) ** power, 100))
    shown = decimal.Decimal(printed.plain)
    with decimal.localcontext(prec=110):
        unit = decimal.Decimal(1).scaleb(int(shown.as_tuple().exponent))
        assert abs(shown - truth) <= unit / 2
    assert len(printed.text.replace(".", "").lstrip("0")) >= digits


@given(st.fractions(max_denominator=10**6), st.integers(1, 20))
def test_what_is_printed_is_accepted(value: Fraction, digits: int) -> None:
    """What one stream prints, the other must not refuse."""
    printed = certify(rational(value), digits)
    assert decide(rational(value), Written.parse(printed.plain)) is (EXACT if printed.exact else ROUNDED)
    shifted = near(str(value), "1/7")
    assert decide(shifted, Written.parse(certify(shifted, digits).plain)) is ROUNDED
    mantissa = certify(shifted, digits)
    assert decide(shifted, Written.parse(mantissa.text), exponent=mantissa.exponent or 0) is ROUNDED


def test_enormous_and_tiny_values_are_printed_quickly() -> None:
    exact = ExactScalars()
    start = time.monotonic()
    tiny = exact.softmax([exact.number(Fraction(n)) for n in (1, 2, -(10**9))])[2]
    assert certify(tiny, 3).exponent == -434294483  # (-1e9 - 2.31…)/ln 10 = -434294482.9…
    with mpmath.workdps(60):
        logarithm = (mpmath.mpf(-(10**9)) - mpmath.log(mpmath.exp(1) + mpmath.exp(2))) / mpmath.log(10)
        power = int(mpmath.floor(logarithm))
        assert certify(tiny, 10) == Printed(mpmath.nstr(10 ** (logarithm - power), 10), power, False)
    assert time.monotonic() - start < 10


def test_an_unsure_power_of_ten_asks_for_more_bits() -> None:
    power = 10**12
    with flint.ctx.workprec(400):
        value = flint.arb(10) ** power * (1 + flint.fmpq(1, 10**8))
    assert _rounded_ball(value, 10, 64) is None  # its logarithm is power + 4e-9, give or take 1e-7
    assert _rounded_ball(value, 10, 200) == Printed("1.000000010", power, False)


def test_what_is_written_with_symbols_and_cancels_is_rational() -> None:
    a, b = weights(*UNSCALED)
    assert certify((1 - a) + a, 6) == Printed("1", None, True)
    assert certify(a * b - b * a, 6) == Printed("0", None, True)
    inverse = ExactScalars(a._field)
    total = a + b + 1
    hidden = inverse.divide(a, total) + inverse.divide(b + 1, total) - 1
    assert certify(hidden, 6) == Printed("0", None, True)


def test_a_near_cancellation_is_resolved() -> None:
    a, b = weights(*UNSCALED)
    # b·(a + b - a - b·(1 - 10^-20)) = 10^-20·b²
    value = b * (a + b - a - b * (1 - Fraction(1, 10**20)))
    with mpmath.workdps(60):
        truth = mpmath.mpf(10) ** -20 / (1 + mpmath.exp(mpmath.mpf(772) / 25)) ** 2
        assert certify(value, 12).plain == mpmath.nstr(truth, 12)
    power = a**4 - Fraction("0.000000654103229872535324619511402463") ** 4
    with mpmath.workdps(90):
        alpha = 1 / (1 + mpmath.exp(mpmath.mpf(356) / 25))
        truth = alpha**4 - mpmath.mpf("0.000000654103229872535324619511402463") ** 4
        assert certify(power, 8).plain == mpmath.nstr(truth, 8, strip_zeros=False)


def hidden_zero() -> Element:
    """log 6 - log 2 - log 3: zero, but by no identity that is known here."""
    exact = ExactScalars()
    six, two, three = (exact.function("log", exact.number(Fraction(n))) for n in (6, 2, 3))
    return six - two - three


def test_a_zero_that_is_no_identity_is_never_guessed() -> None:
    start = time.monotonic()
    with pytest.raises(Undecided, match="not decided"):
        certify(hidden_zero(), 6)
    # A tie that no precision tells from one side of it: a digit more is proven, the two asked for are not.
    assert certify(hidden_zero() + Fraction("0.125"), 2).plain == "0.125"
    assert decide(hidden_zero(), Written.parse("0")) is OPEN
    assert decide(hidden_zero() + Fraction(1, 3), Written.parse("1/3")) is OPEN
    assert decide(hidden_zero() + Fraction("0.125"), Written.parse("0.12")) is OPEN
    assert time.monotonic() - start < 10


def test_too_many_digits_are_refused() -> None:
    for digits in (0, -1, 1001):
        with pytest.raises(LimitError):
            certify(rational(1), digits)
    assert len(certify(weights(*UNSCALED)[0], 1000).text) == 1001


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1/8", "0.125"),
        ("-3/2", "-1.5"),
        ("7", "7"),
        ("100", "100"),
        ("0", "0"),
        ("1/3", None),
        ("7/30", None),
        ("-1/400", "-0.0025"),
    ],
)
def test_exact_decimals(value: str, text: str | None) -> None:
    assert exact_decimal(Fraction(value)) == text


def test_exact_decimals_have_a_cap() -> None:
    assert exact_decimal(Fraction(1, 2**1001)) is None
    assert exact_decimal(Fraction(2**10000)) is None


# --- judging


@pytest.mark.parametrize(
    ("value", "written", "agreement"),
    [
        ("2.7", "2.7", EXACT),
        ("2.7", "2.70", EXACT),
        ("3.7", "2.7", WRONG),
        ("1/3", "1/3", EXACT),
        ("1/3", "2/6", EXACT),
        ("1/3", "33/100", WRONG),
        ("0.25", "1/4", EXACT),
        ("1/3", "0.33", ROUNDED),
        ("1/3", "0.34", LAST),  # 0.67 units off
        ("2/3", "0.66", LAST),  # cut off instead of rounded
        ("2/3", "0.67", ROUNDED),
        ("2/3", "0.65", WRONG),
        ("1/3", "0.32", WRONG),
        ("-2/3", "-0.67", ROUNDED),
        ("-2/3", "0.67", WRONG),
        # Ties either way, and not a hair further.
        ("0.125", "0.12", ROUNDED),
        ("0.125", "0.13", ROUNDED),
        ("0.1250001", "0.12", LAST),
        ("0.1249999", "0.13", LAST),
        ("0.125", "0.14", WRONG),
        # What ends within the digits shown needs no rounding.
        ("0.12", "0.13", WRONG),
        ("0.1", "0.10", EXACT),
        ("0.1", "0.11", WRONG),
        ("0.11", "0.1", ROUNDED),
        ("0.19", "0.1", LAST),
        ("2", "2.1", WRONG),
        ("2", "1.9", WRONG),
        # A number without a point is exact.
        ("2", "2", EXACT),
        ("2.1", "2", WRONG),
        ("0.57612", "1", WRONG),
        ("2.1", "2.", ROUNDED),
        # Powers of ten: the last digit written is the unit.
        ("0.000000654103", "6.54e-7", ROUNDED),
        ("0.000000654103", "6.55e-7", LAST),
        ("0.000000654103", "6.56e-7", WRONG),
        ("1234", "1.2e3", ROUNDED),
        ("1200", "1.2e3", EXACT),
        ("1200", "1.3e3", WRONG),
        ("0", "0.00", EXACT),
        ("0.001", "0.00", ROUNDED),
        ("-0.001", "-0.00", ROUNDED),
    ],
)
def test_rationals_are_judged(value: str, written: str, agreement: Agreement) -> None:
    assert decide(rational(value), Written.parse(written)) is agreement


@pytest.mark.parametrize(
    ("value", "offset", "written", "agreement"),
    [
        ("1/3", "0", "0.33", ROUNDED),
        ("0.125", "1", "0.12", LAST),
        ("0.125", "1", "0.13", ROUNDED),
        ("0.125", "-1", "0.12", ROUNDED),
        ("0.125", "-1", "0.13", LAST),
        ("0.12", "1", "0.12", ROUNDED),
        ("0.12", "1", "0.13", LAST),
        ("0.12", "-1", "0.13", WRONG),
        ("0.12", "1", "0.11", WRONG),
        ("0.12", "-1", "0.11", LAST),
        ("-0.12", "1", "-0.13", WRONG),
        ("2", "1", "2", WRONG),
        ("2", "1", "2.0", ROUNDED),
        ("1/3", "1", "1/3", WRONG),
        ("0", "1", "0.000000000000", ROUNDED),
        ("0", "1", "0.0000000000000", LAST),
        ("0", "1", "0.00000000000009", ROUNDED),
        ("0", "1", "9.4e-14", ROUNDED),
        ("0", "1", "9.3e-14", LAST),
        ("0", "1", "9.2e-14", WRONG),
    ],
)
def test_let_bound_values_are_judged(value: str, offset: str, written: str, agreement: Agreement) -> None:
    assert decide(near(value, offset), Written.parse(written)) is agreement


@pytest.mark.parametrize(
    ("value", "sign", "agreement"),
    [("0.125", 1, LAST), ("0.125", -1, ROUNDED), ("0.13", 1, WRONG), ("0.13", -1, LAST), ("0.12", 1, ROUNDED)],
)
def test_boundaries_are_told_apart_however_near_the_value_is(value: str, sign: int, agreement: Agreement) -> None:
    exact = ExactScalars()
    tiny = exact.function("exp", exact.number(Fraction(-500)))  # e^-500 = 7e-218: 64 bits do not see it
    assert decide(tiny * sign + Fraction(value), Written.parse("0.12")) is agreement


def test_an_integer_among_decimals_is_judged_as_one() -> None:
    third = rational("199/100")
    assert decide(third, Written.parse("2")) is WRONG
    assert decide(third, Written.parse("2"), decimals=0) is ROUNDED
    assert decide(third, Written.parse("2"), decimals=1) is ROUNDED
    assert decide(third, Written.parse("2"), decimals=2) is WRONG  # 1.99 ends within two decimals
    assert decide(rational("1.9951"), Written.parse("2"), decimals=2) is ROUNDED
    assert decide(rational("1.9951"), Written.parse("2.0"), decimals=4) is ROUNDED  # only for a number without a point
    assert decide(near("2", "1"), Written.parse("2"), decimals=3) is ROUNDED
    assert decide(rational("1/3"), Written.parse("33/100"), decimals=2) is WRONG


def test_a_power_of_ten_beside_the_number_moves_its_unit() -> None:
    assert decide(rational("0.0012345"), Written.parse("1.23"), exponent=-3) is ROUNDED
    assert decide(rational("0.0012345"), Written.parse("1.24"), exponent=-3) is LAST
    assert decide(rational("1234.5"), Written.parse("1.2"), exponent=3) is ROUNDED
    assert decide(weights(*UNSCALED)[0], Written.parse("6.54103"), exponent=-7) is ROUNDED
    assert decide(rational("0.007"), Written.parse("7"), exponent=-3) is EXACT
    with pytest.raises(LimitError):
        decide(rational(1), Written.parse("1"), exponent=10**9)


def test_a_mask_is_no_number_that_can_be_written() -> None:
    assert decide(ExactScalars().minus_infinity(), Written.parse("0.0")) is WRONG


def test_an_identity_behind_inverses_is_found() -> None:
    exact = ExactScalars()
    a = exact.softmax([exact.number(Fraction(n)) for n in (0, 1)])[0]
    total = a + 2
    value = exact.divide(a, total) + exact.divide(exact.number(Fraction(2)), total)
    assert decide(value, Written.parse("1")) is EXACT
    assert decide(value + Fraction(1, 2), Written.parse("3/2")) is EXACT
    assert decide(value, Written.parse("2")) is WRONG


@pytest.mark.parametrize(
    ("value", "digits", "told"),
    [("2155.25", 1, "2155.25"), ("1234567890.25", 6, "1234567890.25"), ("-0.125", 2, "-0.125")],
)
def test_a_middle_of_a_number_with_a_long_whole_part_shows_more_than_that_part(
    value: str, digits: int, told: str
) -> None:
    """2155.25 shows 2155.2 or 2155.3 at every number of digits up to five: the first that tells more is six."""
    with flint.ctx.workprec(256):
        ball = flint.arb(flint.fmpq(*Fraction(value).as_integer_ratio()), 1e-60)
    assert _rounded_ball(ball, digits, 256) is None
    found = certify_beyond(ball, digits, 256)
    assert found is not None
    assert found.plain == told
