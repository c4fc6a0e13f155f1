"""Every entry times its own sigmoid."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="silu",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=r"X\odot\text{sigmoid}\left(X\right)",
    vjp={
        "X": r"\bar{Y}\odot\text{sigmoid}\left(X\right)\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+X-Y\right)",
    },
    source="Hendrycks and Gimpel (2016), Gaussian Error Linear Units, section 2",
    sample={"n": 2, "m": 3},
)
