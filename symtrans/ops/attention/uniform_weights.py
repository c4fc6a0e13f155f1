"""Attention weights held fixed, all alike, whatever the scores are."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="uniform_weights",
    operands=(Operand("S", ("n", "m")),),
    result=Operand("A", ("n", "m")),
    rule=r"\frac{1}{m}\mathbf{1}_{n}\mathbf{1}_{m}^{T}",
    vjp={},
    source="a worked example's simplification",
    stops="weights_fixed",
    sample={"n": 2, "m": 3},
)
