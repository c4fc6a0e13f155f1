"""Signs and equality of exact values: proven, or undecided at the precision cap."""

from __future__ import annotations

from symtrans.errors import LimitError, Undecided
from symtrans.exact.enclosure import MOST_BITS, enclose, precisions
from symtrans.exact.field import Element

PATIENCE = 512  # bits after which it is worth asking whether the value is zero by identity


def sign(element: Element) -> int:
    """-1, 0 or 1. Zero is proven by identity only; Undecided where an enclosure never leaves zero."""
    if element.infinite:
        return element.infinite
    if element.rational is not None:
        return (element.rational > 0) - (element.rational < 0)
    for bits in precisions():
        found = enclose(element, bits)
        if found > 0:
            return 1
        if found < 0:
            return -1
        if bits == PATIENCE and element.is_enclosed:
            raise Undecided(f"the sign of a value that is known by its enclosures is not decided at {bits} bits")
        if bits == PATIENCE and is_zero_by_identity(element):
            return 0
    raise Undecided(f"the sign of {shortened(element)} is not decided at {MOST_BITS} bits")


def is_zero_by_identity(element: Element) -> bool:
    """Whether a value is proven to be zero; False where that is not so or takes too long."""
    try:
        return element.is_identically_zero()
    except LimitError:
        return False


def mix(left: Element, right: Element) -> bool:
    """Whether two values can be added exactly: both of one field, or one of them rational, and neither enclosed."""
    if left.is_enclosed or right.is_enclosed:
        return False
    return left.is_rational or right.is_rational or left.home is right.home


def apart(left: Element, right: Element, bits: int) -> int:
    """1 or -1 where enclosures prove that the left value is the greater or the less, else 0."""
    one, other = enclose(left, bits), enclose(right, bits)
    return 1 if one > other else -1 if one < other else 0


def order(left: Element, right: Element) -> int:
    """The sign of left - right, for values of any fields; Undecided where it is not settled."""
    if mix(left, right) or left.infinite or right.infinite:
        return sign(left - right)
    for bits in precisions():
        side = apart(left, right, bits)
        if side:
            return side
        if bits >= PATIENCE:
            break
    raise Undecided(f"the order of two values that are known by their enclosures is not decided at {PATIENCE} bits")


def equal(left: Element, right: Element) -> bool | None:
    """Whether two values are equal: True by identity, False by separated enclosures, else None."""
    if left == right:
        return True
    if left.infinite or right.infinite:
        return False
    try:
        return order(left, right) == 0
    except Undecided:
        return None


def shortened(element: Element) -> str:
    """The element as text for a sentence, cut where it is long."""
    text = str(element)
    return text if len(text) <= 60 else text[:59] + "…"
