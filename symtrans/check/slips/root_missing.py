"""A square root was left out: a division by d where it is one by √d."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Node, Root


def _change(node: Node) -> Iterator[Node]:
    if isinstance(node, Root):
        yield node.body


SLIP = Slip("root-missing", 11, lambda tree: each(tree, _change))
