"""A number was taken from the next place: an operand of a neighbour stands in for the right one."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Node, Number, walk


def _variants(tree: Node) -> Iterator[Node]:
    numbers = list(dict.fromkeys(node.text for node in walk(tree) if isinstance(node, Number)))
    if len(numbers) > 12:
        return

    def change(node: Node) -> Iterator[Node]:
        if isinstance(node, Number):
            for text in numbers:
                if text != node.text:
                    yield Number(text)

    yield from each(tree, change)


SLIP = Slip("neighbouring-operand", 40, _variants)
