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
    A 0 without a radius is 0.
    """
    from numpy import broadcast_to, floor, isfinite, log10, maximum, rint, where

    if digits > MOST_DIGITS:
        return [None] * int(balls.high.size)
    high = balls.high
    low = high * 0 if balls.low is None else balls.low
    radius = broadcast_to(high * 0 if balls.radius is None else balls.radius, high.shape)
    is_open = ~(isfinite(high) & isfinite(low) & isfinite(radius)) | (high == 0)
    size = where(is_open, 1.0, abs(high))
    power = floor(log10(size)).astype(int)  # a guess: n has to have the digits that it promises
    is_plain = (power >= PLAIN_FROM) & (power <= PLAIN_TO)
    shown = where(is_plain, maximum(power + 2, digits), max(digits, 2))
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
    is_nothing = (high == 0) & (low == 0) & (radius == 0)
    texts: list[str | None] = ["0" if nothing else None for nothing in is_nothing.ravel().tolist()]
    is_plain, is_open, whole, places = (part.ravel() for part in (is_plain, is_open, whole, places))
    for count in sorted(set(places[is_plain & ~is_open].tolist())):
        chosen = (is_plain & ~is_open & (places == count)).nonzero()[0]
        for place, text in zip(chosen.tolist(), _plain(whole[chosen], count), strict=True):
            texts[place] = text
    for place in (~is_plain & ~is_open).nonzero()[0].tolist():
        texts[place] = laid_out(int(whole[place]), int(places[place]), digits).plain
    return texts


def _plain(whole: Any, places: int) -> list[str]:
    """whole·10^-places with so many decimals: the quotient is off by less than an eighth of the last one's unit."""
    numbers = (whole / 10.0**places).tolist()
    return (f"%.{places}f " * len(numbers) % tuple(numbers)).split()


def _powers() -> Any:
    from numpy import array

    return array([float(10**place) for place in range(MOST_PLACES + 1)])
