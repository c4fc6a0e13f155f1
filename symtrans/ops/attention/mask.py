"""Scores with an additive mask: 0 where a query may look, minus infinity where it may not."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="mask",
    operands=(
        Operand("S", ("n", "m")),
        Operand("M", ("n", "m")),
    ),
    result=Operand("Z", ("n", "m")),
    rule="S+M",
    vjp={
        "S": r"\bar{Z}",
        "M": r"\bar{Z}",
    },
    source="Vaswani et al. (2017), Attention Is All You Need, 3.2.3",
    sample={"n": 2, "m": 3},
)
