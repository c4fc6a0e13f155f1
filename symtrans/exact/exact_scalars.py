"""Arithmetic on exact elements: rational while it can be, let-bound symbols from the first exp or root on."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

import flint

from symtrans.errors import LimitError, UndefinedValue
from symtrans.exact.field import Circle, Element, Field, FunctionOf, Inverse, SoftmaxWeight, distinct
from symtrans.exact.scalars import ConstantName, FunctionName
from symtrans.exact.sign import sign

MAX_ROOT_BITS = 512  # integers larger than this are not factored for their square part


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
        if (left.infinite or right.infinite) and not (left.is_rational or right.is_rational):
            return left * self.field.rational(sign(right)) if left.infinite else right * self.field.rational(sign(left))
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
        if sign(right) == 0:
            raise UndefinedValue("a division by zero has no value")
        if left.infinite:
            return left if sign(right) > 0 else -left
        quotient = self.field.exact_quotient(left, right)
        if quotient is not None:
            return quotient
        root = self._single_root(right)
        if root is not None:  # 1/sqrt(x) = sqrt(x)/x keeps one symbol for both
            square, scale = root
            return self.divide(left * right, square * scale * scale)
        return left * self.field.bound(("inverse", right), Inverse(right))

    def _single_root(self, value: Element) -> tuple[Element, Element] | None:
        """(x, c) where the value is c·sqrt(x) with a rational c and x, else None."""
        terms = value.terms()
        if len(terms) != 1 or len(terms[0][1]) != 1 or terms[0][1][0][1] != 1:
            return None
        definition = terms[0][1][0][0].definition
        if isinstance(definition, FunctionOf) and definition.name == "sqrt":
            return definition.argument, self.field.rational(terms[0][0])
        return None

    def power(self, base: Element, exponent: Fraction) -> Element:
        """A rational power; the base must be positive unless the exponent is an integer."""
        exponent = Fraction(exponent)
        if exponent.denominator == 1:
            whole = int(exponent)
            if whole < 0:
                return self.divide(self.field.rational(1), self.field.power(base, -whole))
            return self.field.power(base, whole)
        if exponent.denominator == 2:
            root = self.function("sqrt", base)
            return self.power(root, Fraction(exponent.numerator))
        if sign(base) <= 0:
            raise UndefinedValue(f"{base} has no real power of {exponent}")
        return self.function("exp", self.function("log", base) * self.field.rational(exponent))

    def function(self, name: FunctionName, argument: Element) -> Element:
        """A function of one variable, exact where its value is rational, else let-bound."""
        if argument.infinite:
            return self._at_infinity(name, argument.infinite)
        if name == "abs":
            return argument if sign(argument) >= 0 else -argument
        if name == "sqrt":
            return self._root(argument)
        special = {"exp": 1, "log": None, "sin": 0, "cos": 1, "tanh": 0, "sigmoid": Fraction(1, 2), "erf": 0}
        if name not in special:
            raise ValueError(f"no function {name}")
        if argument.is_rational and argument.fraction == 0 and special[name] is not None:
            return self.field.rational(special[name])  # type: ignore[arg-type]
        if name == "log":
            if sign(argument) <= 0:
                raise UndefinedValue(f"the logarithm of {argument} has no real value")
            if argument.is_rational and argument.fraction == 1:
                return self.field.rational(0)
            known = _is_exponential(argument)
            if known is not None:
                return known
        return self.field.bound((name, argument), FunctionOf(name, argument))

    def _at_infinity(self, name: str, side: int) -> Element:
        values = {"exp": 0, "sigmoid": (side + 1) // 2, "tanh": side, "erf": side}
        if name in values and not (name == "exp" and side > 0):
            return self.field.rational(values[name])
        if name == "abs":
            return -self.field.minus_infinity
        raise UndefinedValue(f"{name} has no value at infinity")

    def _root(self, argument: Element) -> Element:
        if sign(argument) < 0:
            raise UndefinedValue(f"the square root of {argument} has no real value")
        if not argument.is_rational:
            root = self.field.bound(("sqrt", argument), FunctionOf("sqrt", argument))
            self.field.square_is(root, argument)
            return root
        value = argument.fraction
        outside, inside = _square_part(value.numerator * value.denominator)
        factor = self.field.rational(Fraction(outside, value.denominator))
        if inside in (0, 1):
            return factor if inside else self.field.rational(0)
        radicand = self.field.rational(inside)
        root = self.field.bound(("sqrt", radicand), FunctionOf("sqrt", radicand))
        self.field.square_is(root, radicand)
        return factor * root

    def softmax(self, logits: Sequence[Element]) -> list[Element]:
        """The weights of one row: rational where all logits are equal, else let-bound but for the last kind."""
        finite = [logit for logit in logits if not logit.infinite]
        if not finite:
            raise UndefinedValue("every entry of the row is masked, so its softmax has no value")
        if any(logit.infinite > 0 for logit in logits):
            raise UndefinedValue("a softmax with an infinite logit has no value")
        kinds = distinct(finite)
        base = kinds[0]
        key = ("softmax", tuple(None if logit.infinite else logit - base for logit in logits))
        shown = tuple(None if logit.infinite else logit for logit in logits)
        weights: dict[Element, Element] = {}
        rest = self.field.rational(1)
        for kind in kinds[:-1]:
            weights[kind] = self.field.bound((*key, kind - base), SoftmaxWeight(shown, logits.index(kind)))
            rest = rest - weights[kind] * self.field.rational(finite.count(kind))
        weights[kinds[-1]] = rest * self.field.rational(Fraction(1, finite.count(kinds[-1])))
        return [self.field.rational(0) if logit.infinite else weights[logit] for logit in logits]

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


def _is_exponential(argument: Element) -> Element | None:
    """x where the argument is exactly exp(x), else None."""
    terms = argument.terms()
    if len(terms) == 1 and terms[0][0] == 1 and len(terms[0][1]) == 1 and terms[0][1][0][1] == 1:
        definition = terms[0][1][0][0].definition
        if isinstance(definition, FunctionOf) and definition.name == "exp":
            return definition.argument
    return None


def _square_part(value: int) -> tuple[int, int]:
    """(s, r) with value = s²·r and r free of squares, for a value from 0 on; a huge value keeps r as it is."""
    root = isqrt(value)
    if root * root == value:
        return root, 1 if value else 0
    if value.bit_length() > MAX_ROOT_BITS:
        raise LimitError("the square root of a number of this size is not computed here")
    if value.bit_length() > 128:
        return 1, value
    outside, inside = 1, 1
    for prime, count in flint.fmpz(value).factor():
        outside *= int(prime) ** (count // 2)
        inside *= int(prime) ** (count % 2)
    return outside, inside
