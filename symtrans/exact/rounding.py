"""Roundings that are proven: the digits of an exact value, and a written number judged against it."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

import flint

from symtrans.errors import LimitError, Undecided
from symtrans.exact.decimals import (
    MAX_PRINTED,
    PLAIN_TO,
    Printed,
    exact_decimal,
    exactly,
    laid_out,
    magnitude,
    shown_digits,
)
from symtrans.exact.enclosure import MOST_BITS, enclose, point, precisions
from symtrans.exact.field import Element
from symtrans.exact.sign import PATIENCE, equal, is_zero_by_identity, shortened
from symtrans.exact.written import MAX_EXPONENT, Written

__all__ = ["Agreement", "Printed", "certify", "decide", "equal", "exact_decimal"]

HALF = flint.fmpq(1, 2)
MOST_BITS_ENCLOSED = 1 << 11  # for a value that is known by its enclosures: every precision carries all of it out again

MORE_DIGITS = 4  # beyond those asked for, of a value that seems to lie in the middle: 1.25 where 1 digit is asked


class Agreement(Enum):
    """How a written number stands to an exact value."""

    EXACT = "equal"
    ROUNDED = "a right rounding to the digits written"
    LAST_DIGIT = "within one unit of the last digit written"
    WRONG = "further off than one unit of the last digit, or a rounding where nothing needs one"
    UNDECIDED = "not settled within the precision cap"


def certify(element: Element, digits: int) -> Printed:
    """The value to `digits` significant digits, rounded correctly, every digit proven.

    A rational that ends within the digits shown is printed exactly; one in the middle between
    two decimals goes to the even one and says so (`tie`). A rounded number shows at least one
    decimal, if need be beyond `digits`. A value that is known by its enclosures only and does not
    leave zero at PATIENCE bits is printed as zero to `digits` decimals, which it is proven to round
    to. One that no precision moves from the middle between two decimals, though nobody can prove it
    there, shows some digits more. Raises Undecided where the precision cap leaves a digit open even so
    (a zero that nobody can prove among them), LimitError for too many digits.
    """
    refuse_digits(digits)
    if element.infinite:
        return Printed("inf" if element.infinite > 0 else "-inf", None, True)
    if element.is_rational:
        value = element.fraction
        return exactly(value, shown_digits(magnitude(value), digits)) or _rounded(value, digits)
    for bits in precisions(3 * digits):
        found = _rounded_ball(enclose(element, bits), digits, bits)
        if found is not None:
            return found
        small = _small(enclose(element, bits), digits, bits) if element.is_enclosed else None
        if small is not None:
            return small
        if element.is_enclosed and bits >= MOST_BITS_ENCLOSED:
            break
    if is_zero_by_identity(element):
        return Printed("0", None, True)
    found = certify_beyond(enclose(element, bits), digits, bits)
    if found is None:
        raise Undecided(f"the first {digits} digits of {shortened(element)} are not decided at {MOST_BITS} bits")
    return found


def refuse_digits(digits: int) -> None:
    """LimitError for fewer digits than 1, or more than are printed."""
    if not 1 <= digits <= MAX_PRINTED:
        raise LimitError(f"{digits} digits: between 1 and {MAX_PRINTED} can be printed")


def certify_at(ball: flint.arb, digits: int, bits: int) -> Printed | None:
    """What `certify` prints of a value that is known by its enclosures, by this one, which was computed at `bits`.

    None where it would ask for more bits.
    """
    if ball == flint.arb.neg_inf() or ball == flint.arb.pos_inf():
        return Printed("-inf" if ball < 0 else "inf", None, True)
    number = point(ball)
    if number is None:
        return _rounded_ball(ball, digits, bits) or _small(ball, digits, bits)
    return exactly(number, shown_digits(magnitude(number), digits)) or _rounded(number, digits)


def certify_beyond(ball: flint.arb, digits: int, bits: int) -> Printed | None:
    """Some digits more of a value that no precision moves from the middle between two decimals, or None.

    More than are shown, that is: a number with a long whole part shows more than are asked for.
    """
    for more in range(digits + 1, min(max(digits, PLAIN_TO + 2) + MORE_DIGITS, MAX_PRINTED) + 1):
        found = _rounded_ball(ball, more, bits)
        if found is not None:
            return found
    return None


def _small(ball: flint.arb, digits: int, bits: int) -> Printed | None:
    """Zero to `digits` decimals, for a ball that does not leave zero at PATIENCE bits and certainly rounds to it."""
    if bits >= PATIENCE and abs(ball) * 2 * 10**digits < 1:
        return Printed("0." + "0" * digits, None, False)
    return None


def _rounded(value: Fraction, digits: int) -> Printed:
    power = magnitude(value)
    places = shown_digits(power, digits) - 1 - power
    above, below = value.numerator, value.denominator
    if places >= 0:
        above *= 10**places
    else:
        below *= 10**-places
    whole, rest = divmod(above, below)
    tie = 2 * rest == below
    whole += 2 * rest > below or (tie and whole % 2)
    return laid_out(whole, places, digits, tie=tie)


def _rounded_ball(value: flint.arb, digits: int, bits: int) -> Printed | None:
    """What every number in the ball is rounded to, or None where they do not agree."""
    if not value.is_finite() or 0 in value:
        return None
    with flint.ctx.workprec(bits):
        # Where the ball straddles a power of ten, the finer unit decides: rounding up to that power is the
        # same number in both units, and any other rounding disagrees within the ball.
        power = (abs(value).lower().log() / flint.arb(10).log()).lower().floor().unique_fmpz()
        if power is None:
            return None
        expected = shown_digits(int(power), digits)
        places = expected - 1 - int(power)
        whole = (value * flint.arb(10) ** places + HALF).floor().unique_fmpz()
    if whole is None:
        return None
    if abs(int(whole)) > 10**expected:
        return None  # the value lies above that power of ten after all, and wants the coarser unit
    return laid_out(int(whole), places, digits)


def decide(element: Element, written: Written, decimals: int | None = None, exponent: int = 0) -> Agreement:
    """How a written number, times ten to the `exponent`, stands to the value.

    A value that ends within the digits shown must be equal; any other may be rounded, at a tie
    either way. A ratio must be equal, and so must a number written without a point, unless
    `decimals` says how many decimals that one counts as showing. EXACT is said of what is proven
    equal; of a let-bound value ROUNDED is all that an enclosure proves.
    """
    if abs(exponent) > MAX_EXPONENT:
        raise LimitError(f"a power of ten with the exponent {exponent} is beyond the cap of {MAX_EXPONENT}")
    stated = written.value * Fraction(10) ** exponent
    if element.infinite:
        return Agreement.WRONG
    places = _places(written, decimals, exponent)
    if element.is_rational:
        return _decide_rational(element.fraction, stated, places)
    return _decide_enclosed(element, stated, places)


def _places(written: Written, decimals: int | None, exponent: int) -> int | None:
    """How many decimals a rounding may be judged by, or None where the number has to be equal."""
    shown = decimals if written.is_integer else written.decimals
    return None if shown is None else shown - exponent


def _decide_rational(value: Fraction, stated: Fraction, places: int | None) -> Agreement:
    if value == stated:
        return Agreement.EXACT
    if places is None or (value * Fraction(10) ** places).denominator == 1:
        return Agreement.WRONG
    units = abs(value - stated) * Fraction(10) ** places
    if units <= Fraction(1, 2):
        return Agreement.ROUNDED
    return Agreement.LAST_DIGIT if units <= 1 else Agreement.WRONG


def _decide_enclosed(element: Element, stated: Fraction, places: int | None) -> Agreement:
    """By enclosures alone.

    A value that ends within the digits shown needs no care here: it is the stated number, or at
    least one whole unit away from it.
    """
    target = flint.fmpq(stated.numerator, stated.denominator)
    scale = Fraction(10) ** (places or 0)
    unit = flint.fmpq(scale.numerator, scale.denominator)
    for bits in precisions():
        value = enclose(element, bits)
        with flint.ctx.workprec(bits):
            distance = abs(value - target) * unit
        if places is None:
            if distance > 0:
                return Agreement.WRONG
        elif distance <= HALF:
            return Agreement.ROUNDED
        elif distance > HALF and distance < 1:
            return Agreement.LAST_DIGIT
        elif distance > 1:
            return Agreement.WRONG
        if element.is_enclosed and bits >= PATIENCE:
            return Agreement.UNDECIDED
    if is_zero_by_identity(element - stated):
        return Agreement.EXACT
    return Agreement.UNDECIDED
