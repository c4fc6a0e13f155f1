"""Parameters less a step along the first moment M, over the root of the second moment V plus epsilon."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="adam_step",
    operands=(
        Operand(r"\theta", ("n", "m")),
        Operand(r"\eta", ()),
        Operand("M", ("n", "m")),
        Operand("V", ("n", "m")),
        Operand(r"\epsilon", ()),
    ),
    result=Operand("U", ("n", "m")),
    rule=r"\theta-\eta\frac{M}{\sqrt{V}+\epsilon\mathbf{1}_{n}\mathbf{1}_{m}^{T}}",
    vjp={
        r"\theta": r"\bar{U}",
        r"\eta": r"-\sum\frac{\bar{U}\odot M}{\sqrt{V}+\epsilon\mathbf{1}_{n}\mathbf{1}_{m}^{T}}",
        "M": r"-\eta\frac{\bar{U}}{\sqrt{V}+\epsilon\mathbf{1}_{n}\mathbf{1}_{m}^{T}}",
        "V": (
            r"\frac{\eta}{2}\frac{\bar{U}\odot M}{\sqrt{V}\odot\left(\sqrt{V}+\epsilon\mathbf{1}_{n}"
            r"\mathbf{1}_{m}^{T}\right)\odot\left(\sqrt{V}+\epsilon\mathbf{1}_{n}\mathbf{1}_{m}^{T}\right)}"
        ),
        r"\epsilon": (
            r"\eta\sum\frac{\bar{U}\odot M}{\left(\sqrt{V}+\epsilon\mathbf{1}_{n}\mathbf{1}_{m}^{T}\right)"
            r"\odot\left(\sqrt{V}+\epsilon\mathbf{1}_{n}\mathbf{1}_{m}^{T}\right)}"
        ),
    },
    source="Kingma and Ba (2015), Adam, algorithm 1",
    sample={"n": 2, "m": 3},
)
