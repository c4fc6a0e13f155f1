"""Scores with a slope times a given matrix of distances (ALiBi)."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="distance_bias",
    operands=(
        Operand("S", ("n", "m")),
        Operand("c", ()),
        Operand("D", ("n", "m")),
    ),
    result=Operand("Z", ("n", "m")),
    rule="S+cD",
    vjp={
        "S": r"\bar{Z}",
        "c": r"\sum\left(\bar{Z}\odot D\right)",
        "D": r"c\bar{Z}",
    },
    source="Press, Smith and Lewis (2022), Train Short, Test Long, section 3",
    sample={"n": 2, "m": 3},
)
