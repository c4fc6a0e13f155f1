"""The mean of every row, as a column."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="row_mean",
    operands=(Operand("X", ("n", "m")),),
    result=Operand(r"\mu", ("n", "1")),
    rule=r"\frac{1}{m}X\mathbf{1}_{m}",
    vjp={
        "X": r"\frac{1}{m}\bar{\mu}\mathbf{1}_{m}^{T}",
    },
    source="Ba, Kiros and Hinton (2016), Layer Normalization, eq. 3",
    sample={"n": 2, "m": 3},
)
