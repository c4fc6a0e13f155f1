"""Equality of exact values proven where their symbols differ: everything as a quotient of polynomials in exponentials.

`softmax([1, 2])[1]`, `e^1/(e^1+e^2)` and `1/(1+e^{-1})` are let-bound separately and so are unequal as
polynomials; rewritten over common exponentials they are the same quotient, which proves equality.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from symtrans.errors import LimitError, SymtransError, Undecided
from symtrans.exact.enclosure import bounds, enclose
from symtrans.exact.field import Element, FunctionOf, Generator, Inverse, SoftmaxWeight
from symtrans.exact.sign import apart, mix, sign

MAX_SIZE = 3000
MAX_TERMS = 200
MAX_WORK = 20_000
NEAR = 10**30
FIRST_LOOK = 256
"""Bits at which two values are first told apart, before anything is proven."""


def same(left: Element, right: Element) -> bool | None:
    """Whether two values are equal: True and False are proven, None is not known."""
    if left == right:
        return True
    if left.infinite or right.infinite or (left.is_rational and right.is_rational):
        return False
    if not mix(left, right):
        return False if apart(left, right, FIRST_LOOK) else None
    difference = left - right
    if difference.is_rational:
        return difference.fraction == 0
    found = bounds(difference, FIRST_LOOK)
    if found is not None and (found[0] > 0 or found[1] < 0):
        return False
    try:
        if _Quotients().of(difference).is_zero:
            return True
    except (SymtransError, ZeroDivisionError):
        pass
    try:
        return not sign(difference)
    except (LimitError, Undecided):
        return None


def close(left: Element, right: Element) -> bool:
    """Whether enclosures prove that two finite values differ by less than 10^-30, or that part of the left one."""
    one, other = enclose(left, FIRST_LOOK), enclose(right, FIRST_LOOK)
    with flint.ctx.workprec(FIRST_LOOK):
        gap = abs(one - other) * NEAR
        return bool(gap < 1 or gap < abs(one))


Monomial = tuple[tuple[Any, int], ...]
Poly = dict[Monomial, Fraction]


class _Quotient:
    """A numerator and a denominator, polynomials in atoms with integer exponents."""

    def __init__(self, above: Poly, below: Poly) -> None:
        self.above, self.below = above, below

    @property
    def is_zero(self) -> bool:
        return not self.above


class _Quotients:
    """Rewrites elements; an atom is an exponential of a basis argument or a function that stays as it is."""

    def __init__(self) -> None:
        self.work = 0

    def of(self, element: Element) -> _Quotient:
        total = _Quotient({}, {(): Fraction(1)})
        if len(element.terms()) > MAX_TERMS:
            raise Undecided("an identity is too large to prove")
        for coefficient, monomial in element.terms():
            term = _Quotient({(): coefficient}, {(): Fraction(1)})
            for generator, exponent in monomial:
                factor = self._generator(generator)
                for _ in range(exponent):
                    term = _Quotient(_times(term.above, factor.above), _times(term.below, factor.below))
            self.work += (len(total.above) + len(term.above)) * (len(total.below) + len(term.below))
            if self.work > MAX_WORK:
                raise Undecided("an identity is too large to prove")
            total = _sum(total, term)
        return total

    def _generator(self, generator: Generator) -> _Quotient:
        one: Poly = {(): Fraction(1)}
        match generator.definition:
            case SoftmaxWeight(logits, position):
                own = logits[position]
                assert own is not None
                below: Poly = {}
                for logit in logits:
                    if logit is not None:
                        below = _plus(below, self._exponential(logit - own))
                return _Quotient(one, below)
            case FunctionOf("exp", argument):
                return _Quotient(self._exponential(argument), one)
            case FunctionOf("sigmoid", argument):
                return _Quotient(one, _plus(one, self._exponential(-argument)))
            case FunctionOf("tanh", argument):
                up, down = self._exponential(argument), self._exponential(-argument)
                return _Quotient(_plus(up, _scaled(down, -1)), _plus(up, down))
            case Inverse(argument):
                inner = self.of(argument)
                return _Quotient(inner.below, inner.above)
        return _Quotient({((("symbol", generator.index), 1),): Fraction(1)}, one)

    def _exponential(self, argument: Element) -> Poly:
        """The exponential of a sum as a product of powers of the exponentials of its monomials."""
        powers: list[tuple[Any, Fraction]] = []
        for coefficient, monomial in argument.terms():
            key = tuple((g.index, e) for g, e in monomial)
            powers.append((key, coefficient))
        return {tuple(sorted(((("exp", key), power) for key, power in powers), key=repr)): Fraction(1)}  # type: ignore[misc]


def _times(a: Poly, b: Poly) -> Poly:
    if len(a) * len(b) > MAX_SIZE:
        raise Undecided("an identity is too large to prove")
    result: Poly = {}
    for m, x in a.items():
        for n, y in b.items():
            powers: dict[Any, Any] = dict(m)
            for atom, power in n:
                powers[atom] = powers.get(atom, 0) + power
            key = tuple(sorted(((atom, power) for atom, power in powers.items() if power), key=repr))
            result[key] = result.get(key, Fraction(0)) + x * y
    return {m: c for m, c in result.items() if c}


def _plus(a: Poly, b: Poly) -> Poly:
    result = dict(a)
    for m, c in b.items():
        result[m] = result.get(m, Fraction(0)) + c
    return {m: c for m, c in result.items() if c}


def _scaled(a: Poly, factor: int) -> Poly:
    return {m: c * factor for m, c in a.items()}


def _sum(a: _Quotient, b: _Quotient) -> _Quotient:
    if a.below == b.below:
        return _Quotient(_plus(a.above, b.above), a.below)
    return _Quotient(_plus(_times(a.above, b.below), _times(b.above, a.below)), _times(a.below, b.below))
