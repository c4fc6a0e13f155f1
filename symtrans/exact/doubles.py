"""Error-free steps on arrays of doubles: what a sum or a product leaves behind, and bounds that cannot be too small.

What all proofs here take for granted, and nothing else: NumPy's +, -, *, / and sqrt on float64 round to nearest
(IEEE 754) with gradual underflow, which `is_as_assumed` looks into; a matrix product is a sum of products in any
order, fused or blocked (no Strassen-like scheme, which the usual BLAS libraries do not use). Overflow makes infinities
or NaN of high, low or radius, and such an entry counts as unknown.
"""

from __future__ import annotations

from typing import Any

UNIT = 2.0**-53  # half the distance from 1 to the next double: what one rounding may do, relatively
TINY = 2.0**-900  # above all that underflow can add to one entry of one step, by far
NARROWEST = 2.0**-480  # its counterpart for the root of a sum of squares
SPLITTER = 2.0**27 + 1
WIDEN = 1 + 2.0**-50  # makes up for up to six roundings of sums and products of what is not negative


def is_as_assumed() -> bool:
    """Whether doubles round to nearest and underflow gradually here: a library may have set the processor otherwise."""
    from numpy import array

    one, small = array([1.0, -1.0, 2.0**-1022]), array([2.0**-54, -(2.0**-54), -(2.0**-1023)])
    above = array([1.0, -1.0, 0.0]) + array([1.5 * 2.0**-53, -1.5 * 2.0**-53, 2.0**-1074])
    expected = [1 + 2.0**-52, -1 - 2.0**-52, 2.0**-1074]
    return bool((one + small).tolist() == [1.0, -1.0, 2.0**-1023] and above.tolist() == expected)


def up(value: Any) -> Any:
    """An upper bound of a non-negative expression of up to six roundings that was computed as `value`."""
    return value * WIDEN + TINY


def two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded sum and exactly what it leaves (Knuth, TAOCP 2, 4.2.2, theorem B)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def halves(a: Any) -> tuple[Any, Any]:
    """Two doubles of at most 26 bits whose sum is `a` (Veltkamp)."""
    scaled = a * SPLITTER
    high = scaled - (scaled - a)
    return high, a - high


def two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded product and exactly what it leaves (Dekker 1971), but for underflow below TINY."""
    product = a * b
    (a1, a2), (b1, b2) = halves(a), halves(b)
    return product, a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)


def column_norms(a: Any) -> Any:
    """An upper bound of the Euclidean norm of every column.

    A sum of k squares is at least (1-u)^(k+1) times the exact one less what underflows.
    """
    from numpy import einsum, sqrt

    size = a.shape[0]
    return sqrt(einsum("ij,ij->j", a, a)) * (1 + (size + 8) * UNIT) + NARROWEST


def sliced(a: Any, bits: int, axis: int) -> tuple[Any, Any, Any]:
    """The leading `bits` bits of every entry, counted from the largest of its row or column, the rest, and the unit.

    The largest is sought along `axis`. Slice + rest are exactly the entry; slices are whole multiples of their
    unit, a power of two, at most 2^bits of them; the rest is at most half a unit (Rump, Ogita and Oishi 2008).
    """
    from numpy import frexp, ldexp, maximum

    largest = maximum(a.max(axis=axis, keepdims=True), -a.min(axis=axis, keepdims=True))
    exponent = maximum(frexp(largest)[1], -300) - bits
    unit = ldexp(largest * 0 + 1, exponent)  # NaN where the largest is infinite
    shift = unit * (1.5 * 2.0**52)
    leading = a + shift
    leading -= shift
    return leading, a - leading, unit
