"""The softmax was left out: its argument stands where its value belongs."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Apply, Node


def _change(node: Node) -> Iterator[Node]:
    if isinstance(node, Apply) and node.function == "softmax" and len(node.arguments) == 1:
        yield node.arguments[0]


SLIP = Slip("softmax-skipped", 22, lambda tree: each(tree, _change))
