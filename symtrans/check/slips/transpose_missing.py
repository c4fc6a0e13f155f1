"""A transpose was left out, or a factor was transposed that should not be."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Matrix, Node, Symbol, Transpose


def _change(node: Node) -> Iterator[Node]:
    if isinstance(node, Transpose):
        yield node.base
    elif isinstance(node, Matrix | Symbol):
        yield Transpose(node)


SLIP = Slip("transpose-missing", 10, lambda tree: each(tree, _change))
