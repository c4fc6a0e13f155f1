"""Decimals as text: where the point stands, when a power of ten is written, which decimals are exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

MAX_PRINTED = 1000
PLAIN_FROM, PLAIN_TO = -4, 15  # decimal exponents that are printed without a power of ten


@dataclass(frozen=True, slots=True)
class Printed:
    """A decimal: digits, a power of ten or None, and whether it is the exact value.

    `tie` marks a value that lies in the middle of two decimals and was rounded to the even one.
    """

    text: str
    exponent: int | None
    exact: bool
    tie: bool = False

    @property
    def plain(self) -> str:
        """The number as plain text: `25.95`, `6.54103e-7`."""
        return self.text if self.exponent is None else f"{self.text}e{self.exponent}"


def exact_decimal(value: Fraction) -> str | None:
    """The shortest decimal that is exactly `value`, or None where none ends (or takes over 1,000 digits)."""
    rest, places = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0 and count <= MAX_PRINTED:
            rest //= prime
            count += 1
        places = max(places, count)
    if rest != 1 or places > MAX_PRINTED or value.numerator.bit_length() > 3 * MAX_PRINTED:
        return None
    return _point(value.numerator * (10**places // value.denominator), places, keep=False)


def exactly(value: Fraction, digits: int) -> Printed | None:
    """The value printed exactly, or None where that takes more than `digits` significant digits."""
    text = exact_decimal(value)
    if text is None or significant(text) > digits:
        return None
    power = magnitude(value)
    if PLAIN_FROM <= power <= PLAIN_TO:
        return Printed(text, None, True)
    mantissa = exact_decimal(value / Fraction(10) ** power)
    assert mantissa is not None
    return Printed(mantissa, power, True)


def significant(text: str) -> int:
    """How many digits of a plain decimal count: from the first that is not 0; a whole number's last zeros do not."""
    digits = text.lstrip("-").replace(".", "").lstrip("0")
    return len(digits if "." in text else digits.rstrip("0"))


def magnitude(value: Fraction) -> int:
    """The exponent e with 10^e <= |value| < 10^(e+1); 0 for 0."""
    size = abs(value)
    if not size:
        return 0
    above, below = size.numerator, size.denominator
    guess = (above.bit_length() - below.bit_length()) * 30103 // 100000
    while not _reaches(above, below, guess):
        guess -= 1
    while _reaches(above, below, guess + 1):
        guess += 1
    return guess


def _reaches(above: int, below: int, power: int) -> bool:
    """Whether a ratio is a power of ten or more."""
    unit: int = 10 ** abs(power)
    return above >= below * unit if power >= 0 else above * unit >= below


def shown_digits(power: int, digits: int) -> int:
    """How many significant digits a rounded number of this magnitude shows where `digits` are asked for.

    At least one more than its whole part needs: a rounded number without decimals would look exact.
    """
    return max(digits, power + 2) if PLAIN_FROM <= power <= PLAIN_TO else max(digits, 2)


def laid_out(whole: int, places: int, digits: int, tie: bool = False) -> Printed:
    """The rounded number whole·10^-places; rounding up may have given it one digit more than it shows."""
    power = len(str(abs(whole))) - 1 - places
    while power + 1 + places > shown_digits(power, digits) and whole % 10 == 0:
        whole, places = whole // 10, places - 1
    if PLAIN_FROM <= power <= PLAIN_TO:
        return Printed(_point(whole, places), None, False, tie)
    return Printed(_point(whole, power + places), power, False, tie)


def _point(whole: int, places: int, keep: bool = True) -> str:
    """An integer with its last `places` digits behind the point; trailing zeros stay with `keep`."""
    digits = str(abs(whole)).rjust(places + 1, "0")
    text = f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}" if places else digits
    if not keep and "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"-{text}" if whole < 0 else text
