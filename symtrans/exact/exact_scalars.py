"""Arithmetic on exact elements: rational while it can be, let-bound symbols from the first exp or root on."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symtrans.errors import UndefinedValue
from symtrans.exact.field import Circle, Element, Field, FunctionOf, Generator, Inverse
from symtrans.exact.functions import apply_exactly, rational_root
from symtrans.exact.scalars import ConstantName, FunctionName
from symtrans.exact.sign import shortened, sign
from symtrans.exact.softmax import softmax_weights


class ExactScalars:
    """The scalars of one field; every result is exact."""

    def __init__(self, field: Field | None = None) -> None:
        self.field = field or Field()

    def number(self, value: Fraction) -> Element:
        """A rational number."""
        return self.field.rational(value)

    def constant(self, name: ConstantName) -> Element:
        """Pi or e, let-bound."""
        if name == "pi":
            return self.field.bound("pi", Circle())
        return self.function("exp", self.field.rational(1))

    def minus_infinity(self) -> Element:
        """A masked entry."""
        return self.field.minus_infinity

    def add(self, left: Element, right: Element) -> Element:
        """The sum."""
        return left + right

    def subtract(self, left: Element, right: Element) -> Element:
        """The difference."""
        return left - right

    def multiply(self, left: Element, right: Element) -> Element:
        """The product."""
        if left.infinite or right.infinite:
            infinity, factor = (left, right) if left.infinite else (right, left)
            return infinity * sign(factor)
        return left * right

    def negate(self, value: Element) -> Element:
        """The opposite."""
        return -value

    def divide(self, left: Element, right: Element) -> Element:
        """The quotient; UndefinedValue for a divisor of zero."""
        if right.infinite:
            if left.infinite:
                raise UndefinedValue("infinity divided by infinity has no value")
            return self.field.rational(0)
        side = sign(right)
        if side == 0:
            raise UndefinedValue("a division by zero has no value")
        if left.infinite:
            return left if side > 0 else -left
        if left == 0:
            return left
        quotient = self.field.exact_quotient(left, right)
        return left * self._inverse(right) if quotient is None else quotient

    def _inverse(self, value: Element) -> Element:
        """One over a value that is not zero: 1/sqrt(x) is sqrt(x)/x, 1/exp(x) is exp(-x); multiples share a symbol."""
        if value.is_rational:
            return self.field.rational(1 / value.fraction)
        monomial = self.field.common_monomial(value)
        if not monomial.is_rational:
            result = self.field.rational(1)
            for generator, exponent in monomial.terms()[0][1]:
                result = result * self.field.power(self._inverse_of(generator), exponent)
            rest = self.field.exact_quotient(value, monomial)
            assert rest is not None
            return result * self._inverse(rest)
        leading = value.terms()[0][0]
        monic = value * (1 / leading)
        known = self.field.known(("inverse", monic))
        if known is None:
            symbol = self.field.bound(("inverse of", value), Inverse(value))
            self.field.product_is_one(symbol, value)
            known = symbol * leading
            self.field.keep(("inverse", monic), known)
        return known * (1 / leading)

    def _inverse_of(self, generator: Generator) -> Element:
        own = self.field.element(generator)
        match generator.definition:
            case FunctionOf("sqrt", argument):
                return own * self._inverse(argument)
            case FunctionOf("exp", argument):
                return self.function("exp", -argument)
            case Inverse(argument):
                return argument
        symbol = self.field.bound(("inverse of", own), Inverse(own))
        self.field.product_is_one(symbol, own)
        return symbol

    def power(self, base: Element, exponent: Fraction) -> Element:
        """A rational power; the base must not be negative unless the exponent is an integer."""
        exponent = Fraction(exponent)
        if base.infinite:
            raise UndefinedValue("a power of infinity has no value here")
        if exponent < 0:
            return self.divide(self.field.rational(1), self.power(base, -exponent))
        if exponent.denominator == 1:
            return self.field.power(base, int(exponent))
        side = sign(base)
        if side < 0:
            raise UndefinedValue(f"{shortened(base)} has no real power of {exponent}")
        if side == 0:
            return self.field.rational(0)
        if exponent.denominator == 2:
            return self.field.power(self.function("sqrt", base), exponent.numerator)
        if base.is_rational:
            root = rational_root(base.fraction, exponent.denominator)
            if root is not None:
                return self.field.power(self.field.rational(root), exponent.numerator)
        return self.function("exp", self.function("log", base) * exponent)

    def function(self, name: FunctionName, argument: Element) -> Element:
        """A function of one variable, exact where its value is rational, else let-bound."""
        return apply_exactly(self.field, name, argument)

    def softmax(self, logits: Sequence[Element]) -> list[Element]:
        """The weights of one row: rational where all logits are equal, else let-bound but for one kind."""
        return softmax_weights(self.field, logits)

    def maximum(self, values: Sequence[Element]) -> Element:
        """The largest value; Undecided where two are not told apart."""
        best = values[0]
        for value in values[1:]:
            if value != best and not (value.infinite < 0) and (best.infinite < 0 or sign(value - best) > 0):
                best = value
        return best

    def sum(self, values: Sequence[Element]) -> Element:
        """The total; 0 for none."""
        total = values[0] if values else self.field.rational(0)
        for value in values[1:]:
            total = total + value
        return total

    def is_zero(self, value: Element) -> bool:
        """Whether the value is certainly zero."""
        return value.is_rational and value.fraction == 0
