"""A factor was left out, or a division was not done."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Fraction, Node, Product


def _change(node: Node) -> Iterator[Node]:
    if isinstance(node, Fraction):
        yield node.numerator
    elif isinstance(node, Product) and len(node.factors) > 1:
        for place in range(len(node.factors)):
            if place == 0 and node.operators[0] == "slash":
                continue
            factors = node.factors[:place] + node.factors[place + 1 :]
            at = max(place - 1, 0)
            operators = node.operators[:at] + node.operators[at + 1 :]
            yield factors[0] if len(factors) == 1 else Product(factors, operators)


SLIP = Slip("scale-missing", 12, lambda tree: each(tree, _change))
