"""A gate: every entry of U times the GELU of its entry of G."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="geglu",
    operands=(
        Operand("G", ("n", "m")),
        Operand("U", ("n", "m")),
    ),
    result=Operand("Y", ("n", "m")),
    rule=(
        r"\frac{1}{2}G\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+\text{erf}\left(\frac{G}{\sqrt{2}}\right)"
        r"\right)\odot U"
    ),
    vjp={
        "G": (
            r"\bar{Y}\odot U\odot\left(\frac{1}{2}\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+\text{erf}\left("
            r"\frac{G}{\sqrt{2}}\right)\right)+\frac{1}{\sqrt{2\pi}}G\odot e^{-\frac{1}{2}G\odot G}\right)"
        ),
        "U": (
            r"\frac{1}{2}\bar{Y}\odot G\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+\text{erf}\left(\frac{G}{"
            r"\sqrt{2}}\right)\right)"
        ),
    },
    source="Shazeer (2020), GLU Variants Improve Transformer, section 2",
    sample={"n": 2, "m": 3},
)
