"""The entries were divided by their sum where a softmax is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Apply, Fraction, Node


def _change(node: Node) -> Iterator[Node]:
    if isinstance(node, Apply) and node.function == "softmax" and len(node.arguments) == 1:
        yield Fraction(node.arguments[0], Apply("sum", node.arguments))


SLIP = Slip("plain-normalisation", 21, lambda tree: each(tree, _change))
