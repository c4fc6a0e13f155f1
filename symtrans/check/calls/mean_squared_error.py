"""The mean of the squared differences of two quantities of one shape."""

from __future__ import annotations

from collections.abc import Sequence

from symtrans.check.call import Arguments, Call, formula
from symtrans.notation.tree import Node


def _meanings(arguments: Arguments) -> Sequence[Node]:
    predicted, target = arguments.get(0, "ypred"), arguments.get(1, "ytrue")
    if predicted is None or target is None:
        return ()
    return (formula(r"\text{mean}((A-B)\odot(A-B))", A=predicted, B=target),)


CALL = Call("mean_squared_error", ("mse", "meansquarederror", "mseloss"), _meanings)
