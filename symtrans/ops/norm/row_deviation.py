"""The standard deviation of every row about its mean, over all m entries, as a column."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="row_deviation",
    operands=(
        Operand("X", ("n", "m")),
        Operand(r"\mu", ("n", "1")),
    ),
    result=Operand(r"\sigma", ("n", "1")),
    rule=(
        r"\sqrt{\frac{1}{m}\left(\left(X-\mu\mathbf{1}_{m}^{T}\right)\odot\left(X-\mu\mathbf{1}_{m}^{T}"
        r"\right)\right)\mathbf{1}_{m}}"
    ),
    vjp={
        "X": (
            r"\frac{1}{m}\left(\frac{\bar{\sigma}}{\sigma}\mathbf{1}_{m}^{T}\right)\odot\left(X-\mu"
            r"\mathbf{1}_{m}^{T}\right)"
        ),
        r"\mu": (
            r"-\frac{1}{m}\frac{\bar{\sigma}}{\sigma}\odot\left(\left(X-\mu\mathbf{1}_{m}^{T}\right)"
            r"\mathbf{1}_{m}\right)"
        ),
    },
    source="Ba, Kiros and Hinton (2016), Layer Normalization, eq. 3",
    sample={"n": 2, "m": 3},
)
