"""The standard deviation of every row as that of a sample: the squares are divided by m-1."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="row_deviation_of_sample",
    operands=(
        Operand("X", ("n", "m")),
        Operand(r"\mu", ("n", "1")),
    ),
    result=Operand(r"\sigma", ("n", "1")),
    rule=(
        r"\sqrt{\frac{1}{m-1}\left(\left(X-\mu\mathbf{1}_{m}^{T}\right)\odot\left(X-\mu\mathbf{1}_{m}^{T}"
        r"\right)\right)\mathbf{1}_{m}}"
    ),
    vjp={
        "X": (
            r"\frac{1}{m-1}\left(\frac{\bar{\sigma}}{\sigma}\mathbf{1}_{m}^{T}\right)\odot\left(X-\mu"
            r"\mathbf{1}_{m}^{T}\right)"
        ),
        r"\mu": (
            r"-\frac{1}{m-1}\frac{\bar{\sigma}}{\sigma}\odot\left(\left(X-\mu\mathbf{1}_{m}^{T}\right)"
            r"\mathbf{1}_{m}\right)"
        ),
    },
    source="Rush (2018), The Annotated Transformer, whose LayerNorm calls torch.std",
    requires=("2<=m",),
    sample={"n": 2, "m": 3},
)
