"""Exact values as numerals on paper: decimals, fractions, expressions in let-bound symbols, or proven roundings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from symtrans.exact.decimals import Printed, exactly
from symtrans.exact.field import Element, Generator
from symtrans.exact.rounding import certify
from symtrans.notation import tree
from symtrans.notation.tree import Constant, Node, Number, Power, Product, Sum, Term

Kind = Literal["integer", "decimal", "natural"]

LONGEST_EXACT = 12  # significant digits beyond which a terminating decimal is rounded like any other
SHORT_FRACTION = 6  # digits above or below the line up to which an endless decimal is written as its fraction
LONGEST_FRACTION = 60  # digits above or below the line beyond which a fraction is rounded
MOST_TERMS = 10  # terms beyond which an expression in let-bound symbols is not written out


@dataclass(frozen=True, slots=True)
class Style:
    """How numbers are written: decimals or fractions, and the significant digits of a rounded one.

    `full`: matrices of more than twelve rows or columns are written whole, too.
    """

    numbers: Literal["decimal", "fraction"] = "decimal"
    digits: int = 6
    full: bool = False


def signed(negative: bool, node: Node) -> Node:
    """The node, or its negative."""
    return Sum((Term(-1, node),)) if negative else node


def exact_text(above: int, below: int, kind: Kind, style: Style) -> str | None:
    """A rational in lowest terms written exactly, as a numeral matrix has it; None where no form is short enough."""
    if style.numbers == "decimal" or below == 1:
        printed = _terminating(Fraction(abs(above), below), kind, style)
        if printed is not None:
            return f"-{printed.plain}" if above < 0 else printed.plain
    longest = LONGEST_FRACTION if style.numbers == "fraction" else SHORT_FRACTION
    if below == 1 or not -(10**longest) < above < 10**longest or below >= 10**longest:
        return None
    return f"{above}/{below}"


def exact_texts(ratios: Iterable[tuple[int, int]], kind: Kind, style: Style) -> list[str] | None:
    """Rationals in lowest terms as `exact_text` writes them; None where one of them is not written exactly."""
    told: list[str] = []
    limit = 10 ** (LONGEST_FRACTION if style.numbers == "fraction" else 0)
    for above, below in ratios:
        if below != 1 and below < limit and -limit < above < limit:
            told.append(f"{above}/{below}")
            continue
        text = exact_text(above, below, kind, style)
        if text is None:
            return None
        told.append(text)
    return told


def rounded_text(value: Element, kind: Kind, style: Style) -> str:
    """A rational to the style's significant digits as a numeral matrix has it; exact where it ends within them."""
    exact = _terminating(abs(value.fraction), kind, Style("decimal", style.digits))
    if exact is not None:
        return f"-{exact.plain}" if value.fraction < 0 else exact.plain
    return certify(value, style.digits).plain


def exact_rational(value: Fraction, kind: Kind, style: Style) -> Node | None:
    """A rational written exactly: a decimal that ends, or a fraction; None where neither is short enough."""
    size = abs(value)
    decimal = None if style.numbers == "fraction" and size.denominator != 1 else terminating(value, kind, style)
    if decimal is not None:
        return decimal
    fraction = _fraction(size, LONGEST_FRACTION if style.numbers == "fraction" else SHORT_FRACTION)
    return None if fraction is None or size.denominator == 1 else signed(value < 0, fraction)


def terminating(value: Fraction, kind: Kind, style: Style) -> Node | None:
    """A rational as a decimal that ends and is short, or None."""
    printed = _terminating(abs(value), kind, style)
    return None if printed is None else signed(value < 0, numeral(printed))


def _terminating(size: Fraction, kind: Kind, style: Style) -> Printed | None:
    printed = exactly(size, max(LONGEST_EXACT, style.digits))
    if printed is None:
        return None
    if kind == "decimal" and printed.exponent is None and "." not in printed.text and style.numbers == "decimal":
        return replace(printed, text=printed.text + ".0")
    return printed


def _fraction(size: Fraction, longest: int) -> Node | None:
    """A positive fraction as it is, or None where a number in it is longer than `longest` digits."""
    if max(size.numerator, size.denominator) >= 10**longest:
        return None
    return tree.Fraction(Number(str(size.numerator)), Number(str(size.denominator)))


def exact_entry(value: Element, kind: Kind, style: Style, symbol: Callable[[Generator], Node]) -> Node | None:
    """An exact value written out, or None where it has no short exact form."""
    if value.infinite:
        return signed(value.infinite < 0, Constant("infty"))
    if value.is_rational:
        return exact_rational(value.fraction, kind, style)
    terms = value.terms()
    if len(terms) > MOST_TERMS:
        return None
    written: list[Term] = []
    for coefficient, monomial in terms:
        size = exact_rational(abs(coefficient), "natural", style)
        if size is None:
            size = _fraction(abs(coefficient), LONGEST_EXACT)
        if size is None:
            return None
        written.append(Term(-1 if coefficient < 0 else 1, _term(size, monomial, symbol)))
    if written[0].sign < 0 and written[-1].sign > 0:  # 1-a rather than -a+1
        written.reverse()
    return written[0].node if len(written) == 1 and written[0].sign > 0 else Sum(tuple(written))


def _term(size: Node, monomial: tuple[tuple[Generator, int], ...], symbol: Callable[[Generator], Node]) -> Node:
    """A coefficient times powers of symbols; a coefficient of one is left out."""
    powers: list[Node] = []
    for generator, exponent in monomial:
        base = symbol(generator)
        powers.append(base if exponent == 1 else Power(base, Number(str(exponent))))
    factors = powers if powers and size == Number("1") else [size, *powers]
    return factors[0] if len(factors) == 1 else Product(tuple(factors), tuple("" for _ in factors[1:]))


def rounded_entry(value: Element, kind: Kind, style: Style) -> Node:
    """A value to the style's significant digits, each proven; exact where it terminates within them."""
    if value.infinite:
        return signed(value.infinite < 0, Constant("infty"))
    if value.is_rational:
        exact = terminating(value.fraction, kind, Style("decimal", style.digits))
        if exact is not None:
            return exact
    return numeral(certify(value, style.digits))


def numeral(printed: Printed) -> Node:
    """A certified decimal as a tree: `25.9499`, or `6.54103` times a power of ten."""
    negative = printed.text.startswith("-")
    digits: Node = Number(printed.text.lstrip("-"))
    if printed.exponent is not None:
        exponent = signed(printed.exponent < 0, Number(str(abs(printed.exponent))))
        digits = Product((digits, Power(Number("10"), exponent)), ("times",))
    return signed(negative, digits)
