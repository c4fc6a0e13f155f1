"""The square of every entry."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="square",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=r"X\odot X",
    vjp={"X": r"2\bar{Y}\odot X"},
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    sample={"n": 2, "m": 3},
)
