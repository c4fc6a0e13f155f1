"""The GELU with a hyperbolic tangent in place of the error function."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="gelu_tanh",
    operands=(Operand("X", ("n", "m")),),
    result=Operand("Y", ("n", "m")),
    rule=(
        r"\frac{1}{2}X\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+\tanh\left(\sqrt{\frac{2}{\pi}}"
        r"\left(X+0.044715X\odot X\odot X\right)\right)\right)"
    ),
    vjp={
        "X": (
            r"\frac{1}{2}\bar{Y}\odot\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+\tanh\left(\sqrt{\frac{2}{\pi}}"
            r"\left(X+0.044715X\odot X\odot X\right)\right)+\sqrt{\frac{2}{\pi}}X\odot\left(\mathbf{1}_{n}"
            r"\mathbf{1}_{m}^{T}-\tanh\left(\sqrt{\frac{2}{\pi}}\left(X+0.044715X\odot X\odot X\right)\right)"
            r"\odot\tanh\left(\sqrt{\frac{2}{\pi}}\left(X+0.044715X\odot X\odot X\right)\right)\right)\odot"
            r"\left(\mathbf{1}_{n}\mathbf{1}_{m}^{T}+0.134145X\odot X\right)\right)"
        ),
    },
    source="Hendrycks and Gimpel (2016), Gaussian Error Linear Units, section 2",
    sample={"n": 2, "m": 3},
)
