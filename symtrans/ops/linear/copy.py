"""One head's own copy of a matrix that several heads share."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="copy",
    operands=(Operand("W", ("n", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=r"W",
    vjp={"W": r"\bar{Y}"},
    source="Giles (2008), Collected matrix derivative results, 2.2.1",
    sample={"n": 2, "m": 3},
)
