"""Rows moved down by one: the start row s comes first and the last row is left out."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="shift_right",
    operands=(
        Operand("s", ("1", "m")),
        Operand("X", ("n", "m")),
    ),
    result=Operand("Y", ("n", "m")),
    rule=r"{\begin{bmatrix}s\\X\end{bmatrix}}_{1:n,:}",
    vjp={
        "s": r"\bar{Y}_{1:1,:}",
        "X": r"{\begin{bmatrix}\bar{Y}\\0\mathbf{1}_{m}^{T}\end{bmatrix}}_{2:n+1,:}",
    },
    source="Vaswani et al. (2017), Attention Is All You Need, 3.1",
    sample={"n": 3, "m": 2},
)
