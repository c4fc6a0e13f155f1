"""A row repeated n times."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="repeat_row",
    operands=(Operand("b", ("1", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=r"\mathbf{1}_{n}b",
    vjp={
        "b": r"\mathbf{1}_{n}^{T}\bar{Y}",
    },
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    settings=("n",),
    requires=("1<=n",),
    sample={"n": 2, "m": 3},
)
