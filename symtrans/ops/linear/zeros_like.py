"""Zeros in the shape of a matrix: the gradient of what the loss does not depend on."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="zeros_like",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=r"0X",
    vjp={"X": r"0\bar{Y}"},
    source="Giles (2008), Collected matrix derivative results, 2.1",
    sample={"n": 2, "m": 3},
)
