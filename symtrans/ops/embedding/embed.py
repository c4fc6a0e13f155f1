"""Token embedding: each one-hot row of O picks its row of E; repeated tokens add up in the cotangent."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="embed",
    operands=(
        Operand("O", ("n", "m")),
        Operand("E", ("m", "d")),
    ),
    result=Operand("X", ("n", "d")),
    rule="OE",
    vjp={
        "O": r"\bar{X}E^{T}",
        "E": r"O^{T}\bar{X}",
    },
    source="Vaswani et al. (2017), Attention Is All You Need, 3.4",
    sample={"n": 3, "m": 4, "d": 2},
)
