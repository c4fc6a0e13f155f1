"""Every row over the root of its mean square plus epsilon, every column times its own number."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="rms_norm",
    operands=(
        Operand("X", ("n", "m")),
        Operand("v", ("n", "1")),
        Operand(r"\gamma", ("1", "m")),
        Operand(r"\epsilon", ()),
    ),
    result=Operand("Y", ("n", "m")),
    rule=r"\frac{X}{\sqrt{v+\epsilon\mathbf{1}_{n}}\mathbf{1}_{m}^{T}}\odot\left(\mathbf{1}_{n}\gamma\right)",
    vjp={
        "X": (
            r"\frac{\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)}{\sqrt{v+\epsilon\mathbf{1}_{n}}"
            r"\mathbf{1}_{m}^{T}}"
        ),
        "v": (
            r"-\frac{1}{2}\frac{\left(\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)\odot X\right)"
            r"\mathbf{1}_{m}}{\left(v+\epsilon\mathbf{1}_{n}\right)\odot\sqrt{v+\epsilon\mathbf{1}_{n}}}"
        ),
        r"\gamma": (
            r"\mathbf{1}_{n}^{T}\left(\bar{Y}\odot\frac{X}{\sqrt{v+\epsilon\mathbf{1}_{n}}\mathbf{1}_{m}^{T}}"
            r"\right)"
        ),
        r"\epsilon": (
            r"-\frac{1}{2}\sum\frac{\left(\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)\odot X\right)"
            r"\mathbf{1}_{m}}{\left(v+\epsilon\mathbf{1}_{n}\right)\odot\sqrt{v+\epsilon\mathbf{1}_{n}}}"
        ),
    },
    source="Zhang and Sennrich (2019), Root Mean Square Layer Normalization; epsilon as in torch.nn.RMSNorm",
    sample={"n": 2, "m": 3},
)
