"""A right side as its author wrote it: which of its entries are numerals, and how many digits each one promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symtrans.errors import SymtransError
from symtrans.exact.written import Written
from symtrans.notation.tree import Constant, Fraction, Group, Matrix, Node, Number, Power, Product, Sum


@dataclass(frozen=True, slots=True)
class Numeral:
    """A signed number as written; `decimals` are those that it promises, None where it must be exact."""

    node: Node
    written: Written
    decimals: int | None


@dataclass(frozen=True, slots=True)
class Stated:
    """The entries of a side, row by row: a numeral each, or None for an expression.

    `about`: only approximate equality is claimed (≈).
    """

    shape: tuple[int, ...]
    cells: tuple[Numeral | None, ...]
    nodes: tuple[Node, ...]
    about: bool = False

    @property
    def significant(self) -> int:
        """The largest number of digits that count of a numeral with decimals; 0 where there is none."""
        shown = [c.written for c in self.cells if c is not None and c.decimals is not None and not c.written.is_integer]
        return max((written.significant for written in shown), default=0)

    @property
    def decimals(self) -> int | None:
        """The largest number of decimals shown, or None where there is no numeral with decimals."""
        shown = [c.written.decimals for c in self.cells if c is not None and c.written.decimals is not None]
        return max(shown) if shown and max(shown) > 0 else None


def stated(node: Node, relation: str = "=") -> Stated:
    """The entries of a side and what they promise.

    An integer is exact; among decimals in one matrix it promises as many as they do, and alone
    after ≈ it promises the nearest integer.
    """
    node = ungrouped(node)
    if isinstance(node, Matrix):
        nodes = tuple(cell for row in node.rows for cell in row)
        cells = tuple(numeral(cell) for cell in nodes)
        most = max((c.written.decimals or 0 for c in cells if c is not None), default=0)
        filled = tuple(
            c if c is None or c.decimals is not None or not most else _among_decimals(c, most) for c in cells
        )
        return Stated((len(node.rows), len(node.rows[0])), filled, nodes, relation == "≈")
    number = numeral(node)
    if number is not None and number.decimals is None and number.written.is_integer and relation == "≈":
        number = replace(number, decimals=0)
    return Stated((), (number,), (node,), relation == "≈")


def _among_decimals(cell: Numeral, most: int) -> Numeral:
    return replace(cell, decimals=most) if cell.written.is_integer else cell


def widths(cells: Sequence[Numeral | None]) -> tuple[int | None, ...]:
    """The decimals that each entry is rounded to, None where it has none.

    One with fewer digits than its neighbours has lost its last zeros: 0.5 beside 0.4321 is 0.5000.
    """
    numerals = [c for c in cells if c is not None]
    decimals = max((c.decimals or 0 for c in numerals), default=0)
    digits = max((c.written.significant for c in numerals), default=0)

    def width(cell: Numeral) -> int:
        if cell.written.value == 0:
            return decimals
        own = cell.decimals or 0
        return max(own, min(decimals, own + digits - cell.written.significant))

    return tuple(None if c is None or not c.decimals else width(c) for c in cells)


def ungrouped(node: Node) -> Node:
    """What stands inside brackets that only group."""
    while isinstance(node, Group) and node.bracket in ("(", "[", "{"):
        node = node.body
    return node


def numeral(node: Node) -> Numeral | None:
    """A numeral with its sign, power of ten or percent sign; None for anything else."""
    text = _text(ungrouped(node))
    if text is None:
        return None
    try:
        written = Written.parse(text)
    except SymtransError:
        return None
    exact = written.is_integer or written.decimals is None
    return Numeral(node, written, None if exact else written.decimals)


def _text(node: Node) -> str | None:
    match node:
        case Number(text):
            return text
        case Sum(terms) if len(terms) == 1 and terms[0].sign < 0:
            inner = _text(ungrouped(terms[0].node))
            return None if inner is None or inner.startswith("-") else f"-{inner}"
        case Product((Number(text), Power(Number("10"), exponent)), (operator,)) if operator in ("times", "cdot"):
            power = _text(ungrouped(exponent))
            plain = power is not None and "." not in power and "e" not in text.lower()
            return f"{text}e{power}" if plain else None
        case Sum((term,)):
            return _text(term.node)
        case Fraction(Number(text), Number("100", span=span)) if span is None and "e" not in text.lower():
            return f"{text}e-2"  # a percentage
    return None


def is_infinite(node: Node) -> bool:
    """Whether an entry is plus or minus infinity."""
    node = ungrouped(node)
    if isinstance(node, Sum) and len(node.terms) == 1:
        node = ungrouped(node.terms[0].node)
    return isinstance(node, Constant) and node.which == "infty"
