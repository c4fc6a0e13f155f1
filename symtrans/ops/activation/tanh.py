"""The hyperbolic tangent of every entry."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="tanh",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=r"\tanh\left(X\right)",
    vjp={
        "X": r"\bar{Y}\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}-Y\odot Y\right)",
    },
    source="Goodfellow, Bengio and Courville (2016), Deep Learning, 6.3.2",
    sample={"n": 2, "m": 3},
)
