"""A row added to every row of a matrix."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="add_row",
    operands=(
        Operand("X", ("n", "m")),
        Operand("b", ("1", "m")),
    ),
    result=Operand("Y", ("n", "m")),
    rule=r"X+\mathbf{1}_{n}b",
    vjp={
        "X": r"\bar{Y}",
        "b": r"\mathbf{1}_{n}^{T}\bar{Y}",
    },
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    sample={"n": 2, "m": 3},
)
