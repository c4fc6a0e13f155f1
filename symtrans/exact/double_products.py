"""Products and sums of double balls: the leading bits are multiplied without any rounding, the rest with a bound.

Each factor is cut into a slice of some 20 bits and a rest. The slices' product is exact, because no partial sum of it
needs more than 53 bits; only the rest, 2^-20 of the whole, rounds (Ozaki, Ogita, Oishi and Rump 2012). Radii are
bounded by norms of rows and columns (Cauchy-Schwarz), which costs as good as nothing beside a product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtrans.exact.double_balls import DoubleBalls, multiply
from symtrans.exact.doubles import UNIT, WIDEN, column_norms, sliced, two_sum, up

DOUBLE_BITS = 53
AT_ONCE = 1 << 18  # entries of a right factor that are worked on at a time, so that they stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Cut:
    """A right factor, cut: slice, rest, and upper bounds of the norms of their columns.

    `norms` bounds the slice's and the midpoints', `rests` the rest's, `lows` those of the low parts, `radii` those of
    the radii; None where all are 0.
    """

    leading: Any
    rest: Any
    norms: Any
    rests: Any
    lows: Any
    radii: Any


def product(a: DoubleBalls, b: DoubleBalls) -> DoubleBalls:
    """The product of two matrices whose shapes fit."""
    from numpy import broadcast_to, concatenate

    rows, inner, columns = a.shape[0], a.shape[1], b.shape[1]
    if inner == 1:
        if a.is_ones or b.is_ones:
            return (b if a.is_ones else a).parts(lambda part: broadcast_to(part, (rows, columns)))
        return multiply(a, b)
    if b.is_ones and columns == 1:
        return row_sums(a)
    if a.is_ones and rows == 1:
        return transpose(row_sums(transpose(b)))
    one = left_cut(a)
    both = concatenate([one.leading.T, one.rest.T])
    wide = max(AT_ONCE // inner, 16)
    blocks = [
        _block(both, a, one, b.parts(lambda part, first=first: part[:, first : first + wide]))  # type: ignore[misc]
        for first in range(0, columns, wide)
    ]
    return DoubleBalls(*(concatenate(parts, axis=1) for parts in zip(*blocks, strict=True)))


def _block(both: Any, a: DoubleBalls, one: Cut, b: DoubleBalls) -> tuple[Any, Any, Any]:
    """Some columns of a product: a·b = a₁·b₁ + (a - a₁)·b₁ + a·(b - b₁), the first exactly, the others as doubles."""
    rows, inner = a.shape
    two = cut(b)
    whole = both @ two.leading
    more = whole[rows:]
    more += a.high @ two.rest
    high, low = two_sum(whole[:rows], more)
    # |rest of a|·|b₁| + |a|·|rest of b| times γ, for rounding the rests, the products and their sum; and a.low, which
    # the last product leaves out.
    share = (inner + 8) * UNIT
    lefts = [share * one.rests if one.radii is None else share * one.rests + one.radii, one.norms * share]
    rights = [two.norms if two.radii is None else two.norms + two.radii, two.rests]
    if two.radii is not None:
        lefts.append(one.norms)
        rights.append(two.radii)
    if one.lows is not None:
        lefts.append(one.lows)
        rights.append(two.rests)
    radius = lefts[0][:, None] * rights[0]
    for left, right in zip(lefts[1:], rights[1:], strict=True):
        radius += left[:, None] * right
    radius *= WIDEN
    return high, low, up(radius)


def transpose(a: DoubleBalls) -> DoubleBalls:
    """Rows and columns exchanged."""
    return a.parts(lambda part: part.T)


def left_cut(a: DoubleBalls) -> Cut:
    """A left factor's cut by rows, as the cut of its transpose; worked out once, for all that it is multiplied by."""
    if "rows" not in a.memo:
        a.memo["rows"] = cut(transpose(a))
    found: Cut = a.memo["rows"]
    return found


def cut(b: DoubleBalls) -> Cut:
    """A right factor's cut by columns; no sum of as many products of slices as it has rows needs more than 53 bits."""
    bits = (DOUBLE_BITS - (b.shape[0] - 1).bit_length()) // 2
    leading, rest, unit = sliced(b.high, bits, axis=0)
    root = (b.shape[0] + 1) ** 0.5 * WIDEN
    rests = unit[0] * (root / 2)
    # The slice differs from the entry by at most half a unit, and so does its norm by that of the rest.
    norms = column_norms(b.high)
    lows = None
    if b.low is not None:
        rest = rest + b.low
        lows = column_norms(b.low)
        rests = rests + lows
    norms = (norms + rests) * WIDEN
    radii = None if b.radius is None else column_norms(b.radius)
    return Cut(leading, rest, norms, rests * WIDEN, lows, radii)


def row_sums(a: DoubleBalls) -> DoubleBalls:
    """The sum of every row, as a column: leading bits exactly, the rest with a bound."""
    inner = a.shape[1]
    leading, rest, _ = sliced(a.high, min(DOUBLE_BITS - inner.bit_length(), 50), axis=1)
    if a.low is not None:
        rest = rest + a.low
    high, low = two_sum(leading.sum(axis=1, keepdims=True), rest.sum(axis=1, keepdims=True))
    off = abs(rest).sum(axis=1, keepdims=True) * ((inner + 8) * UNIT)
    if a.radius is not None:
        off = off + a.radius.sum(axis=1, keepdims=True) * (1 + (inner + 8) * UNIT)
    return DoubleBalls(high, low, up(off))


def total(a: DoubleBalls) -> DoubleBalls:
    """The sum of all entries, as a scalar."""
    return row_sums(a.parts(lambda part: part.reshape(1, -1))).parts(lambda part: part[0, 0])
