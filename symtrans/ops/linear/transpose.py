"""The transpose of a matrix."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="transpose",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("m", "n")),
    rule=r"X^{T}",
    vjp={"X": r"\bar{Y}^{T}"},
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    sample={"n": 2, "m": 3},
)
