"""Calls of functions that nothing tells here, `PE(1, 2)`, as names: each stands for one number, wherever it is told."""

from __future__ import annotations

from dataclasses import replace

from symtrans.check.call import meanings
from symtrans.check.heads import UNRULED
from symtrans.check.world import World
from symtrans.document.claims import Side, Statement
from symtrans.notation.brackets import KEYWORD
from symtrans.notation.name import Name
from symtrans.notation.tree import Apply, Node, Number, Symbol, rebuild, walk
from symtrans.ops.counting import COUNTED
from symtrans.ops.functions import FUNCTIONS


def with_called_names(statement: Statement, world: World) -> Statement:
    """The statement with such calls as names; itself where there are none.

    One that is told again at the head of a statement stays a call: it may be told with other digits.
    """
    sides = [side if side is None or side.node is None else _side(side, side.node) for side in statement.sides]
    head = sides[0].node if sides[0] is not None else None
    if isinstance(head, Symbol) and world.find(head.name) is not None:
        sides[0] = statement.sides[0]
    same = all(new is old for new, old in zip(sides, statement.sides, strict=True))
    return statement if same else replace(statement, sides=tuple(sides))


def _side(side: Side, node: Node) -> Side:
    if not any(_is_name(part) for part in walk(node)):
        return side
    return replace(side, node=_named(node))


def _named(node: Node) -> Node:
    if isinstance(node, Apply) and _is_name(node):
        places = ", ".join(part.text for part in node.arguments if isinstance(part, Number))
        return Symbol(Name(f"{node.function}({places})"), span=node.span)
    return rebuild(node, _named)


def _is_name(node: Node) -> bool:
    """Whether a node is a call with numbers written out, of a function that has no rule and no known meaning."""
    if (
        not isinstance(node, Apply)
        or node.function in (*FUNCTIONS, *COUNTED, *UNRULED, KEYWORD, "Reals")
        or node.subscript is not None
    ):
        return False
    numbers = bool(node.arguments) and all(isinstance(part, Number) for part in node.arguments)
    return numbers and not meanings(node, lambda _: None)
