"""Decimals of double balls: which roundings a ball decides, for all entries at once, and their text."""

from __future__ import annotations

from typing import Any

from symtrans.exact.decimals import PLAIN_FROM, PLAIN_TO, laid_out
from symtrans.exact.double_balls import DoubleBalls
from symtrans.exact.doubles import TINY, UNIT, two_product

MOST_PLACES = 22  # powers of ten up to which doubles hold them exactly
MOST_DIGITS = 14  # so that a scaled value is below 2^50 and its nearest whole number a double


def decided(balls: DoubleBalls, digits: int) -> list[str | None]:
    """Every entry to `digits` significant digits as `certify` prints it, by rows; None where its ball leaves it open.

    Decided is an entry of which every number in the ball rounds to the same decimal without being that decimal: with
    s = 10^places, n the whole number nearest to s·value and d = s·value - n, certainly 0 < |d| < 1/2; and n is no
    power of ten, so that the value has the magnitude that the places were chosen for. `certify` says the same of it.
    """
    from numpy import broadcast_to, floor, isfinite, log10, rint, where

    if digits > MOST_DIGITS:
        return [None] * int(balls.high.size)
    high = balls.high
    low = high * 0 if balls.low is None else balls.low
    radius = broadcast_to(high * 0 if balls.radius is None else balls.radius, high.shape)
    is_open = ~(isfinite(high) & isfinite(low) & isfinite(radius)) | (high == 0)
    size = where(is_open, 1.0, abs(high))
    power = floor(log10(size)).astype(int)  # a guess: n has to have the digits that it promises
    is_plain = (power >= PLAIN_FROM) & (power <= PLAIN_TO)
    shown = where(is_plain & (power + 2 > digits), power + 2, max(digits, 2) if digits < 2 else digits)
    places = shown - 1 - power
    is_open |= (places < 0) | (places > MOST_PLACES) | (shown > MOST_DIGITS)
    scale = _powers()[where(is_open, 0, places)]
    product, left = two_product(where(is_open, 0.0, high), scale)
    whole = rint(product)
    apart = product - whole  # exact: both are below 2^50, and no further apart than 1/2
    more = left + where(is_open, 0.0, low) * scale
    distance = abs(apart + more)
    off = where(is_open, 1.0, radius) * scale
    off = (off + (abs(left) + abs(more) + distance) * (8 * UNIT)) * (1 + 2.0**-40) + TINY
    is_open |= ~((distance + off < 0.4999999999) & (distance > off * 1.0000000001))
    limits = _powers()[shown.clip(0, MOST_PLACES)]
    is_open |= ~((abs(whole) < limits) & (abs(whole) > limits / 10))
    columns = (part.ravel().tolist() for part in (is_open, whole, places, power))
    return [
        None if unknown else _text(int(n), count, exponent, digits)
        for unknown, n, count, exponent in zip(*columns, strict=True)
    ]


def _text(whole: int, places: int, power: int, digits: int) -> str:
    """whole·10^-places; in the common case of a number below 1 or of few digits, without a detour."""
    if PLAIN_FROM <= power <= PLAIN_TO and whole % 10:
        figures = str(abs(whole)).rjust(places + 1, "0")
        sign = "-" if whole < 0 else ""
        return f"{sign}{figures[:-places]}.{figures[-places:]}" if places else f"{sign}{figures}"
    return laid_out(whole, places, digits).plain


def _powers() -> Any:
    from numpy import array

    return array([float(10**place) for place in range(MOST_PLACES + 1)])
