"""Every entry times the probability that a standard normal number is smaller."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="gelu",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=(
        r"\frac{1}{2}X\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+\text{erf}\left(\frac{X}{\sqrt{2}}\right)"
        r"\right)"
    ),
    vjp={
        "X": (
            r"\bar{Y}\odot\left(\frac{1}{2}\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+\text{erf}\left(\frac{X}{"
            r"\sqrt{2}}\right)\right)+\frac{1}{\sqrt{2\pi}}X\odot e^{-\frac{1}{2}X\odot X}\right)"
        ),
    },
    source="Hendrycks and Gimpel (2016), Gaussian Error Linear Units, section 2",
    sample={"n": 2, "m": 3},
)
