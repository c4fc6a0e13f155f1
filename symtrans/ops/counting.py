"""Rational numbers that a formula tells by itself: exponents, bounds of sums, ranges of rows and columns."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, factorial

from symtrans.errors import LimitError, SymtransError
from symtrans.notation.tree import Fraction as FractionNode
from symtrans.notation.tree import Group, Node, Number, Power, Product, Sum, Symbol

MAX_DIGITS = 1000
MAX_BITS = 4096
MAX_COUNTED = 200
COUNTED = ("factorial", "binom")


def numeral(text: str) -> Fraction:
    """The value of an unsigned numeral as written: `2`, `2.0`, `.5`, `1.2e-3`."""
    mantissa, _, exponent = text.lower().partition("e")
    if len(mantissa) > MAX_DIGITS or len(exponent) > 4:
        raise LimitError(f"the number {text[:12]}… is longer than {MAX_DIGITS} digits")
    try:
        return Fraction(text)
    except ValueError:
        raise SymtransError(f"{text} is not a number as it is written here") from None


def rational(node: Node, lengths: Mapping[str, int]) -> Fraction | None:
    """The value of a formula of numbers and lengths, or None where it has other parts."""
    match node:
        case Number(text):
            return numeral(text)
        case Symbol(name):
            return None if name.key not in lengths else Fraction(lengths[name.key])
        case Group(body):
            return rational(body, lengths)
        case Sum(terms):
            total = Fraction(0)
            for term in terms:
                value = rational(term.node, lengths)
                if value is None:
                    return None
                total += term.sign * value
            return total
        case FractionNode(numerator, denominator):
            return _quotient(rational(numerator, lengths), rational(denominator, lengths))
        case Power(base, exponent):
            return _power(rational(base, lengths), rational(exponent, lengths))
        case Product(factors, operators):
            if set(operators) - {"", "times", "cdot", "slash"}:
                return None
            result: Fraction | None = rational(factors[0], lengths)
            for operator, factor in zip(operators, factors[1:], strict=True):
                value = rational(factor, lengths)
                if result is None or value is None:
                    return None
                result = _quotient(result, value) if operator == "slash" else result * value
            return result
    return None


def integer(node: Node, lengths: Mapping[str, int]) -> int:
    """The integer that a formula of numbers and lengths tells; a SymtransError where it tells none."""
    value = rational(node, lengths)
    if value is None or value.denominator != 1:
        raise SymtransError("a range or bound must be a whole number known beforehand")
    return int(value)


def counted(function: str, arguments: tuple[Node, ...], lengths: Mapping[str, int]) -> int:
    """A factorial or a binomial of whole numbers told beforehand; a SymtransError for others."""
    numbers = [rational(argument, lengths) for argument in arguments]
    if any(n is None or n.denominator != 1 or n < 0 for n in numbers):
        raise SymtransError(f"{function} of something that is not a whole number written out")
    whole = [int(n) for n in numbers if n is not None]
    if max(whole) > MAX_COUNTED:
        raise LimitError(f"{function} of a number above {MAX_COUNTED}")
    return factorial(whole[0]) if function == "factorial" else comb(whole[0], whole[1])


def _quotient(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    return a / b if a is not None and b else None


def _power(base: Fraction | None, exponent: Fraction | None) -> Fraction | None:
    """A whole power from 0 on; LimitError for one of more than `MAX_BITS` bits."""
    if base is None or exponent is None or exponent.denominator != 1 or exponent < 0:
        return None
    if max(abs(base.numerator), base.denominator).bit_length() * exponent > MAX_BITS:
        raise LimitError("an exponent, bound or range is told by a number that is too large")
    return base ** int(exponent)
