"""The mean cross-entropy of logits Z and targets Y, whose rows add up to 1, over the rows where k is 1."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="cross_entropy",
    operands=(
        Operand("Z", ("n", "m")),
        Operand("Y", ("n", "m")),
        Operand("k", ("n", "1")),
    ),
    result=Operand("L", ()),
    rule=(
        r"\frac{1}{\sum k}\sum\left(k\odot\left(\log\left(e^{Z}\mathbf{1}_{m}\right)-\left(Z\odot Y\right)"
        r"\mathbf{1}_{m}\right)\right)"
    ),
    vjp={
        "Z": (
            r"\frac{\bar{L}}{\sum k}\left(k\mathbf{1}_{m}^{T}\right)\odot\left(\text{softmax}\left(Z\right)-Y"
            r"\right)"
        ),
        "Y": r"-\frac{\bar{L}}{\sum k}\left(k\mathbf{1}_{m}^{T}\right)\odot Z",
        "k": (
            r"\frac{\bar{L}}{\sum k}\left(\log\left(e^{Z}\mathbf{1}_{m}\right)-\left(Z\odot Y\right)"
            r"\mathbf{1}_{m}-L\mathbf{1}_{n}\right)"
        ),
    },
    source="Goodfellow, Bengio and Courville (2016), Deep Learning, 6.2.2.3",
    sample={"n": 2, "m": 3},
)
