"""Half the sum of the squared differences between an output and its target."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="half_sum_of_squares",
    operands=(Operand(r"\hat{y}", ("n", "m")), Operand("y", ("n", "m"))),
    result=Operand("L", ()),
    rule=r"\frac{1}{2}\sum(\hat{y}-y)^2",
    vjp={r"\hat{y}": r"\bar{L}(\hat{y}-y)", "y": r"-\bar{L}(\hat{y}-y)"},
    source="Bishop (2006), Pattern Recognition and Machine Learning, eq. 5.11",
    sample={"n": 2, "m": 3},
)
