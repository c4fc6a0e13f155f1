"""A binary floating-point number as the dyadic rational that it is, digit for digit: nothing is rounded."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from symtrans.errors import UsageError
from symtrans.exact.decimals import exactly
from symtrans.exact.written import Written

LONGEST_DECIMAL = 17  # significant digits up to which a dyadic rational is written as its decimal


def dyadic(value: float) -> Written:
    """The number that a float is: `0.5` as 0.5, `0.1` as 3602879701896397/36028797018963968.

    A whole number is itself. UsageError for infinity, for what is not a number, and for a number
    below the smallest that a double holds with all its bits.
    """
    if isinstance(value, int):
        return Written(str(value), Fraction(value), 0)
    if not math.isfinite(value):
        raise UsageError(f"{value} is no finite number; a finite float is expected")
    if value and abs(value) < sys.float_info.min:
        raise UsageError(f"{value!r} is subnormal; zero or a float of full precision is expected")
    exact = Fraction(value)
    printed = exactly(exact, LONGEST_DECIMAL)
    if printed is None:
        return Written(f"{exact.numerator}/{exact.denominator}", exact, None)
    text = printed.plain if "." in printed.text else f"{printed.plain}.0" if printed.exponent is None else printed.plain
    return Written(text, exact, Written.parse(text).decimals)
