"""How large the degree of a formula is at most: each entry as a polynomial over a product of polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from symtrans.exact.kinks import largest
from symtrans.exact.prime_scalars import PrimeScalars, Residues
from symtrans.exact.scalars import ConstantName, FunctionName


@dataclass(frozen=True, slots=True)
class Degree:
    """An entry: its residues at the point, its numerator's degree, and how often each divisor is in its denominator."""

    value: Residues
    above: int = 0
    below: dict[int, int] = field(default_factory=dict)


class DegreeScalars:
    """The scalars are degrees of rational functions whose values modulo primes `inner` computes.

    Every value of a function or of a root counts as a variable of its own. Divisors of one value are one.
    """

    def __init__(self, inner: PrimeScalars) -> None:
        self.inner = inner
        self._divisors: dict[int, Degree] = {}

    def number(self, value: Fraction) -> Degree:
        """A rational number."""
        return Degree(self.inner.number(value))

    def variable(self, value: Residues, degree: int = 1) -> Degree:
        """A variable, or a polynomial of some degree in variables of its own."""
        return Degree(value, degree)

    def constant(self, name: ConstantName) -> Degree:
        """Pi or e."""
        return Degree(self.inner.constant(name), 1)

    def minus_infinity(self) -> Degree:
        """A masked entry."""
        return Degree(())

    def add(self, left: Degree, right: Degree) -> Degree:
        """The sum."""
        return self._sum(self.inner.add(left.value, right.value), (left, right))

    def subtract(self, left: Degree, right: Degree) -> Degree:
        """The difference."""
        return self._sum(self.inner.subtract(left.value, right.value), (left, right))

    def _sum(self, value: Residues, parts: Sequence[Degree]) -> Degree:
        """A sum over the common denominator of what is not zero."""
        parts = [part for part in parts if any(part.value)]
        if not parts or not value:
            return Degree(value)
        below = parts[0].below
        for part in parts[1:]:
            if part.below != below:
                below = {key: max(below.get(key, 0), part.below.get(key, 0)) for key in below | part.below}
        above = max(p.above + self._of(below) - self._of(p.below) for p in parts)
        return Degree(value, above, below)

    def _of(self, below: dict[int, int]) -> int:
        """The degree of a product of divisors."""
        return sum(self._divisors[key].above * count for key, count in below.items())

    def common(self, parts: Sequence[Degree]) -> int:
        """The degree of a sum's numerator over the common denominator, even where the sum is zero."""
        return self._sum((1,), parts).above

    def multiply(self, left: Degree, right: Degree) -> Degree:
        """The product."""
        value = self.inner.multiply(left.value, right.value)
        if not any(value):
            return Degree(value)
        below = left.below
        if right.below:
            below = {key: below.get(key, 0) + right.below.get(key, 0) for key in below | right.below}
        return Degree(value, left.above + right.above, below)

    def divide(self, left: Degree, right: Degree) -> Degree:
        """The quotient: the divisor's numerator goes below, its denominator above."""
        value = self.inner.divide(left.value, right.value)
        if not any(value) or not (right.above or right.below):
            return Degree(value, left.above, left.below)
        divisor = self._divisors.setdefault(right.value[0], right)
        below = dict(left.below)
        below[right.value[0]] = below.get(right.value[0], 0) + 1
        above = left.above
        for key, count in divisor.below.items():
            cancelled = min(count, below.get(key, 0))
            below[key] = below.get(key, 0) - cancelled
            above += (count - cancelled) * self._divisors[key].above
        return Degree(value, above, {key: count for key, count in below.items() if count})

    def negate(self, value: Degree) -> Degree:
        """The opposite."""
        return Degree(self.inner.negate(value.value), value.above, value.below)

    def power(self, base: Degree, exponent: Fraction) -> Degree:
        """A rational power; one that is not whole is a variable."""
        if exponent < 0:
            return self.divide(self.number(Fraction(1)), self.power(base, -exponent))
        value = self.inner.power(base.value, exponent)
        if exponent.denominator != 1:
            return Degree(value, int(bool(base.above or base.below)))
        count = int(exponent)
        return Degree(value, base.above * count, {key: times * count for key, times in base.below.items() if count})

    def function(self, name: FunctionName, argument: Degree) -> Degree:
        """A function of one variable; tanh and the sigmoid are quotients in an exponential."""
        inner, x = self.inner, argument.value
        match name:
            case "positive":
                return Degree(inner.function(name, x))
            case "abs":
                return Degree(inner.function(name, x), argument.above, argument.below)
            case "sqrt":
                return self.power(argument, Fraction(1, 2))
            case "sigmoid":
                one = self.number(Fraction(1))
                return self.divide(one, self.add(one, Degree(inner.function("exp", inner.negate(x)), 1)))
            case "tanh":
                one, double = self.number(Fraction(1)), Degree(inner.function("exp", inner.add(x, x)), 1)
                return self.divide(self.subtract(double, one), self.add(double, one))
        constant = not (argument.above or argument.below)
        value = inner.function(name, x)
        return Degree(value, 0 if constant and not (x and any(x)) else 1)

    def softmax(self, logits: Sequence[Degree]) -> list[Degree]:
        """The weights of one row."""
        powers = [self.function("exp", logit) for logit in logits]
        total = self.sum(powers)
        return [self.divide(power, total) for power in powers]

    def side(self, value: Degree) -> int:
        """On which side of 0 a value lies: 1, -1 or 0."""
        return self.inner.side(value.value)

    def maximum(self, values: Sequence[Degree]) -> Degree:
        """The largest value."""
        return values[largest(self.inner, [value.value for value in values])]

    def sum(self, values: Sequence[Degree]) -> Degree:
        """The total; 0 for none."""
        return self._sum(self.inner.sum([value.value for value in values]), values)

    def is_zero(self, value: Degree) -> bool:
        """Whether the value is zero at the point."""
        return self.inner.is_zero(value.value)
