"""The tree's nodes below nodes: in written order, for every kind, and put back in the same order."""

from __future__ import annotations

import pytest

from symtrans.notation.name import Name
from symtrans.notation.reader import read_expression
from symtrans.notation.tree import (
    Apply,
    BigSum,
    Constant,
    Dots,
    Fraction,
    Group,
    Matrix,
    Node,
    Number,
    Power,
    Product,
    Root,
    Slice,
    Sum,
    Symbol,
    Term,
    Transpose,
    children,
    rebuild,
    walk,
)

A, B, C, D, E = (Number(str(n)) for n in range(1, 6))
BELOW = [
    (A, ()),
    (Symbol(Name("x")), ()),
    (Constant("pi"), ()),
    (Dots(), ()),
    (Matrix(((A, B), (C, D))), (A, B, C, D)),
    (Sum((Term(1, A), Term(-1, B))), (A, B)),
    (Product((A, B, C), ("", "times")), (A, B, C)),
    (Fraction(A, B), (A, B)),
    (Power(A, B), (A, B)),
    (Transpose(A), (A,)),
    (Root(A), (A,)),
    (Root(A, B), (A, B)),
    (Group(A, "["), (A,)),
    (Apply("max", (A, B)), (A, B)),
    (Apply("log", (A,), B), (A, B)),
    (BigSum(A), (A,)),
    (BigSum(A, Name("i"), B, C), (A, B, C)),
    (Slice(A, None, (B, C)), (A, B, C)),
    (Slice(A, (B, C), None), (A, B, C)),
    (Slice(A, (B, C), (D, E)), (A, B, C, D, E)),
]


@pytest.mark.parametrize(("node", "below"), BELOW)
def test_what_stands_below(node: Node, below: tuple[Node, ...]) -> None:
    assert tuple(children(node)) == below
    met: list[Node] = []

    def seen(child: Node) -> Node:
        met.append(child)
        return child

    assert rebuild(node, seen) == node
    assert tuple(met) == below
    other = rebuild(node, lambda child: Number("9"))
    assert tuple(children(other)) == (Number("9"),) * len(below)


def test_every_kind_is_tried() -> None:
    assert {type(node).__name__ for node, _ in BELOW} == {kind.__name__ for kind in Node.__subclasses__()}


def test_a_walk_goes_in_written_order() -> None:
    numbers = [node.text for node in walk(read_expression(r"1+\frac{2}{3}\sqrt[4]{5}-6^7")) if isinstance(node, Number)]
    assert numbers == ["1", "2", "3", "5", "4", "6", "7"]  # a root's body comes before its degree
    tree = Sum((Term(1, Product((A, B), ("",))), Term(1, C)))
    assert list(walk(tree)) == [tree, Product((A, B), ("",)), A, B, C]


def test_a_walk_does_not_mind_depth() -> None:
    node: Node = A
    for _ in range(5000):
        node = Group(node)
    assert sum(1 for _ in walk(node)) == 5001
