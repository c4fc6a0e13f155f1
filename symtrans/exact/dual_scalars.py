"""Dual numbers over any scalars: a value and its derivative in one direction, by the rules of differentiation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from symtrans.exact.kinks import KinkedScalars, largest
from symtrans.exact.scalars import ConstantName, FunctionName

S = TypeVar("S")
Dual = tuple[S, S | None]
"""A value and its tangent; None is a tangent of 0."""


class DualScalars(Generic[S]):
    """The scalars are dual numbers over `inner`, which knows no derivative.

    At a kink the derivative is 0: of the absolute value at 0, of the maximum of 0 and something that is 0.
    """

    def __init__(self, inner: KinkedScalars[S]) -> None:
        self.inner = inner

    def number(self, value: Fraction) -> Dual[S]:
        """A rational number."""
        return self.inner.number(value), None

    def constant(self, name: ConstantName) -> Dual[S]:
        """Pi or e."""
        return self.inner.constant(name), None

    def minus_infinity(self) -> Dual[S]:
        """A masked entry."""
        return self.inner.minus_infinity(), None

    def add(self, left: Dual[S], right: Dual[S]) -> Dual[S]:
        """The sum."""
        return self.inner.add(left[0], right[0]), self._added(left[1], right[1])

    def subtract(self, left: Dual[S], right: Dual[S]) -> Dual[S]:
        """The difference."""
        value, (a, b) = self.inner.subtract(left[0], right[0]), (left[1], right[1])
        if b is None:
            return value, a
        return value, self.inner.negate(b) if a is None else self.inner.subtract(a, b)

    def multiply(self, left: Dual[S], right: Dual[S]) -> Dual[S]:
        """The product."""
        tangent = self._added(self._times(left[1], right[0]), self._times(right[1], left[0]))
        return self.inner.multiply(left[0], right[0]), tangent

    def divide(self, left: Dual[S], right: Dual[S]) -> Dual[S]:
        """The quotient."""
        value = self.inner.divide(left[0], right[0])
        lost = self._times(right[1], value)
        tangent = self._added(left[1], None if lost is None else self.inner.negate(lost))
        return value, None if tangent is None else self.inner.divide(tangent, right[0])

    def negate(self, value: Dual[S]) -> Dual[S]:
        """The opposite."""
        return self.inner.negate(value[0]), None if value[1] is None else self.inner.negate(value[1])

    def power(self, base: Dual[S], exponent: Fraction) -> Dual[S]:
        """A rational power."""
        value = self.inner.power(base[0], exponent)
        if base[1] is None or not exponent:
            return value, None
        slope = self.inner.multiply(self.inner.number(exponent), self.inner.power(base[0], exponent - 1))
        return value, self._times(base[1], slope)

    def function(self, name: FunctionName, argument: Dual[S]) -> Dual[S]:
        """A function of one variable."""
        inner, (x, tangent) = self.inner, argument
        if name == "abs":
            side = inner.side(x)
            return self.negate(argument) if side < 0 else (x, tangent if side > 0 else None)
        value = inner.function(name, x)
        if tangent is None or name == "positive":
            return value, None
        return value, inner.multiply(self._slope(name, x, value), tangent)

    def _slope(self, name: FunctionName, x: S, value: S) -> S:
        """The derivative of a function at x, where it has this value."""
        inner = self.inner
        one = inner.number(Fraction(1))
        match name:
            case "exp":
                return value
            case "log":
                return inner.divide(one, x)
            case "sqrt":
                return inner.divide(one, inner.add(value, value))
            case "sin":
                return inner.function("cos", x)
            case "cos":
                return inner.negate(inner.function("sin", x))
            case "tanh":
                return inner.subtract(one, inner.multiply(value, value))
            case "sigmoid":
                return inner.multiply(value, inner.subtract(one, value))
            case "erf":
                bell = inner.function("exp", inner.negate(inner.multiply(x, x)))
                return inner.divide(inner.add(bell, bell), inner.function("sqrt", inner.constant("pi")))
        raise ValueError(f"{name} has no slope")

    def softmax(self, logits: Sequence[Dual[S]]) -> list[Dual[S]]:
        """The weights of one row: each grows by itself times how much its logit grows more than their mean."""
        weights = self.inner.softmax([value for value, _ in logits])
        grown = [self._times(t, w) for (_, t), w in zip(logits, weights, strict=True)]
        parts = [g for g in grown if g is not None]
        if not parts:
            return [(weight, None) for weight in weights]
        mean = self.inner.sum(parts)
        lost = [self.inner.multiply(weight, mean) for weight in weights]
        return [
            (w, self.inner.negate(less) if g is None else self.inner.subtract(g, less))
            for w, g, less in zip(weights, grown, lost, strict=True)
        ]

    def maximum(self, values: Sequence[Dual[S]]) -> Dual[S]:
        """The largest value."""
        return values[largest(self.inner, [value for value, _ in values])]

    def sum(self, values: Sequence[Dual[S]]) -> Dual[S]:
        """The total; 0 for none."""
        tangents = [tangent for _, tangent in values if tangent is not None]
        return self.inner.sum([value for value, _ in values]), self.inner.sum(tangents) if tangents else None

    def is_zero(self, value: Dual[S]) -> bool:
        """Whether the value is certainly zero and stays so."""
        return self.inner.is_zero(value[0]) and (value[1] is None or self.inner.is_zero(value[1]))

    def _added(self, one: S | None, other: S | None) -> S | None:
        if one is None or other is None:
            return other if one is None else one
        return self.inner.add(one, other)

    def _times(self, tangent: S | None, factor: S) -> S | None:
        return None if tangent is None else self.inner.multiply(tangent, factor)
