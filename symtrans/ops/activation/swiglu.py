"""A gate: every entry of U times the SiLU of its entry of G."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="swiglu",
    operands=(
        Operand("G", ("n", "m")),
        Operand("U", ("n", "m")),
    ),
    result=Operand("Y", ("n", "m")),
    rule=r"G\odot\text{sigmoid}\left(G\right)\odot U",
    vjp={
        "G": (
            r"\bar{Y}\odot U\odot\text{sigmoid}\left(G\right)\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+G"
            r"\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}-\text{sigmoid}\left(G\right)\right)\right)"
        ),
        "U": r"\bar{Y}\odot G\odot\text{sigmoid}\left(G\right)",
    },
    source="Shazeer (2020), GLU Variants Improve Transformer, section 2",
    sample={"n": 2, "m": 3},
)
