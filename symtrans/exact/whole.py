"""Whole numbers among values: exact elements and balls that are certainly one small whole number."""

from __future__ import annotations

from typing import Any

import flint

from symtrans.exact.field import Element

MOST = 10**6


def whole(entry: Any) -> int | None:
    """The whole number from 0 to a million that an element or a ball is, or None."""
    if isinstance(entry, Element):
        if not entry.is_rational or entry.fraction.denominator != 1:
            return None
        value = int(entry.fraction)
    elif isinstance(entry, flint.arb) and entry.is_integer():
        only = entry.unique_fmpz()
        if only is None:
            return None
        value = int(only)
    else:
        return None
    return value if 0 <= value <= MOST else None
