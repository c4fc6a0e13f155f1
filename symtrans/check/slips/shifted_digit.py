"""The decimal point was moved: the result is ten times too large or too small, or more."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.check.slip import Slip
from symtrans.notation.tree import Node, Number, Product


def _variants(tree: Node) -> Iterator[Node]:
    for factor in ("10", "0.1", "100", "0.01"):
        yield Product((Number(factor), tree), ("times",))


SLIP = Slip("shifted-digit", 30, _variants)
