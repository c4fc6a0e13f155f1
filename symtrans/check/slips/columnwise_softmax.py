"""The softmax was taken along the columns where it goes along the rows, or the other way."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Apply, Node, Transpose


def _change(node: Node) -> Iterator[Node]:
    if isinstance(node, Apply) and node.function == "softmax" and len(node.arguments) == 1:
        yield Transpose(Apply("softmax", (Transpose(node.arguments[0]),)))


SLIP = Slip("columnwise-softmax", 20, lambda tree: each(tree, _change))
