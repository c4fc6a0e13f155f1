"""Balls in double arithmetic: arrays of midpoints, each an unevaluated sum of two doubles, with proven radii.

The first gear of certified numbers: an entry's true value is within `radius` of high + low. An entry of which
nothing is known has an infinite radius or NaN, and stays so. See `exact.doubles` for what is taken for granted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from math import log2
from typing import Any

from symtrans.exact.doubles import TINY, UNIT, WIDEN, two_product, two_sum, up
from symtrans.exact.floats import Floats

SMALLEST_DIVISOR = 2.0**-100  # below, underflow in a remainder would count


class DoubleBalls:
    """A matrix, or a scalar, of balls.

    * `high`, `low`, `radius`: float64 arrays of one shape; `low` and `radius` are None where all are 0. Everywhere
      |low| <= u·|high|, as two_sum leaves it, so that high alone has the midpoint's sign.
    * `is_ones`: every entry is exactly 1, so that a product with it is a sum or a repetition.
    * `is_masked`: some entries may be minus infinity, exactly.
    """

    __slots__ = ("high", "is_masked", "is_ones", "low", "memo", "radius")

    def __init__(
        self, high: Any, low: Any = None, radius: Any = None, *, is_ones: bool = False, is_masked: bool = False
    ) -> None:
        self.high = high
        self.low = low
        self.radius = radius
        self.is_ones = is_ones
        self.is_masked = is_masked
        self.memo: dict[Any, Any] = {}  # what products have worked out of this operand

    @property
    def shape(self) -> tuple[int, ...]:
        """(rows, columns), or () for a scalar."""
        return tuple(self.high.shape)

    def parts(self, function: Callable[[Any], Any]) -> DoubleBalls:
        """The same rearrangement of all parts: a view, a slice, a transpose."""
        low, radius = (None if part is None else function(part) for part in (self.low, self.radius))
        return DoubleBalls(function(self.high), low, radius, is_ones=self.is_ones, is_masked=self.is_masked)

    def widest(self) -> str:
        """The largest radius beside the largest midpoint, as text: `1.3e-17`, `0`, `inf` where an entry is unknown."""
        from numpy import inf, isfinite, where

        if self.radius is None:
            return "0"
        is_hidden = (self.high == -inf) & (self.radius == 0)
        largest = where(isfinite(self.high), abs(self.high), 0.0).max()
        known = where(isfinite(self.high) & isfinite(self.radius) | is_hidden, self.radius, inf).max()
        return f"{known / largest if largest else known:.1e}"

    def told_bits(self) -> int:
        """How many bits the widest ball tells of the largest entry, at least 0."""
        width = float(self.widest())
        return 0 if not width < 1 else int(-log2(width)) if width else 200

    def size(self) -> Any:
        """An upper bound of each midpoint's absolute value."""
        return abs(self.high) if self.low is None else up(abs(self.high) + abs(self.low))


def given(values: Sequence[Fraction | None], shape: tuple[int, ...]) -> DoubleBalls:
    """Rational numbers by rows as balls, None for minus infinity; what two doubles do not hold is in the radius."""
    from numpy import array, inf

    parts = [(-inf, 0.0, 0.0) if value is None else _parts(value) for value in values]
    high, low, radius = (array(column).reshape(shape) for column in zip(*parts, strict=True))
    exact = not radius.any()
    short = exact and not low.any()
    return DoubleBalls(
        high, None if short else low, None if exact else radius, is_masked=any(v is None for v in values)
    )


def given_floats(matrix: Floats) -> DoubleBalls:
    """A matrix of floats, which are doubles as they are."""
    return DoubleBalls(matrix.array)


def silently() -> AbstractContextManager[Any]:
    """Within it NumPy does not warn of overflow and of what is not a number: such entries count as unknown."""
    from numpy import errstate

    return errstate(all="ignore")


def filled(value: int, shape: tuple[int, ...]) -> DoubleBalls:
    """A matrix with one whole number, of at most 53 bits, in every place."""
    from numpy import broadcast_to, float64

    return DoubleBalls(broadcast_to(float64(value), shape), is_ones=value == 1)


def beside(*blocks: DoubleBalls) -> DoubleBalls:
    """Matrices of one height side by side."""
    from numpy import concatenate, zeros_like

    def joined(parts: list[Any]) -> Any:
        if all(part is None for part in parts):
            return None
        pairs = zip(blocks, parts, strict=True)
        return concatenate([zeros_like(block.high) if part is None else part for block, part in pairs], axis=1)

    found = DoubleBalls(*(joined([getattr(b, name) for b in blocks]) for name in ("high", "low", "radius")))
    found.is_masked = any(block.is_masked for block in blocks)
    return found


def _parts(value: Fraction) -> tuple[float, float, float]:
    """A rational number as two doubles and a bound of what they leave; NaN for one that no double is near."""
    top, below = value.numerator, value.denominator
    if below & (below - 1) == 0 and top.bit_length() <= 53 and below.bit_length() <= 900:
        return top / below, 0.0, 0.0  # a double as it is
    try:
        high = float(value)
        low = float(value - Fraction(high))
        rest = abs(value - Fraction(high) - Fraction(low))
        return high, low, float(rest) * WIDEN + TINY if rest else 0.0
    except OverflowError:
        return float("nan"), float("nan"), float("inf")


