"""The difference of two matrices of one shape."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="subtract",
    operands=(Operand("X", ("n", "m")), Operand("Z", ("n", "m"))),
    result=Operand("Y", ("n", "m")),
    rule=r"X-Z",
    vjp={"X": r"\bar{Y}", "Z": r"-\bar{Y}"},
    source="Giles (2008), Collected matrix derivative results, 2.2.1",
    sample={"n": 2, "m": 3},
)
