"""The product of two matrices; its vjp transposes the other factor."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="matmul",
    operands=(Operand("X", ("n", "k")), Operand("W", ("k", "m"))),
    result=Operand("Y", ("n", "m")),
    rule=r"XW",
    vjp={"X": r"\bar{Y}W^{T}", "W": r"X^{T}\bar{Y}"},
    source="Giles (2008), Collected matrix derivative results, 2.2.2",
    sample={"n": 2, "k": 3, "m": 4},
)
