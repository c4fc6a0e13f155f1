"""The mean over the rows of the negative logarithm of the probability of each row's class."""

from __future__ import annotations

from collections.abc import Sequence

from symtrans.check.call import Arguments, Call, formula
from symtrans.notation.tree import Node, Number


def _meanings(arguments: Arguments) -> Sequence[Node]:
    predicted = arguments.get(0, "predicted", "probs", "p", "ypred")
    target = arguments.get(1, "true", "targets", "labels", "y", "ytrue")
    if predicted is None or target is None:
        return ()
    shape = arguments.shape(predicted)
    if not shape or shape != arguments.shape(target):
        return ()
    template = r"-\frac{1}{n}\text{sum}(Y\odot\log(P))"
    return (formula(template, P=predicted, Y=target, n=Number(str(shape[0]))),)


CALL = Call("cross_entropy", ("crossentropy", "crossentropyloss"), _meanings)
