"""The logarithm was taken to another base: 2 or 10 where the natural one is meant, or the other way."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Apply, Node, Number


def _change(node: Node) -> Iterator[Node]:
    if isinstance(node, Apply) and node.function in ("log", "ln", "lg"):
        for base in (Number("2"), Number("10"), None):
            if base != node.subscript or node.function == "lg":
                yield Apply("log", node.arguments, base)


SLIP = Slip("logarithm-base", 14, lambda tree: each(tree, _change))
