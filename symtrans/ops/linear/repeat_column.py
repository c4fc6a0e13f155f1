"""A column repeated m times."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="repeat_column",
    operands=(Operand("c", ("n", "1")),),
    result=Operand("Y", ("n", "m")),
    rule=r"c\mathbf{1}_{m}^{T}",
    vjp={
        "c": r"\bar{Y}\mathbf{1}_{m}",
    },
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    settings=("m",),
    requires=("1<=m",),
    sample={"n": 2, "m": 3},
)
