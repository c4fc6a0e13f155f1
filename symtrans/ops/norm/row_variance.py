"""The variance of every row about its mean, over all m entries, as a column."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="row_variance",
    operands=(
        Operand("X", ("n", "m")),
        Operand(r"\mu", ("n", "1")),
    ),
    result=Operand("v", ("n", "1")),
    rule=(
        r"\frac{1}{m}\left(\left(X-\mu\mathbf{1}_{m}^{T}\right)\odot\left(X-\mu\mathbf{1}_{m}^{T}\right)"
        r"\right)\mathbf{1}_{m}"
    ),
    vjp={
        "X": r"\frac{2}{m}\left(\bar{v}\mathbf{1}_{m}^{T}\right)\odot\left(X-\mu\mathbf{1}_{m}^{T}\right)",
        r"\mu": r"-\frac{2}{m}\bar{v}\odot\left(\left(X-\mu\mathbf{1}_{m}^{T}\right)\mathbf{1}_{m}\right)",
    },
    source="Ba, Kiros and Hinton (2016), Layer Normalization, eq. 3",
    sample={"n": 2, "m": 3},
)
