"""Functions of one exact value: rational where they can be, else let-bound with the relations that hold."""

from __future__ import annotations

from fractions import Fraction

import flint

from symtrans.errors import LimitError, UndefinedValue
from symtrans.exact.angles import half_turns, sine
from symtrans.exact.field import Element, Field, FunctionOf
from symtrans.exact.scalars import FunctionName
from symtrans.exact.sign import shortened, sign

MAX_FACTORED_BITS = 128  # a number so large is factored in some hundredths of a second

AT_ZERO = {
    "exp": Fraction(1),
    "sin": Fraction(0),
    "cos": Fraction(1),
    "tanh": Fraction(0),
    "sigmoid": Fraction(1, 2),
    "erf": Fraction(0),
}
AT_INFINITY = {
    ("exp", -1): 0,
    ("sigmoid", -1): 0,
    ("sigmoid", 1): 1,
    ("tanh", -1): -1,
    ("tanh", 1): 1,
    ("erf", -1): -1,
    ("erf", 1): 1,
    ("positive", -1): 0,
    ("positive", 1): 1,
}


def apply_exactly(field: Field, name: FunctionName, argument: Element) -> Element:
    """A function of an element, as an element.

    Of an argument and its opposite only the first seen gets a generator: sin, tanh and erf are
    odd, cos is even, sigmoid(-x) is 1 - sigmoid(x). UndefinedValue outside the real domain.
    """
    if argument.infinite:
        return _at_infinity(field, name, argument)
    match name:
        case "abs":
            return argument if sign(argument) >= 0 else -argument
        case "positive":
            return field.rational(int(sign(argument) > 0))
        case "sqrt" | "log":
            side = sign(argument)
            if side < 0 or (side == 0 and name == "log"):
                what = "square root" if name == "sqrt" else "logarithm"
                raise UndefinedValue(f"the {what} of {shortened(argument)} has no real value")
            return _root(field, argument) if name == "sqrt" else _logarithm(field, argument)
    if argument == 0:
        return field.rational(AT_ZERO[name])
    if name == "exp":
        return _exponential(field, argument)
    turns = half_turns(argument) if name in ("sin", "cos") else None
    known = None if turns is None else sine(turns if name == "sin" else turns + Fraction(1, 2))
    if known is not None:
        side, square = known
        return field.rational(side) * _root(field, field.rational(square))
    opposite = field.known((name, -argument))
    if opposite is not None:
        match name:
            case "sin" | "tanh" | "erf":
                return -opposite
            case "cos":
                return opposite
            case "sigmoid":
                return 1 - opposite
    value = field.bound((name, argument), FunctionOf(name, argument))
    if name in ("sin", "cos"):
        other = "cos" if name == "sin" else "sin"
        partner = field.known((other, argument)) or field.known((other, -argument))
        if partner is not None and partner.generators()[0].index < value.generators()[0].index:
            field.square_is(value, 1 - partner * partner)
    return value


def _at_infinity(field: Field, name: FunctionName, argument: Element) -> Element:
    if (name, argument.infinite) in AT_INFINITY:
        return field.rational(AT_INFINITY[name, argument.infinite])
    if name == "abs" or (argument.infinite > 0 and name in ("exp", "log", "sqrt")):
        return -field.minus_infinity
    raise UndefinedValue(f"{name} has no value at {argument}")


def single(element: Element) -> tuple[Fraction, FunctionOf] | None:
    """(c, f(x)) where the element is exactly c·f(x) for a let-bound f(x), else None."""
    terms = element.terms()
    if len(terms) == 1 and len(terms[0][1]) == 1 and terms[0][1][0][1] == 1:
        definition = terms[0][1][0][0].definition
        if isinstance(definition, FunctionOf):
            return terms[0][0], definition
    return None


def _exponential(field: Field, argument: Element) -> Element:
    """exp(n·log x) is a power of x; exp(x)·exp(-x) is 1."""
    found = single(argument)
    if found is not None and found[1].name == "log" and found[0].denominator == 1 and found[0] > 0:
        return field.power(found[1].argument, int(found[0]))
    value = field.bound(("exp", argument), FunctionOf("exp", argument))
    opposite = field.known(("exp", -argument))
    if opposite is not None and opposite.generators()[0].index < value.generators()[0].index:
        field.product_is_one(value, opposite)
    return value


def _logarithm(field: Field, argument: Element) -> Element:
    """log exp x is x, log of a power is a multiple, log 1/q is -log q."""
    found = single(argument)
    if found is not None and found[0] == 1 and found[1].name == "exp":
        return found[1].argument
    if argument.rational is None:
        return field.bound(("log", argument), FunctionOf("log", argument))
    base, exponent = perfect_power(argument.fraction)
    if base == 1:
        return field.rational(0)
    opposite = field.known(("log", field.rational(1 / base)))
    if opposite is not None:
        return opposite * -exponent
    if base.numerator == 1:
        base, exponent = 1 / base, -exponent
    key = field.rational(base)
    return field.bound(("log", key), FunctionOf("log", key)) * exponent


def _root(field: Field, argument: Element) -> Element:
    """c·s where s is let-bound with a known square.

    Rationals whose quotient is a square share one s, the root of a whole number free of squares
    unless it is too large to tell.
    """
    if argument.rational is None:
        value = field.bound(("sqrt", argument), FunctionOf("sqrt", argument))
        field.square_is(value, argument)
        return value
    own = argument.fraction
    exact = rational_root(own, 2)
    if exact is not None:
        return field.rational(exact)
    for generator in field.generators:
        match generator.definition:
            case FunctionOf("sqrt", Element() as seen) if seen.rational is not None:
                factor = rational_root(own / seen.fraction, 2)
                if factor is not None:
                    return field.element(generator) * factor
    outside, inside = _square_part(own)
    radicand = field.rational(inside)
    value = field.bound(("sqrt", radicand), FunctionOf("sqrt", radicand))
    field.square_is(value, radicand)
    return value * outside


def _square_part(value: Fraction) -> tuple[Fraction, Fraction]:
    """(c, r) with value = c²·r, and r a whole number free of squares; (1, value) where that is hard to find."""
    whole = value.numerator * value.denominator
    if whole.bit_length() > MAX_FACTORED_BITS:
        return Fraction(1), value
    outside, inside = 1, 1
    for prime, count in flint.fmpz(whole).factor():
        outside *= int(prime) ** (count // 2)
        inside *= int(prime) ** (count % 2)
    return Fraction(outside, value.denominator), Fraction(inside)


def rational_root(value: Fraction, degree: int) -> Fraction | None:
    """The positive rational whose power to `degree` is the value (which is positive or 0), or None."""
    top, bottom = (whole_root(side, degree) for side in (value.numerator, value.denominator))
    return None if top is None or bottom is None else Fraction(top, bottom)


def whole_root(value: int, degree: int) -> int | None:
    """The integer whose power to `degree` is the value, from 0 on, or None."""
    if value < 2:
        return value
    if degree >= value.bit_length():
        return None
    root = int(flint.fmpz(value).root(degree))
    return root if root**degree == value else None


def perfect_power(value: Fraction) -> tuple[Fraction, int]:
    """(b, k) with value = b^k and k as large as it can be; the value is positive."""
    if value == 1:
        return value, 1
    bits = max(value.numerator, value.denominator).bit_length()
    if bits > 4096:
        raise LimitError("the logarithm of a number of this size is not computed here")
    for degree in range(bits, 1, -1):
        root = rational_root(value, degree)
        if root is not None:
            return root, degree
    return value, 1
