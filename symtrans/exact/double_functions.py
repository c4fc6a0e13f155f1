"""Functions of double balls: the exponential and softmax in double arithmetic, the others entry by entry in Arb."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import flint

from symtrans.exact.double_balls import DoubleBalls, add, divide, multiply, root, subtract
from symtrans.exact.double_products import row_sums
from symtrans.exact.doubles import TINY, UNIT, WIDEN, two_product, two_sum, up
from symtrans.exact.enclosure import apply

STEPS = 64  # powers of two in a table: 2^(0/64), 2^(1/64), …
FARTHEST = 600.0  # the largest exponent, up or down, that is worked out
VANISHING = 2.0**-800  # above e^-599
BITS = 128  # of Arb, for a function that has no rule here
ARB_BITS = 256


@lru_cache(maxsize=1)
def _table() -> tuple[Any, Any, float, float, float]:
    """2^(j/64) as sums of two doubles, good to 2^-104; ln 2/64 as a sum of three, to 2^-122, the first two short."""
    from numpy import array

    with flint.ctx.workprec(ARB_BITS):
        highs, lows = [], []
        for place in range(STEPS):
            power = flint.arb(2) ** flint.arb(flint.fmpq(place, STEPS))
            highs.append(float(power.mid()))
            lows.append(float((power - highs[-1]).mid()))
            assert abs(power - highs[-1] - lows[-1]) < flint.arb(2) ** -104
        step = flint.arb(2).log() / STEPS
        parts: list[float] = []
        for bits in (38, 70):
            scaled = (step - sum(map(flint.arb, parts), flint.arb(0))) * flint.arb(2) ** bits
            parts.append(float(scaled.floor().mid()) * 2.0**-bits)
        parts.append(float((step - flint.arb(parts[0]) - flint.arb(parts[1])).mid()))
        assert abs(step - sum(map(flint.arb, parts), flint.arb(0))) < flint.arb(2) ** -122
    return array(highs), array(lows), parts[0], parts[1], parts[2]


def exponential(a: DoubleBalls) -> DoubleBalls:
    """e to the power of every entry; of a minus infinity that is a mask, exactly 0.

    x = k·ln2/64 + z + w with a whole k, z a double of at most 0.006 and w below 2^-40: so that
    e^x = 2^(k/64)·(1 + z + z²/2 + c + w·(1 + z + z²/2)), c = z³/6 + … + z⁸/8!. What is left out is below z⁹/9!, and
    w² + |w·z³|. k·(first part of ln2/64) and k·(second part) are exact, for k has at most 16 bits.
    """
    from numpy import inf, isfinite, ldexp, rint, where

    highs, lows, first, second, third = _table()
    is_far = ~(abs(a.high) <= FARTHEST)
    given = where(is_far, 0.0, a.high)
    count = rint(given * (64 / 0.6931471805599453))
    near, left = two_sum(given, count * -first)
    z, left_too = two_sum(near, count * -second)
    w = left + left_too
    parts = abs(left) + abs(left_too)
    if a.low is not None:
        w = w + where(is_far, 0.0, a.low)
        parts = parts + abs(a.low)
    w = w - count * third
    off = up(parts + abs(count * third)) * (8 * UNIT) + abs(count) * 2.0**-122

    squared, squared_left = two_product(z, z)
    c = (squared * z) * (1 / 6 + z * (1 / 24 + z * (1 / 120 + z * (1 / 720 + z * (1 / 5040 + z * (1 / 40320))))))
    half = squared * 0.5
    tail = w * (1 + (z + half))
    main, main_left = two_sum(z, half)
    rest = main_left + (c + (squared_left * 0.5 + tail))
    # c is off by less than 8u of itself; the other terms and their three sums by less than 8u of theirs.
    off = off * 1.01 + (abs(main_left) + abs(c) + abs(squared_left) + abs(tail)) * (16 * UNIT)
    off = off + w * w + abs(w) * abs(squared * z) + abs(squared * squared) * abs(squared * squared) * abs(z) * 3e-6
    one, one_left = two_sum(1.0, main)
    off = off + (abs(one_left) + abs(rest)) * (2 * UNIT)
    near_one = DoubleBalls(*two_sum(one, one_left + rest), up(up(off)))

    place = count.astype(int)
    power = DoubleBalls(highs[place % STEPS], lows[place % STEPS], (count * 0) + 2.0**-104)
    found = multiply(power, near_one)
    scale = ldexp(count * 0 + 1.0, place // STEPS)
    high, low, radius = found.high * scale, found.low * scale, up(found.radius * scale)
    radius = where(abs(z) < 0.006, radius, inf)  # as every x has it, if the processor rounds as it should
    if a.radius is not None:
        # e^(x ± r) is within e^x·(r + r²) of e^x for r <= 1.
        spread = up(a.radius + a.radius * a.radius)
        radius = up(radius + up(up(abs(high) + abs(low)) + radius) * spread)
        radius = where(a.radius <= 1, radius, inf)
    if is_far.any():
        is_low = (a.high < -FARTHEST) & isfinite(a.high) if a.radius is None else (a.high < -FARTHEST) & (a.radius <= 1)
        if a.is_masked:
            is_mask = (a.high == -inf) if a.low is None else (a.high == -inf) & (a.low == 0)
        else:
            is_mask = is_far & False
        high, low = where(is_far, 0.0, high), where(is_far, 0.0, low)
        radius = where(is_far, where(is_mask, 0.0, where(is_low & isfinite(a.high), VANISHING, inf)), radius)
    return DoubleBalls(high, low, radius)


def softmax(a: DoubleBalls) -> DoubleBalls:
    """The softmax of every row, each less its largest midpoint, which changes nothing and keeps all powers small."""
    from numpy import broadcast_to, inf, where

    largest = a.high.max(axis=1, keepdims=True)
    if a.is_masked:
        is_mask = (a.high == -inf) if a.low is None else (a.high == -inf) & (a.low == 0)
        lowered = subtract(DoubleBalls(where(is_mask, 0.0, a.high), a.low, a.radius), DoubleBalls(largest))
        lowered = DoubleBalls(where(is_mask, -inf, lowered.high), where(is_mask, 0.0, lowered.low), lowered.radius)
        lowered.is_masked = True
    else:
        lowered = subtract(a, DoubleBalls(largest))
    powers = exponential(lowered)
    below = row_sums(powers).parts(lambda part: broadcast_to(part, powers.shape))
    found = divide(powers, below)
    if a.is_masked:
        hidden = is_mask & (found.radius < 1)  # where all is masked there is no value
        found = DoubleBalls(found.high, found.low, where(hidden, 0.0, found.radius))
    return found


def one_more(a: DoubleBalls) -> DoubleBalls:
    """1 plus every entry."""
    return add(a, DoubleBalls(a.high * 0 + 1.0))


def sigmoid(a: DoubleBalls) -> DoubleBalls:
    """1/(1 + e^-x) of every entry."""
    powers = exponential(DoubleBalls(-a.high, None if a.low is None else -a.low, a.radius))
    return divide(DoubleBalls(a.high * 0 + 1.0), one_more(powers))


def function(name: str, a: DoubleBalls) -> DoubleBalls:
    """A function of every entry: in double arithmetic where there is a rule for it, else in Arb."""
    known = {"exp": exponential, "sqrt": root, "sigmoid": sigmoid}
    return known[name](a) if name in known else _in_arb(name, a)


def _in_arb(name: str, a: DoubleBalls) -> DoubleBalls:
    with flint.ctx.workprec(BITS):
        return from_arb([apply(name, ball) for ball in to_arb(a)], a.shape)


def from_arb(balls: Sequence[flint.arb], shape: tuple[int, ...]) -> DoubleBalls:
    """Balls of Arb by rows as balls of doubles that contain them."""
    from numpy import array

    with flint.ctx.workprec(BITS):
        parts = [_parts(ball) for ball in balls]
    found = DoubleBalls(*(array(column).reshape(shape) for column in zip(*parts, strict=True)))
    found.is_masked = any(ball == flint.arb.neg_inf() for ball in balls)
    return found


def to_arb(a: DoubleBalls) -> list[flint.arb]:
    """Balls of Arb at the present precision that contain these, by rows; NaN for one of which nothing is known."""
    from numpy import broadcast_to, inf, isfinite

    radius = 0.0 if a.radius is None else a.radius
    low = 0.0 if a.low is None else a.low
    is_known = isfinite(a.high) & isfinite(low) & isfinite(radius)
    is_hidden = (a.high == -inf) & (low == 0) & (radius == 0) & a.is_masked
    columns = (broadcast_to(part, a.shape).ravel().tolist() for part in (a.high, low, radius, is_known, is_hidden))
    return [
        flint.arb(high, reach) + flint.arb(rest) if known else flint.arb.neg_inf() if hidden else flint.arb.nan()
        for high, rest, reach, known, hidden in zip(*columns, strict=True)
    ]


def _parts(ball: flint.arb) -> tuple[float, float, float]:
    """A ball of Arb as two doubles and a radius; the conversions' own roundings are within the radius."""
    if not ball.is_finite():
        return (-math.inf, 0.0, 0.0) if ball == flint.arb.neg_inf() else (0.0, 0.0, math.inf)
    high = float(ball.mid())
    rest = ball - high
    low = float(rest.mid())
    total, left = high + low, low - ((high + low) - high)
    off = abs(rest - low).upper()
    return total, left, 0.0 if off.is_zero() else float(off) * WIDEN + TINY
