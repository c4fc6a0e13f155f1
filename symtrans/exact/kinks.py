"""Scalars that tell on which side of a kink a value lies, and what is decided by asking them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from symtrans.exact.scalars import Scalars

S = TypeVar("S")


class KinkedScalars(Scalars[S], Protocol[S]):
    """Scalars that also tell on which side of a kink a value lies."""

    def side(self, value: S) -> int:
        """On which side of 0 a value lies: 1, -1 or 0."""


def largest(scalars: KinkedScalars[S], values: Sequence[S]) -> int:
    """The place of the largest value, the first where there are several.

    One calculation notes the sides that another takes, so both have to ask in this one order.
    """
    best = 0
    for place in range(1, len(values)):
        if scalars.side(scalars.subtract(values[place], values[best])) > 0:
            best = place
    return best
