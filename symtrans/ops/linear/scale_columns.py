"""Every column of a matrix times its own number: the row g stands in every row."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="scale_columns",
    operands=(
        Operand("X", ("n", "m")),
        Operand("g", ("1", "m")),
    ),
    result=Operand("Y", ("n", "m")),
    rule=r"X\odot\left(\mathbf{1}_{n}g\right)",
    vjp={
        "X": r"\bar{Y}\odot\left(\mathbf{1}_{n}g\right)",
        "g": r"\mathbf{1}_{n}^{T}\left(\bar{Y}\odot X\right)",
    },
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    sample={"n": 2, "m": 3},
)
