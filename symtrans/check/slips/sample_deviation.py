"""The sum of squares was divided by n - 1 where the deviation of the whole population divides by n."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.check.variants import each
from symtrans.notation.tree import Apply, Fraction, Group, Matrix, Node, Number, Product, Root


def _change(node: Node) -> Iterator[Node]:
    if isinstance(node, Apply) and node.function in ("std", "var") and len(node.arguments) == 1:
        vector = node.arguments[0]
        count = len(vector.rows[0]) * len(vector.rows) if isinstance(vector, Matrix) else len(node.arguments)
        if count > 1:
            more = Fraction(Number(str(count)), Number(str(count - 1)))
            yield Product((node, Group(Root(more) if node.function == "std" else more)), ("times",))


SLIP = Slip("sample-deviation", 15, lambda tree: each(tree, _change))
