"""What a generic calculation needs of its entries, and the two kinds of entries that prove each other.

`ExactScalars` computes with exact elements of a field; `BallScalars` computes with enclosures of a
fixed precision, by another route. Every ball must contain the exact element's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, Protocol, TypeVar

S = TypeVar("S")

ConstantName = Literal["pi", "e"]
FunctionName = Literal["exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "erf", "abs", "positive"]


class Scalars(Protocol[S]):
    """Arithmetic on entries of the kind `S`; entries are immutable.

    Minus infinity (a mask's entry) is an ordinary `S`, got from `minus_infinity()`: added to
    something finite or scaled by something positive it stays, and its softmax weight is 0. What
    has no value (a division by zero, the logarithm of a negative number) raises
    `UndefinedValue`; what cannot be settled raises `Undecided`; what is too large `LimitError`.
    """

    def number(self, value: Fraction) -> S:
        """The rational number `value`."""

    def constant(self, name: ConstantName) -> S:
        """The constant pi or e."""

    def minus_infinity(self) -> S:
        """A masked entry."""

    def add(self, left: S, right: S) -> S:
        """The sum."""

    def subtract(self, left: S, right: S) -> S:
        """The difference."""

    def multiply(self, left: S, right: S) -> S:
        """The product."""

    def divide(self, left: S, right: S) -> S:
        """The quotient."""

    def negate(self, value: S) -> S:
        """The opposite; minus infinity becomes plus infinity and back."""

    def power(self, base: S, exponent: Fraction) -> S:
        """`base` to a rational power; the base is positive unless the exponent is an integer."""

    def function(self, name: FunctionName, argument: S) -> S:
        """A function of one variable."""

    def softmax(self, logits: Sequence[S]) -> list[S]:
        """The softmax weights of one row, in its order; masked entries weigh 0."""

    def maximum(self, values: Sequence[S]) -> S:
        """The largest of one or more values."""

    def sum(self, values: Sequence[S]) -> S:
        """The total; 0 for none."""

    def is_zero(self, value: S) -> bool:
        """Whether the value is certainly zero; False where it is not or nobody knows."""
