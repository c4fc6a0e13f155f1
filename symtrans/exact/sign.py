"""Signs and equality of exact values: proven, or undecided at the precision cap."""

from __future__ import annotations

from symtrans.errors import Undecided
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
        if bits == PATIENCE and element.is_identically_zero():
            return 0
    raise Undecided(f"the sign of {shortened(element)} is not decided at {MOST_BITS} bits")


def equal(left: Element, right: Element) -> bool | None:
    """Whether two values are equal: True by identity, False by separated enclosures, else None."""
    if left == right:
        return True
    if left.infinite or right.infinite:
        return False
    try:
        return sign(left - right) == 0
    except Undecided:
        return None


def shortened(element: Element) -> str:
    """The element as text for a sentence, cut where it is long."""
    text = str(element)
    return text if len(text) <= 60 else text[:59] + "…"
