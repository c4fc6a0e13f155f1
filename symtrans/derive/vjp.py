r"""Reverse rules as operations: the op whose rule is another op's vjp for one of its operands."""

from __future__ import annotations

from functools import lru_cache

from symtrans.notation.dialect import load_dialect
from symtrans.notation.name import Name
from symtrans.notation.reader import read_name
from symtrans.notation.tree import Fraction, Group, Node, Number, Product, Symbol, rebuild, walk
from symtrans.notation.writer import Writer
from symtrans.ops.formulas import member_names, vjp_tree
from symtrans.ops.op import Op, Operand
from symtrans.ops.shapes import assign


@lru_cache(maxsize=4096)
def vjp_op(op: Op, position: int, count: int, unit_cotangent: bool) -> tuple[Op, tuple[int | str, ...]]:
    r"""The op that computes the cotangent of the operand at `position` of `count` operands.

    Returns it with the sources of its own operands, in order: an index into the forward step's
    operands, "result" for the forward result or "cotangent" for the result's cotangent. With
    `unit_cotangent` the result's cotangent is the number 1 (the loss itself) and its factor is left
    out. The forward op must have a vjp for that operand.
    """
    operand = declared(op, position, count)
    tree = vjp_tree(op, position, count)
    if unit_cotangent:
        tree = without_factor(tree, cotangent_key(op))
    sources: dict[str, int | str] = {cotangent_key(op): "cotangent", name_key(op.result.name): "result"}
    shapes = {cotangent_key(op): op.result.shape, name_key(op.result.name): op.result.shape}
    for index, name in enumerate(member_names(op, count)):
        sources[name.key] = index
        shapes[name.key] = declared(op, index, count).shape
    used: dict[str, Name] = {}
    for node in walk(tree):
        if isinstance(node, Symbol) and isinstance(node.name, Name) and node.name.key in sources:
            used.setdefault(node.name.key, node.name)
    writer = Writer(load_dialect("ams"))
    result = tuple("b-a+1" if letter.endswith("*") else letter for letter in operand.shape)
    part = ("a", "b") if _is_part(operand) else ()
    told = {letter for key in used for letter in shapes[key]} | {*op.settings, *part}
    # A length that no operand of the reverse rule has any more is fixed by the step.
    named = {node.name.key for node in walk(tree) if isinstance(node, Symbol)} | {
        piece.text for node in walk(tree) if isinstance(node, Symbol) and isinstance(node.name, Name)
        for piece in node.name.subscript
    }  # fmt: skip
    letters = {letter for known in shapes.values() for letter in known if letter.isalpha()}
    lost = sorted(letter for letter in letters - told if letter in named or letter in result)
    reverse = Op(
        name=f"{op.name}.vjp{position if not operand.variadic else ''}",
        operands=tuple(Operand(writer.name(name), shapes[key]) for key, name in used.items()),
        result=Operand("G", result),
        rule=writer.expression(tree),
        vjp={},
        source=op.source,
        settings=(*op.settings, *part, *lost),
    )
    return reverse, tuple(sources[key] for key in used)


def declared(op: Op, position: int, count: int) -> Operand:
    """The declared operand that the actual operand at `position` of `count` belongs to."""
    return assign(op, count)[position][0]


def _is_part(operand: Operand) -> bool:
    """Whether an operand is a part of a concatenation, which has its own columns of the result."""
    return operand.variadic and any(letter.endswith("*") for letter in operand.shape)


def name_key(latex: str) -> str:
    """The key of an operand's LaTeX name."""
    return read_name(latex).key


def cotangent_key(op: Op) -> str:
    r"""The key of the result's cotangent, `\bar{Y}`."""
    return name_key(rf"\bar{{{op.result.name}}}")


def without_factor(tree: Node, key: str) -> Node:
    """The tree with the scalar factor of this name left out of every product."""

    def is_factor(node: Node) -> bool:
        return isinstance(node, Symbol) and node.name.key == key

    tree = rebuild(tree, lambda child: without_factor(child, key))
    if isinstance(tree, Fraction) and is_factor(tree.numerator):
        return Fraction(Number("1"), tree.denominator)
    if not isinstance(tree, Product) or not any(is_factor(f) for f in tree.factors):
        return tree
    kept = [(f, o) for f, o in zip(tree.factors, ("", *tree.operators), strict=True) if not is_factor(f)]
    if len(kept) == 1:
        only = kept[0][0]
        return only if isinstance(only, Group | Symbol) else Group(only)
    return Product(tuple(f for f, _ in kept), tuple(o for _, o in kept[1:]))
