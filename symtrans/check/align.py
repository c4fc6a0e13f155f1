"""A symbolic side against the written-out side after it, factor by factor: which literal stands for what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symtrans.check.stated import ungrouped
from symtrans.document.claims import is_literal
from symtrans.notation.tree import (
    Apply,
    BigSum,
    Fraction,
    Matrix,
    Node,
    Power,
    Product,
    Root,
    Sum,
    Symbol,
    Transpose,
)


@dataclass(frozen=True, slots=True)
class Pair:
    """`literal` stands where the side before has `meaning`, or that one's `entry`-th entry (from 0)."""

    meaning: Node
    literal: Node
    entry: int | None = None


def align(before: Node, after: Node, entry: int | None = None) -> Iterator[Pair]:
    """The pairs of a meaning and a literal; where the structures part, there are none."""
    before, after = ungrouped(before), ungrouped(after)
    if is_literal(after) and not (entry is not None and isinstance(after, Matrix)):
        yield Pair(before, after, entry)
        return
    match before, after:
        case Sum(a), Sum(b) if len(a) == len(b) and all(x.sign == y.sign for x, y in zip(a, b, strict=True)):
            for term, other in zip(a, b, strict=True):
                yield from align(term.node, other.node, entry)
        case BigSum(body, None, None, None), Sum(b) if entry is None and all(y.sign > 0 for y in b):
            for place, other in enumerate(b):
                yield from align(body, other.node, place)
        case BigSum(), BigSum():
            yield from align(before.body, after.body, entry)
        case Product(a, _), Product(b, _) if len(a) == len(b) and _same_division(before, after):
            if entry is None or not _multiplies_matrices(before):
                for x, y in zip(a, b, strict=True):
                    yield from align(x, y, entry)
        case Fraction(), Fraction():
            yield from align(before.numerator, after.numerator, entry)
            yield from align(before.denominator, after.denominator, None)
        case Power(), Power():
            yield from align(before.base, after.base, entry)
            yield from align(before.exponent, after.exponent, entry)
        case Root(), Root():
            yield from align(before.body, after.body, entry)
        case Transpose(), Transpose():
            yield from align(before.base, after.base, None)
        case Apply(f, a, _), Apply(g, b, _) if f == g and len(a) == len(b):
            for x, y in zip(a, b, strict=True):
                yield from align(x, y, entry)
        case Matrix(a), Matrix(b) if entry is None and len(a) == len(b) and len(a[0]) == len(b[0]):
            for row, below in zip(a, b, strict=True):
                for x, y in zip(row, below, strict=True):
                    yield from align(x, y)
        case (Sum() | Product() | Symbol() | Fraction(), Matrix(b)) if entry is None:
            for place, y in enumerate(cell for row in b for cell in row):
                yield from align(before, y, place)


def _same_division(a: Product, b: Product) -> bool:
    """Whether the two products divide at the same places."""
    return all((x == "slash") == (y == "slash") for x, y in zip(a.operators, b.operators, strict=True))


def _multiplies_matrices(product: Product) -> bool:
    """Whether a product may be one of matrices, whose entries are not products of entries."""
    return sum(not isinstance(ungrouped(f), Fraction) and not is_literal(ungrouped(f)) for f in product.factors) > 1


def names_aligned(pairs: list[Pair]) -> dict[Symbol, list[Pair]]:
    """The pairs whose meaning is a name or its transpose, by symbol."""
    found: dict[Symbol, list[Pair]] = {}
    for pair in pairs:
        base = pair.meaning.base if isinstance(pair.meaning, Transpose) else pair.meaning
        base = ungrouped(base)
        if isinstance(base, Symbol):
            found.setdefault(base, []).append(pair)
    return found
