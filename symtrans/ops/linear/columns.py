"""Columns a to b of a matrix; the cotangent goes back to their places by rows of the identity."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="columns",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("n", "b-a+1")),
    rule=r"X_{:,a:b}",
    vjp={"X": r"\bar{Y}{\mathbf{I}_{m}}_{a:b,:}"},
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    settings=(
        "a",
        "b",
    ),
    requires=(
        "1<=a",
        "a<=b",
        "b<=m",
    ),
    sample={"n": 2, "m": 4, "a": 2, "b": 3},
)
