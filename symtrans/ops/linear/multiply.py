"""The entrywise product of two matrices of one shape."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="multiply",
    operands=(
        Operand("X", ("n", "m")),
        Operand("Z", ("n", "m")),
    ),
    result=Operand("Y", ("n", "m")),
    rule=r"X\odot Z",
    vjp={
        "X": r"\bar{Y}\odot Z",
        "Z": r"\bar{Y}\odot X",
    },
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    sample={"n": 2, "m": 3},
)
