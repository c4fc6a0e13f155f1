"""Stages of a sum on paper: every summand worked out, then their total."""

from __future__ import annotations

from symtrans.derive.sides import Sides
from symtrans.exact.field import Element
from symtrans.notation.tree import Group, Node, Product, Sum, Term
from symtrans.ops.interpret import interpret


def evaluated_terms(node: Node, sides: Sides) -> Node | None:
    """A factor times a bracketed sum, with every summand worked out; None where the tree is no such thing."""
    parts = _factor_and_sum(node)
    if parts is None:
        return None
    factor, total = parts
    terms: list[Term] = []
    for term in total.terms:
        value = _value(term.node, sides)
        if value is None:
            return None
        terms.append(Term(term.sign, value))
    return Product((factor, Group(Sum(tuple(terms)), "[")), ("",))


def evaluated_total(node: Node, sides: Sides) -> Node | None:
    """A factor times the worked-out value of a bracketed sum; None where the tree is no such thing."""
    parts = _factor_and_sum(node)
    if parts is None:
        return None
    factor, total = parts
    value = _value(total, sides)
    return None if value is None else Product((factor, value), ("times",))


def _factor_and_sum(node: Node) -> tuple[Node, Sum] | None:
    match node:
        case Product((factor, Group(Sum() as total)), _):
            return factor, total
        case Product((factor, Sum() as total), _):
            return factor, total
        case _:
            return None


def _value(node: Node, sides: Sides) -> Node | None:
    """The exact value of a scalar tree of numbers as a short numeral, or None (let-bound symbols, long decimals)."""
    from symtrans.errors import SymtransError

    try:
        element: Element = interpret(node, {}, sides.values.algebra, {}).item
    except SymtransError:  # symbols: their expanded squares would be no help on paper
        return None
    return sides.short(element)
