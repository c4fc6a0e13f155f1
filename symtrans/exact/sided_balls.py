"""Enclosures that note on which side of every kink they lie, so that another calculation can take the same sides."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symtrans.errors import Undecided
from symtrans.exact.ball_scalars import BallScalars
from symtrans.exact.kinks import largest
from symtrans.exact.scalars import FunctionName


class SidedBalls(BallScalars):
    """Balls of a fixed precision; `seen` grows by the side, 1, -1 or 0, of each value that a kink is asked for."""

    def __init__(self, bits: int) -> None:
        super().__init__(bits, roots_exist=True)
        self.seen: list[int] = []

    def side(self, value: Any) -> int:
        """On which side of 0 a ball lies; Undecided where it has both."""
        side = 1 if value > 0 else -1 if value < 0 else 0
        if not side and not value.is_zero():
            raise Undecided(f"on which side of a kink a value lies is not decided at {self.bits} bits")
        self.seen.append(side)
        return side

    def maximum(self, values: Sequence[Any]) -> Any:
        """The largest value."""
        return values[largest(self, values)]

    def function(self, name: FunctionName, argument: Any) -> Any:
        """A function of one variable."""
        if name == "positive":
            return self.number(Fraction(self.side(argument) > 0))
        if name == "abs":
            return self.negate(argument) if self.side(argument) < 0 else argument
        return super().function(name, argument)
