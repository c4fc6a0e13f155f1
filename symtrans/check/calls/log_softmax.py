"""The logarithm of the softmax of each row."""

from __future__ import annotations

from collections.abc import Sequence

from symtrans.check.call import Arguments, Call, formula
from symtrans.notation.tree import Node


def _meanings(arguments: Arguments) -> Sequence[Node]:
    scores = arguments.get(0, "x", "scores", "logits")
    return () if scores is None else (formula(r"\log(\text{softmax}(X))", X=scores),)


CALL = Call("log_softmax", ("logsoftmax",), _meanings)
