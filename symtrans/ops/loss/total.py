"""The sum of all entries."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="total",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("L", ()),
    rule=r"\sum X",
    vjp={"X": r"\bar{L}\mathbf{1}_{n}\mathbf{1}_{m}^{T}"},
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    sample={"n": 2, "m": 3},
)
