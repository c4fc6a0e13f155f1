"""Exact values: rationals, and polynomials over them in let-bound symbols that have exact definitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import flint

from symtrans.errors import LimitError, UndefinedValue

MAX_POWER = 1024
MAX_TERMS = 20_000
MAX_RATIONAL_BITS = 1 << 17


@dataclass(frozen=True, slots=True)
class SoftmaxWeight:
    """The weight at `position` of the softmax of `logits`; None is a masked logit."""

    logits: tuple[Element | None, ...]
    position: int


@dataclass(frozen=True, slots=True)
class FunctionOf:
    """A function (`exp`, `log`, `sqrt`, `sin`, …) of an argument."""

    name: str
    argument: Element


@dataclass(frozen=True, slots=True)
class Inverse:
    """One over the argument, which is not zero."""

    argument: Element


@dataclass(frozen=True, slots=True)
class Circle:
    """The constant pi."""


Definition = SoftmaxWeight | FunctionOf | Inverse | Circle


@dataclass(slots=True, eq=False)
class Generator:
    """A let-bound symbol: its place in the field, its label (set once by who names it) and its definition."""

    index: int
    definition: Definition
    label: str = ""
    memo: dict[int, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.label = self.label or f"t_{self.index + 1}"


class Element:
    """An exact value, immutable: a rational, a polynomial in a field's generators, or an infinity of a mask.

    `+ - *` and `**` with elements, integers and fractions; `==` is identity of value as far as
    polynomials tell it (True is proven, False is not a proof of difference).
    """

    __slots__ = ("_field", "_hash", "_poly", "_q", "infinite")

    def __init__(self, owner: Field, q: Any, poly: Any = None, infinite: int = 0) -> None:
        self._field = owner
        self._q = q
        self._poly = poly
        self.infinite = infinite
        self._hash: int | None = None

    @property
    def is_rational(self) -> bool:
        """Whether this is a rational number."""
        return self._q is not None

    @property
    def rational(self) -> Any:
        """The rational number that this is as FLINT has it, or None."""
        return self._q

    @property
    def fraction(self) -> Fraction:
        """The rational number that this is; ValueError for another element."""
        if self._q is None:
            raise ValueError("this value is not rational")
        return Fraction(int(self._q.p), int(self._q.q))

    def __add__(self, other: Element) -> Element:
        if self._q is not None and other._q is not None:
            return Element(self._field, self._q + other._q)
        if self.infinite or other.infinite:
            if self.infinite and other.infinite and self.infinite != other.infinite:
                raise UndefinedValue("plus infinity and minus infinity have no sum")
            return self if self.infinite else other
        left, right = self._field.lift(self), self._field.lift(other)
        return self._field.wrap(left + right)

    def __neg__(self) -> Element:
        if self._q is not None:
            return Element(self._field, -self._q)
        if self.infinite:
            return Element(self._field, None, None, -self.infinite)
        return Element(self._field, None, -self._poly)

    def __sub__(self, other: Element) -> Element:
        if self._q is not None and other._q is not None:
            return Element(self._field, self._q - other._q)
        return self + -other

    def __mul__(self, other: Element) -> Element:
        if self._q is not None and other._q is not None:
            return Element(self._field, self._q * other._q)
        if self.infinite or other.infinite:
            return self._scaled_infinity(other)
        left, right = self._field.lift(self), self._field.lift(other)
        return self._field.reduce(left * right)

    def _scaled_infinity(self, other: Element) -> Element:
        """An infinity times a rational or another; `ExactScalars.multiply` settles the other signs."""
        factor, infinity = (self, other) if other.infinite else (other, self)
        side = factor.infinite or (0 if factor._q is None else int(factor._q > 0) - int(factor._q < 0))
        if side == 0:
            raise UndefinedValue("zero times infinity has no value; a mask is added, not multiplied")
        return infinity if side > 0 else -infinity

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        if self._q is not None or other._q is not None:
            return bool(self._q == other._q) if self._q is not None and other._q is not None else False
        if self.infinite or other.infinite:
            return self.infinite == other.infinite
        return bool(self._field.lift(self) == self._field.lift(other))

    def __hash__(self) -> int:
        if self._hash is None:
            if self._q is not None:
                self._hash = hash((int(self._q.p), int(self._q.q)))
            elif self.infinite:
                self._hash = hash(("infinite", self.infinite))
            else:
                self._hash = hash(tuple((c, tuple((g.index, e) for g, e in m)) for c, m in self.terms()))
        return self._hash

    def terms(self) -> list[tuple[Fraction, tuple[tuple[Generator, int], ...]]]:
        """Coefficients and monomials, by generator and then by descending power, the constant last."""
        if self._q is not None:
            return [(self.fraction, ())] if self._q else []
        generators = self._field.generators
        found = []
        for exponents, coefficient in sorted(self._poly.to_dict().items(), reverse=True):
            monomial = tuple((generators[i], int(e)) for i, e in enumerate(exponents) if e)
            found.append((Fraction(int(coefficient.p), int(coefficient.q)), monomial))
        return found

    def generators(self) -> list[Generator]:
        """The let-bound symbols that occur, by index."""
        seen = {g.index: g for _, monomial in self.terms() for g, _ in monomial}
        return [seen[index] for index in sorted(seen)]

    def __str__(self) -> str:
        if self.infinite:
            return "oo" if self.infinite > 0 else "-oo"
        if self._q is not None:
            return str(self.fraction)
        text = ""
        for coefficient, monomial in self.terms():
            powers = "*".join(g.label if e == 1 else f"{g.label}^{e}" for g, e in monomial)
            size = abs(coefficient)
            term = powers if powers and size == 1 else f"{size}*{powers}" if powers else str(size)
            sign = "-" if coefficient < 0 else "+"
            text += f" {sign} {term}" if text else ("-" if coefficient < 0 else "") + term
        return text

    def __repr__(self) -> str:
        return f"<exact {self}>"


class Field:
    """Where elements live: it grows a generator for each new value that is not rational."""

    def __init__(self) -> None:
        self.generators: list[Generator] = []
        self._known: dict[Any, Generator] = {}
        self._context = _context(4)
        self._squares: dict[int, Element] = {}
        self.minus_infinity = Element(self, None, None, -1)

    def rational(self, value: Fraction | int) -> Element:
        """A rational number as an element."""
        number = Fraction(value)
        if number.numerator.bit_length() + number.denominator.bit_length() > MAX_RATIONAL_BITS:
            raise LimitError("a number has more digits than are computed with here")
        return Element(self, flint.fmpq(number.numerator, number.denominator))

    def from_flint(self, value: Any) -> Element:
        """A rational number that FLINT computed."""
        return Element(self, value)

    def element(self, generator: Generator) -> Element:
        """The element that is exactly this generator."""
        return Element(self, None, self._context.gen(generator.index))

    def bound(self, key: Any, definition: Definition) -> Element:
        """The generator with this definition; the same key gives the same generator."""
        known = self._known.get(key)
        if known is None:
            known = Generator(len(self.generators), definition)
            self.generators.append(known)
            self._known[key] = known
            if len(self.generators) > self._context.nvars():
                self._context = _context(2 * self._context.nvars())
        return self.element(known)

    def square_is(self, generator: Element, value: Element) -> None:
        """From now on products are reduced by generator² = value."""
        self._squares[generator.generators()[0].index] = value

    def lift(self, element: Element) -> Any:
        """The element's polynomial in the field's current context."""
        if element._poly is None:
            return self._context.constant(element._q)
        if element._poly.context() is not self._context:
            element._poly = element._poly.project_to_context(self._context)
        return element._poly

    def wrap(self, poly: Any) -> Element:
        """A polynomial as an element; a constant one becomes rational."""
        if poly.is_constant():
            return Element(self, flint.fmpq(poly.leading_coefficient()) if poly != 0 else flint.fmpq(0))
        if len(poly) > MAX_TERMS:
            raise LimitError(f"an exact value has more than {MAX_TERMS:,} terms")
        return Element(self, None, poly)

    def reduce(self, poly: Any) -> Element:
        """A product's polynomial with the squares of square roots replaced."""
        if self._squares:
            degrees = poly.degrees()
            for index, value in self._squares.items():
                if degrees[index] >= 2:
                    return self._without_squares(poly, index, value)
        return self.wrap(poly)

    def _without_squares(self, poly: Any, index: int, value: Element) -> Element:
        """The polynomial with generator `index` to the power of at most 1."""
        by_power: dict[int, dict[Any, Any]] = {}
        for exponents, coefficient in poly.to_dict().items():
            power = int(exponents[index])
            rest = tuple(0 if i == index else e for i, e in enumerate(exponents))
            by_power.setdefault(power, {})[rest] = coefficient
        total = self.rational(0)
        root = self.element(self.generators[index])
        for power, part in by_power.items():
            term = self.reduce(self._context.from_dict(part))
            term = term * self.power(value, power // 2)
            total = total + (term * root if power % 2 else term)
        return total

    def power(self, base: Element, exponent: int) -> Element:
        """`base` to an integer power from 0 on, by repeated squaring; LimitError beyond the cap."""
        if exponent > MAX_POWER:
            raise LimitError(f"an exponent of {exponent} is beyond the cap of {MAX_POWER}")
        if base.is_rational:
            size = max(abs(base.fraction.numerator), base.fraction.denominator).bit_length()
            if size * exponent > MAX_RATIONAL_BITS:
                raise LimitError("a power has more digits than are computed with here")
            return self.rational(base.fraction**exponent)
        result = self.rational(1)
        for bit in bin(exponent)[2:]:
            result = result * result
            if bit == "1":
                result = result * base
        return result

    def exact_quotient(self, left: Element, right: Element) -> Element | None:
        """left / right where that is rational or a polynomial again, else None; `right` is not the number 0."""
        if right.is_rational:
            return left * self.rational(1 / right.fraction)
        quotient, remainder = divmod(self.lift(left), self.lift(right))
        return self.wrap(quotient) if remainder == 0 else None


def _context(count: int) -> Any:
    return flint.fmpq_mpoly_ctx.get([f"t{i}" for i in range(count)], "lex")


def distinct(values: Sequence[Element]) -> list[Element]:
    """The values without repetitions, in order of first appearance."""
    return list(dict.fromkeys(values))
