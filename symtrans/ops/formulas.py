r"""An op's formulas as trees: read once, with a variadic operand's `X_1+\ldots+X_h` written out to its count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from symtrans.notation.name import Name, Script
from symtrans.notation.reader import read_expression, read_name
from symtrans.notation.tree import Dots, Matrix, Node, Sum, Symbol, Term, rebuild, substitute
from symtrans.ops.algebra import Algebra
from symtrans.ops.interpret import interpret
from symtrans.ops.op import Op
from symtrans.ops.shapes import assign, bind
from symtrans.ops.tensor import Tensor

S = TypeVar("S")


@lru_cache(maxsize=4096)
def member_names(op: Op, count: int) -> tuple[Name, ...]:
    """The names that `count` actual operands have in the op's formulas: `X_1`, `X_2` for a variadic `X`."""
    names = []
    for operand, place in assign(op, count):
        name = read_name(operand.name)
        assert isinstance(name, Name)
        names.append(replace(name, subscript=(Script(str(place)),)) if place else name)
    return tuple(names)


@lru_cache(maxsize=4096)
def rule_tree(op: Op, count: int) -> Node:
    """The op's rule for `count` actual operands."""
    return _written_out(read_expression(op.rule), op, count)


@lru_cache(maxsize=4096)
def vjp_tree(op: Op, position: int, count: int) -> Node:
    """The cotangent of the actual operand at `position`; KeyError where the op lets none pass."""
    operand, place = assign(op, count)[position]
    tree = _written_out(read_expression(op.vjp[operand.name]), op, count)
    if not place:
        return tree
    own, member = read_name(operand.name), member_names(op, count)[position]

    def meant(symbol: Symbol) -> Node | None:
        return Symbol(member) if symbol.name == own else None

    return substitute(tree, meant)


def run(
    op: Op, operands: Sequence[Tensor[S]], algebra: Algebra[S], settings: Mapping[str, int] | None = None
) -> Tensor[S]:
    """The op carried out on tensors of one kind of entries; ShapeError where their shapes do not fit."""
    lengths = bind(op, [tensor.shape for tensor in operands], settings)
    names = {n.key: tensor for n, tensor in zip(member_names(op, len(operands)), operands, strict=True)}
    return interpret(rule_tree(op, len(operands)), names, algebra, lengths, by_rows=True)


def _written_out(node: Node, op: Op, count: int) -> Node:
    """The tree with every `X_1 … X_h` of a variadic operand replaced by all its members."""
    if not any(operand.variadic for operand in op.operands):
        return node
    variadic = {read_name(operand.name).key for operand in op.operands if operand.variadic}
    members: dict[str, list[Node]] = {}
    for (operand, place), name in zip(assign(op, count), member_names(op, count), strict=True):
        if place:
            members.setdefault(read_name(operand.name).key, []).append(Symbol(name))

    def family(item: Node) -> str | None:
        if isinstance(item, Symbol) and isinstance(item.name, Name) and item.name.subscript:
            key = replace(item.name, subscript=()).key
            return key if key in variadic else None
        return None

    def expanded(items: Sequence[Node]) -> list[Node]:
        for place, item in enumerate(items):
            if isinstance(item, Dots) and 0 < place < len(items) - 1:
                key = family(items[place - 1])
                if key is not None and key == family(items[place + 1]):
                    return [*items[: place - 1], *members[key], *items[place + 2 :]]
        return list(items)

    node = rebuild(node, lambda child: _written_out(child, op, count))
    if isinstance(node, Sum) and any(isinstance(term.node, Dots) for term in node.terms):
        terms = expanded([term.node for term in node.terms])
        return terms[0] if len(terms) == 1 else Sum(tuple(Term(1, term) for term in terms))
    if isinstance(node, Matrix) and any(isinstance(cell, Dots) for cell in node.rows[0]):
        return Matrix((tuple(expanded(node.rows[0])),))
    return node
