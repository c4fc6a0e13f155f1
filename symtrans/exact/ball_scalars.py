"""Arithmetic on enclosures of one fixed precision: a route of its own that every exact value must pass through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import flint

from symtrans.errors import Undecided, UndefinedValue
from symtrans.exact.enclosure import apply, whole_power
from symtrans.exact.scalars import ConstantName, FunctionName


class BallScalars:
    """The scalars are `flint.arb` balls; every result contains the true value for all values of the operands.

    A step whose operand's ball is too wide to tell whether it has a value raises Undecided; more
    bits may settle it. With `roots_exist` whoever computes vouches that what stands under a root is
    not negative, as a sum of squares is not, even where its ball reaches below 0.
    """

    def __init__(self, bits: int, *, roots_exist: bool = False) -> None:
        self.bits = bits
        self.roots_exist = roots_exist

    def _at(self, compute: Callable[[], Any]) -> Any:
        """What `compute` gives at this precision; the caller's own precision is left as it was."""
        if flint.ctx.prec == self.bits:
            ball = compute()
        else:
            with flint.ctx.workprec(self.bits):
                ball = compute()
        if ball.is_nan():
            raise Undecided(f"a value is not determined at {self.bits} bits")
        return ball

    def number(self, value: Fraction) -> Any:
        """A ball round a rational number."""
        return self._at(lambda: flint.arb(flint.fmpq(value.numerator, value.denominator)))

    def constant(self, name: ConstantName) -> Any:
        """Pi or e."""
        return self._at(flint.arb.pi if name == "pi" else flint.arb.const_e)

    def minus_infinity(self) -> Any:
        """A masked entry."""
        return flint.arb.neg_inf()

    def add(self, left: Any, right: Any) -> Any:
        """The sum."""
        return self._at(lambda: left + right)

    def subtract(self, left: Any, right: Any) -> Any:
        """The difference."""
        return self._at(lambda: left - right)

    def multiply(self, left: Any, right: Any) -> Any:
        """The product."""
        return self._at(lambda: left * right)

    def divide(self, left: Any, right: Any) -> Any:
        """The quotient; UndefinedValue for zero, Undecided for a divisor that may be zero."""
        if right.is_zero():
            raise UndefinedValue("a division by zero has no value")
        if right.contains(0):
            raise Undecided(f"whether a divisor is zero is not decided at {self.bits} bits")
        return self._at(lambda: left / right)

    def negate(self, value: Any) -> Any:
        """The opposite."""
        return self._at(lambda: -value)

    def power(self, base: Any, exponent: Fraction) -> Any:
        """A rational power; the base must be positive unless the exponent is an integer."""
        if exponent.denominator == 1 and exponent >= 0:
            return self._at(lambda: whole_power(base, int(exponent)))
        if exponent.denominator == 1:
            return self.divide(self.number(Fraction(1)), self.power(base, -exponent))
        if exponent.denominator == 2:
            return self.power(self.function("sqrt", base), Fraction(exponent.numerator))
        self._inside(base, "power", strictly=True)
        return self._at(lambda: base ** flint.arb(flint.fmpq(exponent.numerator, exponent.denominator)))

    def function(self, name: FunctionName, argument: Any) -> Any:
        """A function of one variable."""
        if name == "sqrt" and self.roots_exist and 0 in argument:
            return self._at(lambda: existing_root(argument))
        if name in ("log", "sqrt"):
            self._inside(argument, "logarithm" if name == "log" else "square root", strictly=name == "log")
        return self._at(lambda: apply(name, argument))

    def _inside(self, argument: Any, what: str, strictly: bool) -> None:
        """Raises where the argument is not certainly positive, or from zero on."""
        if argument < 0 or (strictly and argument.is_zero()):
            raise UndefinedValue(f"the {what} of {argument.str(10, radius=False)} has no real value")
        if not (argument > 0 if strictly else argument >= 0):
            raise Undecided(f"whether a {what} has a value is not decided at {self.bits} bits")

    def softmax(self, logits: Sequence[Any]) -> list[Any]:
        """The weights of one row, each as one over its sum of exponentials of differences."""
        masked = flint.arb.neg_inf()
        finite = [logit for logit in logits if not _is_infinite(logit)]
        if not finite:
            raise UndefinedValue("every entry of the row is masked, so its softmax has no value")
        if any(_is_infinite(logit) and logit != masked for logit in logits):
            raise UndefinedValue("a softmax with an infinite logit has no value")

        def weight(own: Any) -> Any:
            below = flint.arb(0)
            for logit in finite:
                below += (logit - own).exp()
            return 1 / below

        zero = flint.arb(0)
        return [zero if _is_infinite(logit) else self._at(partial(weight, logit)) for logit in logits]

    def maximum(self, values: Sequence[Any]) -> Any:
        """A ball round the largest value, whichever it is."""
        best = values[0]
        for value in values[1:]:
            best = self._at(partial(best.max, value))
        return best

    def sum(self, values: Sequence[Any]) -> Any:
        """The total; 0 for none."""

        def total() -> Any:
            result = flint.arb(0)
            for value in values:
                result += value
            return result

        return self._at(total)

    def is_zero(self, value: Any) -> bool:
        """Whether the ball is the point 0."""
        return bool(value.is_zero())


def existing_root(argument: Any) -> Any:
    """The square root of a number that is not negative, though its ball may reach below 0; at the present precision."""
    return flint.arb(0).union(argument.upper().sqrt()) if 0 in argument else argument.sqrt()


def _is_infinite(ball: Any) -> bool:
    """Whether the ball is plus or minus infinity itself, not merely unbounded."""
    return bool(ball == flint.arb.neg_inf() or ball == flint.arb.pos_inf())
