"""The mean of the squared differences between an output and its target."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="mean_squared_error",
    operands=(
        Operand(r"\hat{y}", ("n", "m")),
        Operand("y", ("n", "m")),
    ),
    result=Operand("L", ()),
    rule=r"\frac{1}{nm}\sum(\hat{y}-y)^2",
    vjp={
        r"\hat{y}": r"\frac{2}{nm}\bar{L}(\hat{y}-y)",
        "y": r"-\frac{2}{nm}\bar{L}(\hat{y}-y)",
    },
    source="Goodfellow, Bengio and Courville (2016), Deep Learning, eq. 5.4",
    sample={"n": 2, "m": 3},
)
