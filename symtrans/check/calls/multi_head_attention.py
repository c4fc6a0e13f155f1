"""Attention of several heads, each on its share of the columns, side by side and without an output projection."""

from __future__ import annotations

from collections.abc import Sequence

from symtrans.check.call import Arguments, Call, formula
from symtrans.notation.tree import Apply, Group, Node, Number, Slice


def _meanings(arguments: Arguments) -> Sequence[Node]:
    parts = [arguments.get(place, name) for place, name in enumerate("qkv")]
    heads = arguments.integer(3, "nheads", "numheads", "heads", "h")
    shape = arguments.shape(parts[0]) if parts[0] is not None else None
    if None in parts or not heads or not shape or shape[1] % heads:
        return ()
    width = shape[1] // heads
    outputs = []
    for head in range(heads):
        columns = (Number(str(head * width + 1)), Number(str((head + 1) * width)))
        query, key, value = (Slice(Group(part), None, columns) for part in parts if part is not None)
        template = r"\text{softmax}(\frac{Q K^T}{\sqrt{d}}) V"
        outputs.append(formula(template, Q=query, K=key, V=value, d=Number(str(width))))
    return (Apply("Concat", tuple(outputs)),)


CALL = Call("multi_head_attention", ("multiheadattention", "multihead"), _meanings)
