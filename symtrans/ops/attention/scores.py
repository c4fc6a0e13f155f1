"""The scalar product of every query with every key."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="scores",
    operands=(Operand("Q", ("n", "k")), Operand("K", ("m", "k"))),
    result=Operand("S", ("n", "m")),
    rule=r"QK^{T}",
    vjp={"Q": r"\bar{S}K", "K": r"\bar{S}^{T}Q"},
    source="Vaswani et al. (2017), Attention Is All You Need, eq. 1",
    sample={"n": 2, "k": 3, "m": 4},
)
