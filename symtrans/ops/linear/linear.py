"""A projection with a bias: the column b is added to every row, so its cotangent sums over the rows."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="linear",
    operands=(
        Operand("X", ("n", "k")),
        Operand("W", ("k", "m")),
        Operand("b", ("m", "1")),
    ),
    result=Operand("Y", ("n", "m")),
    rule=r"XW+\mathbf{1}_{n}b^{T}",
    vjp={
        "X": r"\bar{Y}W^{T}",
        "W": r"X^{T}\bar{Y}",
        "b": r"\bar{Y}^{T}\mathbf{1}_{n}",
    },
    source="Goodfellow, Bengio and Courville (2016), Deep Learning, algorithm 6.4",
    sample={"n": 2, "k": 3, "m": 4},
)
