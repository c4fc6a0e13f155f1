"""Scaled dot-product attention, softmax(Q Kᵀ / √d) V; the weights alone are no call of their own."""

from __future__ import annotations

from collections.abc import Sequence

from symtrans.check.call import Arguments, Call, formula
from symtrans.notation.tree import Node, Number


def _meanings(arguments: Arguments) -> Sequence[Node]:
    query, key, value = arguments.get(0, "q"), arguments.get(1, "k"), arguments.get(2, "v")
    if query is None or key is None or value is None:
        return ()
    shape = arguments.shape(key)
    if not shape:
        return ()
    return (formula(r"\text{softmax}(\frac{Q K^T}{\sqrt{d}}) V", Q=query, K=key, V=value, d=Number(str(shape[1]))),)


CALL = Call("attention", ("selfattention", "scaleddotproductattention", "attention"), _meanings)
