"""The sum of matrices of one shape; each summand takes the whole cotangent."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="add",
    operands=(Operand("X", ("n", "m"), variadic=True),),
    result=Operand("Y", ("n", "m")),
    rule=r"X_1+\ldots+X_h",
    vjp={"X": r"\bar{Y}"},
    source="Giles (2008), Collected matrix derivative results, 2.2.1",
    sample={"n": 2, "m": 3},
)
