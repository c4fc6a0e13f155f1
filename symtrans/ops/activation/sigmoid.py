"""The logistic function of every entry."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="sigmoid",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=r"\text{sigmoid}\left(X\right)",
    vjp={
        "X": r"\bar{Y}\odot Y\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}-Y\right)",
    },
    source="Goodfellow, Bengio and Courville (2016), Deep Learning, 3.10",
    sample={"n": 2, "m": 3},
)
