"""Numbers as written: value, digits shown, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symtrans.errors import LimitError, UsageError
from symtrans.exact.written import Written


@pytest.mark.parametrize(
    ("text", "value", "decimals", "is_integer"),
    [
        ("0.1", Fraction(1, 10), 1, False),
        ("2.0", Fraction(2), 1, False),
        ("2", Fraction(2), 0, True),
        ("2.", Fraction(2), 0, False),
        (".5", Fraction(1, 2), 1, False),
        ("-2", Fraction(-2), 0, True),
        ("−0.25", Fraction(-1, 4), 2, False),
        ("+7", Fraction(7), 0, True),
        ("-0.00", Fraction(0), 2, False),
        ("1/3", Fraction(1, 3), None, False),
        ("-6/4", Fraction(-3, 2), None, False),
        ("1.2e-3", Fraction(12, 10000), 4, False),
        ("6.54103e-7", Fraction(654103, 10**12), 12, False),
        ("5E2", Fraction(500), -2, False),
        ("1.25e1", Fraction(25, 2), 1, False),
        (" 3.5 ", Fraction(7, 2), 1, False),
    ],
)
def test_value_and_digits(text: str, value: Fraction, decimals: int | None, is_integer: bool) -> None:
    written = Written.parse(text)
    assert (written.value, written.decimals, written.is_integer) == (value, decimals, is_integer)
    assert written.text == text


@pytest.mark.parametrize(
    "text", ["", ".", "-", "e5", "1e", "1/0", "1/-2", "1,5", "1.2.3", "0x10", "٣", "1/٣", "1 2", "nan", "inf", "1_000"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="numbers are written"):
        Written.parse(text)


@pytest.mark.parametrize("text", ["1" * 401, "0." + "3" * 400, "1e4001", "1e-4001", "1e99999999999"])
def test_digits_and_exponents_are_capped(text: str) -> None:
    with pytest.raises(LimitError):
        Written.parse(text)


def test_the_caps_let_long_numbers_through() -> None:
    assert Written.parse("9" * 400).value == 10**400 - 1
    assert Written.parse("1e-400").decimals == 400
