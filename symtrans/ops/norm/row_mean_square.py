"""The mean of the squares of every row, as a column."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="row_mean_square",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("v", ("n", "1")),
    rule=r"\frac{1}{m}\left(X\odot X\right)\mathbf{1}_{m}",
    vjp={
        "X": r"\frac{2}{m}\left(\bar{v}\mathbf{1}_{m}^{T}\right)\odot X",
    },
    source="Zhang and Sennrich (2019), Root Mean Square Layer Normalization",
    sample={"n": 2, "m": 3},
)
