"""Attention weights: the softmax of each row of the scores."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="softmax",
    operands=(Operand("S", ("n", "m")),),
    result=Operand("A", ("n", "m")),
    rule=r"\text{softmax}\left(S\right)",
    vjp={"S": r"A\odot\left(\bar{A}-\left(A\odot\bar{A}\right)\mathbf{1}_{m}\mathbf{1}_{m}^{T}\right)"},
    source="Dao et al. (2022), FlashAttention, appendix B.2",
    sample={"n": 2, "m": 3},
)
