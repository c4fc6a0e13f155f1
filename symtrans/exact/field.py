"""Exact values: rationals, and polynomials over them in let-bound symbols that have exact definitions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import flint

from symtrans.errors import LimitError, Undecided, UndefinedValue
from symtrans.exact.relations import Relations

MAX_POWER = 1024
MAX_TERMS = 20_000
MAX_TERM_PRODUCTS = 4_000_000
MAX_RATIONAL_BITS = 1 << 17

Monomial = tuple[tuple["Generator", int], ...]


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


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A value that is known by its enclosures: `ball(bits)` contains it, and narrows as the bits grow."""

    ball: Callable[[int], flint.arb]


Definition = SoftmaxWeight | FunctionOf | Inverse | Circle | Enclosed


@dataclass(slots=True, eq=False)
class Generator:
    """A let-bound symbol: its place in the field, its label (set once by who names it) and its definition.

    `memo` keeps its enclosures by their precision in bits.
    """

    index: int
    definition: Definition
    label: str = ""
    memo: dict[int, flint.arb] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.label = self.label or f"t_{self.index + 1}"


class Element:
    """An exact value, immutable: a rational, a polynomial in a field's generators, or an infinity of a mask.

    `+ - *` with elements, integers and fractions, `**` with an integer from 0 on; `==` is identity
    of value as far as polynomials tell it (True is proven, False is not a proof of difference).
    Elements of two fields meet only where both are rational; other mixtures are a ValueError.
    """

    __slots__ = ("_field", "_hash", "_poly", "_q", "infinite", "memo")

    def __init__(
        self, owner: Field, q: flint.fmpq | None, poly: flint.fmpq_mpoly | None = None, infinite: int = 0
    ) -> None:
        self._field = owner
        self._q = q
        self._poly = poly
        self.infinite = infinite
        self._hash: int | None = None
        self.memo: dict[int, flint.arb] | None = None  # a polynomial's enclosures by their bits

    @property
    def is_rational(self) -> bool:
        """Whether this is a rational number."""
        return self._q is not None

    @property
    def home(self) -> Field:
        """The field that this belongs to; a rational number or an infinity is at home in all."""
        return self._field

    @property
    def is_enclosed(self) -> bool:
        """Whether this is known by its enclosures only (see `Field.enclosed`)."""
        return self._poly is not None and self._field.is_of_enclosures

    @property
    def length(self) -> int:
        """How many terms the polynomial has; 0 for a number and an infinity."""
        return 0 if self._poly is None else len(self._poly)

    @property
    def height(self) -> int:
        """The bits of the polynomial's leading coefficient; 0 for a number and an infinity."""
        return int(self._poly.leading_coefficient().height_bits()) if self._poly is not None and self._poly else 0

    @property
    def rational(self) -> flint.fmpq | None:
        """The rational number that this is as FLINT has it, or None."""
        return self._q

    @property
    def fraction(self) -> Fraction:
        """The rational number that this is; ValueError for another element."""
        if self._q is None:
            raise ValueError("this value is not rational")
        return _fraction(self._q)

    def __add__(self, other: Element | int | Fraction) -> Element:
        if other.__class__ is not Element:
            other = self._field.rational(other)  # type: ignore[arg-type]
        if self._q is not None and other._q is not None:
            return Element(self._field, self._q + other._q)
        if self.infinite or other.infinite:
            if self.infinite and other.infinite and self.infinite != other.infinite:
                raise UndefinedValue("plus infinity and minus infinity have no sum")
            return self if self.infinite else other
        home = self._field if self._q is None else other._field
        return home.wrap(home.lift(self) + home.lift(other))

    def __neg__(self) -> Element:
        if self._q is not None:
            return Element(self._field, -self._q)
        return Element(self._field, None, None if self._poly is None else -self._poly, -self.infinite)

    def __sub__(self, other: Element | int | Fraction) -> Element:
        if other.__class__ is not Element:
            other = self._field.rational(other)  # type: ignore[arg-type]
        if self._q is not None and other._q is not None:
            return Element(self._field, self._q - other._q)
        return self + -other

    def __mul__(self, other: Element | int | Fraction) -> Element:
        if other.__class__ is not Element:
            other = self._field.rational(other)  # type: ignore[arg-type]
        if self._q is not None and other._q is not None:
            return self._field.from_flint(self._q * other._q)
        if self.infinite or other.infinite:
            return _scaled_infinity(self, other)
        home = self._field if self._q is None else other._field
        return home.product(home.lift(self), home.lift(other))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: int | Fraction) -> Element:
        return self._field.rational(other) - self

    def __pow__(self, exponent: int) -> Element:
        return self._field.power(self, exponent)

    def is_identically_zero(self) -> bool:
        """Whether the value is proven to be zero once every inverse is multiplied out."""
        return self._field.cleared(self)._q == 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return isinstance(other, int | Fraction) and self._q is not None and _fraction(self._q) == other
        if self._q is not None or other._q is not None:
            return self._q is not None and other._q is not None and self._q == other._q
        if self.infinite or other.infinite:
            return self.infinite == other.infinite
        return self._field is other._field and self._field.lift(self) == self._field.lift(other)

    def __hash__(self) -> int:
        if self._hash is None:
            if self._q is not None:
                self._hash = hash(self._q)  # FLINT's is Python's, so that it is the equal fraction's too
            elif self.infinite:
                self._hash = hash(("infinite", self.infinite))
            else:
                self._hash = hash(tuple((c, tuple((g.index, e) for g, e in m)) for c, m in self.terms()))
        return self._hash

    def monomials(self) -> Iterator[tuple[flint.fmpq, Monomial]]:
        """Coefficients and monomials in no promised order; nothing for 0 and for an infinity."""
        if self._poly is None:
            if self._q:
                yield self._q, ()
            return
        occurring = self.generators()
        for exponents, coefficient in self._poly.to_dict().items():
            yield coefficient, tuple((g, int(exponents[g.index])) for g in occurring if exponents[g.index])

    def terms(self) -> list[tuple[Fraction, Monomial]]:
        """Coefficients and monomials, by generator and then by descending power, the constant last."""
        poly = self._poly
        if poly is None:
            return [(self.fraction, ())] if self._q else []
        order = sorted(zip(poly.to_dict(), self.monomials(), strict=True), key=lambda pair: pair[0], reverse=True)
        return [(_fraction(coefficient), monomial) for _, (coefficient, monomial) in order]

    def generators(self) -> list[Generator]:
        """The let-bound symbols that occur, by index."""
        degrees = () if self._poly is None else self._poly.degrees()
        return [self._field.generators[index] for index, degree in enumerate(degrees) if degree > 0]

    def __str__(self) -> str:
        if self.infinite:
            return "oo" if self.infinite > 0 else "-oo"
        if self._q is not None:
            return str(self._q)
        text = ""
        for coefficient, monomial in self.terms():
            powers = "*".join(g.label if e == 1 else f"{g.label}^{e}" for g, e in monomial)
            size = ratio_text(abs(coefficient))
            term = powers if powers and size == "1" else f"{size}*{powers}" if powers else size
            sign = "-" if coefficient < 0 else "+"
            text += f" {sign} {term}" if text else ("-" if coefficient < 0 else "") + term
        return text

    def __repr__(self) -> str:
        return f"<exact {self}>"


