"""Negative entries become 0; the gradient at 0 is taken as 0."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="relu",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=r"\text{ReLU}\left(X\right)",
    vjp={
        "X": r"\bar{Y}\odot\text{positive}\left(X\right)",
    },
    source="Goodfellow, Bengio and Courville (2016), Deep Learning, 6.3",
    sample={"n": 2, "m": 3},
)
