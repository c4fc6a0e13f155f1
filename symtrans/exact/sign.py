"""Signs and equality of exact values: proven, or undecided at the precision cap."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.errors import Undecided
from symtrans.exact.enclosure import FIRST_BITS, MOST_BITS, bounds
from symtrans.exact.field import Element


def precisions() -> Iterator[int]:
    """The precisions that are tried in turn, in bits."""
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        yield bits
        bits *= 2


def sign(element: Element) -> int:
    """-1, 0 or 1. Zero is proven by identity only; Undecided where an enclosure never leaves zero."""
    if element.infinite:
        return element.infinite
    if element.is_rational:
        value = element.fraction
        return (value > 0) - (value < 0)
    for bits in precisions():
        found = bounds(element, bits)
        if found is not None and (found[0] > 0 or found[1] < 0):
            return 1 if found[0] > 0 else -1
    raise Undecided(f"the sign of {element} is not decided at {MOST_BITS} bits")


def equal(left: Element, right: Element) -> bool | None:
    """Whether two values are equal: True by identity, False by separated enclosures, else None."""
    if left == right:
        return True
    if left.infinite or right.infinite or (left.is_rational and right.is_rational):
        return False
    try:
        return sign(left - right) == 0
    except Undecided:
        return None
