"""A matrix times a scalar; the scalar's cotangent sums over all entries."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="scale",
    operands=(Operand("c", ()), Operand("X", ("n", "m"))),
    result=Operand("Y", ("n", "m")),
    rule=r"cX",
    vjp={"c": r"\sum\left(\bar{Y}\odot X\right)", "X": r"c\bar{Y}"},
    source="Magnus and Neudecker, Matrix Differential Calculus, ch. 9",
    sample={"n": 2, "m": 3},
)
