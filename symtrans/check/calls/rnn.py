"""The last hidden state of a plain recurrent network: h = tanh(W_x x + W_h h + b), one step a row of the input."""

from __future__ import annotations

from collections.abc import Sequence

from symtrans.check.call import Arguments, Call, formula
from symtrans.notation.tree import Group, Node, Number, Slice, Transpose

MOST_STEPS = 20


def _meanings(arguments: Arguments) -> Sequence[Node]:
    inputs = arguments.get(0, "x", "inputs", "inputsequence")
    names = (("h0", "initialhiddenstate"), ("wx",), ("wh",), ("b", "bias"))
    parts = [arguments.get(place, *spelled) for place, spelled in enumerate(names, 1)]
    shape = arguments.shape(inputs) if inputs is not None else None
    if inputs is None or None in parts or not shape or shape[0] > MOST_STEPS:
        return ()
    state, by_input, by_state, bias = (part for part in parts if part is not None)
    row: Node = state
    for step in range(1, shape[0] + 1):
        place = Number(str(step))
        vector = Slice(Group(inputs), (place, place), None)
        weights = {"A": Transpose(Group(by_input)), "B": Transpose(Group(by_state))}
        row = formula(r"\tanh(X A+H B+C)", X=vector, H=Group(row), C=bias, **weights)
    return (row,)


CALL = Call("rnn", ("rnn", "rnnforward"), _meanings)