class Field:
    """Where elements live: it grows a generator for each new value that is not rational, `most` in all.

    One generator more is a LimitError.
    """

    def __init__(self, most: int | None = None) -> None:
        self.generators: list[Generator] = []
        self.most = most
        self.is_of_enclosures = False
        self.minus_infinity = Element(self, None, None, -1)
        self._known: dict[Hashable, Element] = {}
        self._context = _context(4)
        self._relations: Relations[Element] = Relations()

    # --- elements

    def rational(self, value: Fraction | int) -> Element:
        """A rational number as an element; TypeError for a float."""
        if not isinstance(value, int | Fraction):
            raise TypeError(f"an exact value is made of integers and fractions, not of {type(value).__name__}")
        return self.from_flint(flint.fmpq(value.numerator, value.denominator))

    def from_flint(self, value: flint.fmpq) -> Element:
        """A rational number that FLINT computed."""
        if value.height_bits() > MAX_RATIONAL_BITS:
            raise LimitError("a number has more digits than are computed with here")
        return Element(self, value)

    def element(self, generator: Generator) -> Element:
        """The element that is exactly this generator."""
        return Element(self, None, self._context.gen(generator.index))

    def known(self, key: Hashable) -> Element | None:
        """The element that was bound or kept under this key, or None."""
        return self._known.get(key)

    def keep(self, key: Hashable, value: Element) -> None:
        """From now on `known(key)` is this value."""
        self._known[key] = value

    def bound(self, key: Hashable, definition: Definition) -> Element:
        """The generator with this definition; the same key gives the same generator."""
        known = self._known.get(key)
        if known is None:
            if self.most is not None and len(self.generators) >= self.most:
                raise LimitError(f"more than {self.most} let-bound symbols")
            known = self._known[key] = self._grown(Generator(len(self.generators), definition))
        return known

    def enclosed(self, ball: Callable[[int], flint.arb], label: str) -> Element:
        """A value that is known by its enclosures only; the field is one of such values from now on.

        Nothing is computed exactly with it: it is there to be printed and compared.
        """
        self.is_of_enclosures = True
        return self._grown(Generator(len(self.generators), Enclosed(ball), label))

    def _grown(self, generator: Generator) -> Element:
        self.generators.append(generator)
        if len(self.generators) > self._context.nvars():
            self._context = _context(2 * self._context.nvars())
        return self.element(generator)

    def square_is(self, generator: Element, value: Element) -> None:
        """From now on products are reduced by generator² = value, a value in older generators."""
        self._relations.squares[generator.generators()[0].index] = value

    def product_is_one(self, generator: Element, value: Element) -> None:
        """From now on products are reduced by generator · value = 1, a value in older generators."""
        self._relations.reciprocals[generator.generators()[0].index] = value

    # --- polynomials

    def lift(self, element: Element) -> flint.fmpq_mpoly:
        """The element's polynomial in the field's current context."""
        poly = element._poly
        if poly is None:
            if element._q is None:
                raise ValueError("an infinity is no polynomial")
            return self._context.constant(element._q)
        if element._field is not self:
            raise ValueError("elements of two fields do not mix")
        if poly.context() is not self._context:
            poly = element._poly = poly.project_to_context(self._context)
        return poly

    def wrap(self, poly: flint.fmpq_mpoly) -> Element:
        """A polynomial as an element; a constant one becomes rational."""
        if poly.is_constant():
            return self.from_flint(flint.fmpq(poly.leading_coefficient()) if poly else flint.fmpq(0))
        if len(poly) > MAX_TERMS:
            raise LimitError(f"an exact value has more than {MAX_TERMS:,} terms")
        return Element(self, None, poly)

    def product(self, left: flint.fmpq_mpoly, right: flint.fmpq_mpoly) -> Element:
        """The product of two polynomials, reduced by the field's relations."""
        if len(left) * len(right) > MAX_TERM_PRODUCTS:
            raise LimitError(f"a product has more than {MAX_TERM_PRODUCTS:,} terms to multiply out")
        return self.wrap(self._relations.reduce(left * right, self.lift))

    def power(self, base: Element, exponent: int) -> Element:
        """`base` to an integer power from 0 on; LimitError beyond the caps, ValueError below 0."""
        if exponent < 0:
            raise ValueError("a negative power is a quotient")
        if base._q is not None:
            if base._q.height_bits() > 1 and (base._q.height_bits() - 1) * exponent > MAX_RATIONAL_BITS:
                raise LimitError("a power has more digits than are computed with here")
            return self.rational(base.fraction**exponent)
        if exponent > MAX_POWER:
            raise LimitError(f"an exponent of {exponent} is beyond the cap of {MAX_POWER}")
        result = self.rational(1)
        for bit in bin(exponent)[2:]:
            result = result * result
            if bit == "1":
                result = result * base
        return result

    def exact_quotient(self, left: Element, right: Element) -> Element | None:
        """left / right where that is rational or a polynomial again, else None; `right` is not the number 0."""
        if right._q is not None:
            return left * self.from_flint(1 / right._q)
        quotient, remainder = divmod(self.lift(left), self.lift(right))
        return None if remainder else self.wrap(quotient)

    def common_monomial(self, element: Element) -> Element:
        """The product of generators that divides every term, with coefficient 1."""
        return self.wrap(self.lift(element).term_content())

    def cleared(self, element: Element) -> Element:
        """The element times a product of values that are not zero, with no inverse left in it."""
        return element if element._poly is None else self.wrap(self._relations.cleared(self.lift(element), self.lift))


def ratio_text(value: Fraction) -> str:
    """A rational number as text, `27/10`; Python itself refuses to write one of more than 4,300 digits."""
    return str(flint.fmpq(value.numerator, value.denominator))


def _scaled_infinity(one: Element, other: Element) -> Element:
    """An infinity times something whose sign is plain to see."""
    infinity, factor = (one, other) if one.infinite else (other, one)
    if factor.infinite or factor.rational is not None:
        side = factor.infinite or (factor.fraction > 0) - (factor.fraction < 0)
        if side == 0:
            raise UndefinedValue("zero times infinity has no value; a mask is added, not multiplied")
        return infinity if side > 0 else -infinity
    raise Undecided("an infinity is scaled only by a factor whose sign is known")


def _fraction(value: flint.fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _context(count: int) -> flint.fmpq_mpoly_ctx:
    return flint.fmpq_mpoly_ctx.get([f"t{i}" for i in range(count)], "lex")


def distinct(values: Sequence[Element]) -> list[Element]:
    """The values without repetitions, in order of first appearance."""
    return list(dict.fromkeys(values))