def add(a: DoubleBalls, b: DoubleBalls) -> DoubleBalls:
    """The sum, entry by entry; a scalar is added to every entry."""
    total, left = two_sum(a.high, b.high)
    radius = _added(a.radius, b.radius)
    if a.low is None and b.low is None:
        found = DoubleBalls(total, left, None if radius is None else up(radius))
    else:
        lows = b.low if a.low is None else a.low if b.low is None else a.low + b.low
        rest = left + lows
        high, low = two_sum(total, rest)
        # The sum of lows and the sum with what the highs left round once each, by u of their own size.
        off = (abs(lows) + abs(rest)) * UNIT
        found = DoubleBalls(high, low, up(off if radius is None else radius + off))
    return _with_mask(found, a, b) if a.is_masked or b.is_masked else found


def negated(a: DoubleBalls) -> DoubleBalls:
    """The opposite of every entry."""
    return DoubleBalls(-a.high, None if a.low is None else -a.low, a.radius)


def subtract(a: DoubleBalls, b: DoubleBalls) -> DoubleBalls:
    """The difference, entry by entry."""
    return add(a, negated(b))


def multiply(a: DoubleBalls, b: DoubleBalls) -> DoubleBalls:
    """The product, entry by entry; a scalar multiplies every entry."""
    product, left = two_product(a.high, b.high)
    crossed = _added(None if b.low is None else a.high * b.low, None if a.low is None else a.low * b.high)
    # Both cross products and their sum round by u of at most u·|product| each, and low·low, at most u²·|product|, is
    # left out; then the sum with what the product left rounds by u of its own size.
    radius = abs(product) * (8 * UNIT * UNIT)
    if crossed is None:
        high, low = product, left
    else:
        rest = left + crossed
        high, low = two_sum(product, rest)
        radius = radius + abs(rest) * (2 * UNIT)
    if b.radius is not None:
        radius = radius + a.size() * b.radius
    if a.radius is not None:
        radius = radius + a.radius * (b.size() if b.radius is None else b.size() + b.radius)
    return DoubleBalls(high, low, up(up(radius)))


def square(a: DoubleBalls) -> DoubleBalls:
    """The square of every entry."""
    return multiply(a, a)


def divide(a: DoubleBalls, b: DoubleBalls) -> DoubleBalls:
    """The quotient, entry by entry or by a scalar; nothing is known where the divisor may be smaller than 2^-100."""
    from numpy import inf, where

    first = a.high / b.high
    product, left = two_product(first, b.high)
    # a - first·b = (a.high - product) - left + a.low - first·b.low; the first difference is exact (Sterbenz).
    gap = a.high - product
    rest = gap - left
    parts = abs(gap) + abs(left)
    for other in (a.low, None if b.low is None else -(first * b.low)):
        if other is not None:
            rest = rest + other
            parts = parts + abs(other)
    second = rest / b.high
    high, low = two_sum(first, second)
    # `rest` is off by less than 8u of its parts; second·b.high by u of `rest`; second·b.low was left out.
    off = parts * (8 * UNIT) + abs(rest) * (2 * UNIT)
    if b.low is not None:
        off = off + abs(second) * abs(b.low)
    if a.radius is not None:
        off = off + a.radius
    least = abs(b.high) if b.low is None else abs(b.high) - abs(b.low)
    if b.radius is not None:
        off = up(off) + up(abs(high) + abs(low)) * b.radius
        least = least - b.radius
    # What these differences round by is relative to the divisor: nearly all of `least` where its ball ends near 0.
    least = least - abs(b.high) * 2.0**-50
    return DoubleBalls(high, low, where(least > SMALLEST_DIVISOR, up(up(off) / least), inf))


def root(a: DoubleBalls) -> DoubleBalls:
    """The square root of every entry; nothing is known where an entry may be smaller than 2^-100.

    For any s > 0: √a - s = (a - s²)/(√a + s), which is at most |a - s²|/s.
    """
    from numpy import inf, sqrt, where

    first = sqrt(a.high)
    near = DoubleBalls(first)
    second = subtract(a, multiply(near, near)).high / (first * 2)
    high, low = two_sum(first, second)
    found = DoubleBalls(high, low)
    off = subtract(a, multiply(found, found))
    least = a.high - (0 if a.low is None else abs(a.low)) - (0 if a.radius is None else a.radius)
    radius = 0 if off.radius is None else off.radius
    bound = up((off.size() + radius) / ((high - abs(low)) * (1 - 2.0**-50)))
    return DoubleBalls(high, low, where(least > SMALLEST_DIVISOR, bound, inf))


def positive_part(a: DoubleBalls) -> DoubleBalls:
    """The greater of 0 and each entry: max(0, ·) moves two numbers no further apart."""
    from numpy import isfinite, where

    kept = (a.high > 0) | ~isfinite(a.high)
    high = where(kept, a.high, 0.0)
    low = None if a.low is None else where(kept, a.low, 0.0)
    if a.radius is None:
        return DoubleBalls(high, low)
    reach = up(a.radius if a.low is None else a.radius + abs(a.low))
    return DoubleBalls(high, low, where((reach < -a.high) & ~kept, 0.0, a.radius))


def _added(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def _with_mask(found: DoubleBalls, a: DoubleBalls, b: DoubleBalls) -> DoubleBalls:
    """A sum with minus infinity is minus infinity, exactly, whatever is finite is added to it."""
    from numpy import inf, isfinite, where, zeros_like

    # Where a sum has overflowed to minus infinity, what it left is NaN.
    one, other = (part.high == -inf if part.low is None else (part.high == -inf) & (part.low == 0) for part in (a, b))
    hidden = one & isfinite(b.high) | other & isfinite(a.high)
    high, low, radius = found.high, found.low, found.radius
    low = zeros_like(high) if low is None else low
    radius = zeros_like(high) if radius is None else radius
    return DoubleBalls(where(hidden, -inf, high), where(hidden, 0.0, low), where(hidden, 0.0, radius), is_masked=True)
