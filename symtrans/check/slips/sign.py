"""A sign was lost: of the whole, or of one summand."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Node, Sum, Term


def _variants(tree: Node) -> Iterator[Node]:
    yield Sum((Term(-1, tree),))
    yield from each(tree, _change)


def _change(node: Node) -> Iterator[Node]:
    if isinstance(node, Sum):
        for place, term in enumerate(node.terms):
            changed = Term(-term.sign, term.node)
            yield Sum((*node.terms[:place], changed, *node.terms[place + 1 :]))


SLIP = Slip("sign", 13, _variants)
