r"""The definitions of let-bound symbols: `a_{11}=\frac{e^{12}}{e^{12}+e^{14}}\approx 0.119203`."""

from __future__ import annotations

from symtrans.derive.sides import Sides
from symtrans.exact.field import Circle, Element, FunctionOf, Generator, Inverse, SoftmaxWeight
from symtrans.notation.tree import Apply, Chain, Constant, Fraction, Link, Node, Number, Power, Root, Sum, Symbol, Term


def definition_chain(generator: Generator, sides: Sides) -> Chain:
    """Symbol = exact definition ≈ certified decimal."""
    name = Symbol(sides.values.symbol(generator))
    definition, rounded = definition_tree(generator, sides)
    decimal = sides.rounded(sides.values.field.element(generator))
    return Chain((name, definition, decimal), (Link("≈" if rounded else "="), Link("≈")))


def definition_tree(generator: Generator, sides: Sides) -> tuple[Node, bool]:
    """The defining expression, and whether a value in it had to be rounded."""
    rounded = False

    def number(element: Element) -> Node:
        nonlocal rounded
        side = sides.scalar(element)
        rounded |= side.rounded
        return side.node

    match generator.definition:
        case SoftmaxWeight(logits, position):
            powers = [None if logit is None else _exponential(number(logit)) for logit in logits]
            above = powers[position]
            assert above is not None
            below = Sum(tuple(Term(1, power) for power in powers if power is not None))
            return Fraction(above, below), rounded
        case FunctionOf("exp", argument):
            return _exponential(number(argument)), rounded
        case FunctionOf("sqrt", argument):
            return Root(number(argument)), rounded
        case FunctionOf(function, argument):
            return Apply(function, (number(argument),)), rounded
        case Inverse(argument):
            return Fraction(Number("1"), number(argument)), rounded
        case Circle():
            return Constant("pi"), False
        case _:
            raise ValueError(f"a let-bound symbol has the unknown definition {generator.definition}")


def _exponential(exponent: Node) -> Node:
    return Power(Constant("e"), exponent)
