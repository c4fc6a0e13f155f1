"""Scores with one learned number per diagonal: b holds those of j-i from 1-n to m-1."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="relative_bias",
    operands=(
        Operand("S", ("n", "m")),
        Operand("b", ("1", "l")),
    ),
    result=Operand("Z", ("n", "m")),
    rule=r"S+\sum_{i=1}^{n}{\mathbf{I}_{n}}_{:,i:i}b_{:,n-i+1:n-i+m}",
    vjp={
        "S": r"\bar{Z}",
        "b": r"\sum_{i=1}^{n}\bar{Z}_{i:i,:}{\mathbf{I}_{l}}_{n-i+1:n-i+m,:}",
    },
    source="Raffel et al. (2020), Exploring the Limits of Transfer Learning, 2.1",
    requires=(
        "l<=n+m-1",
        "n+m-1<=l",
    ),
    sample={"n": 2, "m": 3, "l": 4},
)
