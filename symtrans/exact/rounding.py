"""Decimals: printed digits that are proven, and a written number judged against an exact value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from symtrans.errors import LimitError, Undecided
from symtrans.exact.enclosure import MOST_BITS, bounds
from symtrans.exact.field import Element
from symtrans.exact.sign import precisions
from symtrans.exact.written import Written

MAX_PRINTED = 1000
PLAIN_FROM, PLAIN_TO = -4, 15  # decimal exponents that are printed without a power of ten


class Agreement(Enum):
    """How a written number stands to an exact value."""

    EXACT = "equal"
    ROUNDED = "a right rounding to the digits written"
    LAST_DIGIT = "within one unit of the last digit written"
    WRONG = "further off than one unit of the last digit, or a rounding where nothing needs one"
    UNDECIDED = "not settled within the precision cap"


@dataclass(frozen=True, slots=True)
class Printed:
    """A decimal: digits, a power of ten or None, and whether it is the exact value."""

    text: str
    exponent: int | None
    exact: bool

    @property
    def plain(self) -> str:
        """The number as plain text: `25.95`, `6.54103e-7`."""
        return self.text if self.exponent is None else f"{self.text}e{self.exponent}"


def exact_decimal(value: Fraction) -> str | None:
    """The shortest decimal that is exactly `value`, or None where none ends (or takes over 1,000 digits)."""
    rest, places = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest //= prime
            count += 1
        places = max(places, count)
    if rest != 1 or places > MAX_PRINTED or value.numerator.bit_length() > 4 * MAX_PRINTED:
        return None
    return _point(int(value * 10**places), places)


def certify(element: Element, digits: int) -> Printed:
    """The value to `digits` significant digits, rounded correctly (ties to even), every digit proven.

    A rational that ends within these digits is printed exactly. Raises Undecided where the
    precision cap leaves a digit open, LimitError for too many digits.
    """
    if not 1 <= digits <= MAX_PRINTED:
        raise LimitError(f"{digits} digits: between 1 and {MAX_PRINTED} can be printed")
    if element.infinite:
        return Printed("inf" if element.infinite > 0 else "-inf", None, True)
    if element.is_rational:
        value = element.fraction
        text = exact_decimal(value)
        if (
            text is not None
            and len(text.replace(".", "").lstrip("-0")) <= digits
            and abs(_magnitude(value)) <= PLAIN_TO
        ):
            return Printed(text, None, True)
        return _printed(value, digits)
    for bits in precisions():
        if bits < 3 * digits:
            continue
        found = bounds(element, bits)
        if found is None or found[0] <= 0 <= found[1]:
            continue
        low, high = (_printed(side, digits) for side in found)
        if low == high:
            return low
    raise Undecided(f"{element}: its first {digits} digits are not decided at {MOST_BITS} bits")


def decide(element: Element, written: Written, decimals: int | None = None) -> Agreement:
    """How a written number stands to the value; `decimals` overrides how many it counts as showing.

    A value that ends within the digits shown must be equal; any other may be rounded either way at
    a tie. With no decimals, or as a ratio, the number must be equal.
    """
    shown = written.decimals if decimals is None else decimals
    if element.is_rational:
        value = element.fraction
        if value == written.value:
            return Agreement.EXACT
        if (
            shown is None
            or (decimals is None and written.is_integer)
            or (value * Fraction(10) ** shown).denominator == 1
        ):
            return Agreement.WRONG
        return _by_distance(abs(value - written.value), abs(value - written.value), shown) or Agreement.WRONG
    if element.infinite:
        return Agreement.WRONG
    for bits in precisions():
        found = bounds(element, bits)
        if found is None:
            continue
        low, high = found[0] - written.value, found[1] - written.value
        nearest = Fraction(0) if low <= 0 <= high else min(abs(low), abs(high))
        farthest = max(abs(low), abs(high))
        if shown is None or (decimals is None and written.is_integer):
            if nearest > 0:
                return Agreement.WRONG
            continue
        agreement = _by_distance(nearest, farthest, shown)
        if agreement is not None:
            return agreement
    return Agreement.UNDECIDED


def _by_distance(nearest: Fraction, farthest: Fraction, decimals: int) -> Agreement | None:
    """The verdict on a distance known to lie between two bounds; None where they do not decide."""
    unit = Fraction(10) ** -decimals
    if farthest <= unit / 2:
        return Agreement.ROUNDED
    if nearest > unit / 2 and farthest <= unit:
        return Agreement.LAST_DIGIT
    return Agreement.WRONG if nearest > unit else None


def _magnitude(value: Fraction) -> int:
    """The exponent e with 10^e <= |value| < 10^(e+1); 0 for 0."""
    size = abs(value)
    if not size:
        return 0
    guess = (size.numerator.bit_length() - size.denominator.bit_length()) * 30103 // 100000
    while Fraction(10) ** guess > size:
        guess -= 1
    while Fraction(10) ** (guess + 1) <= size:
        guess += 1
    return guess


def _printed(value: Fraction, digits: int) -> Printed:
    """A rational rounded to significant digits."""
    power = _magnitude(value)
    if power < PLAIN_FROM or power > PLAIN_TO:
        whole = _round(value, digits - 1 - power)
        if len(str(abs(whole))) > digits:  # 9.9999996 becomes 10.0000
            power, whole = power + 1, _round(value, digits - 2 - power)
        return Printed(_point(whole, digits - 1, keep=True), power, False)
    places = max(digits - 1 - power, 1)  # a rounded number shows a decimal, or it would look exact
    whole = _round(value, places)
    if places > 1 and len(str(abs(whole))) > digits and abs(whole) == 10**digits:
        places, whole = places - 1, whole // 10
    return Printed(_point(whole, places, keep=True), None, False)


def _round(value: Fraction, places: int) -> int:
    return round(value * Fraction(10) ** places)


def _point(whole: int, places: int, keep: bool = False) -> str:
    """An integer with its last `places` digits behind the point; trailing zeros stay with `keep`."""
    digits = str(abs(whole)).rjust(places + 1, "0")
    text = f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}" if places else digits
    if not keep and "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"-{text}" if whole < 0 else text
