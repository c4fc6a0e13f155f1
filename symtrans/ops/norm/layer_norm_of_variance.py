"""Layer norm as PyTorch has it: epsilon is added to the variance, under the root."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="layer_norm_of_variance",
    operands=(
        Operand("X", ("n", "m")),
        Operand(r"\mu", ("n", "1")),
        Operand("v", ("n", "1")),
        Operand(r"\gamma", ("1", "m")),
        Operand(r"\beta", ("1", "m")),
        Operand(r"\epsilon", ()),
    ),
    result=Operand("Y", ("n", "m")),
    rule=(
        r"\frac{X-\mu\mathbf{1}_{m}^{T}}{\sqrt{v+\epsilon\mathbf{1}_{n}}\mathbf{1}_{m}^{T}}\odot\left("
        r"\mathbf{1}_{n}\gamma\right)+\mathbf{1}_{n}\beta"
    ),
    vjp={
        "X": (
            r"\frac{\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)}{\sqrt{v+\epsilon\mathbf{1}_{n}}"
            r"\mathbf{1}_{m}^{T}}"
        ),
        r"\mu": (
            r"-\frac{\left(\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)\right)\mathbf{1}_{m}}{\sqrt{v+"
            r"\epsilon\mathbf{1}_{n}}}"
        ),
        "v": (
            r"-\frac{1}{2}\frac{\left(\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)\odot \left(X-\mu"
            r"\mathbf{1}_{m}^{T}\right)\right)\mathbf{1}_{m}}{\left(v+\epsilon\mathbf{1}_{n}\right)\odot"
            r"\sqrt{v+\epsilon\mathbf{1}_{n}}}"
        ),
        r"\gamma": (
            r"\mathbf{1}_{n}^{T}\left(\bar{Y}\odot\frac{X-\mu\mathbf{1}_{m}^{T}}{\sqrt{v+\epsilon"
            r"\mathbf{1}_{n}}\mathbf{1}_{m}^{T}}\right)"
        ),
        r"\beta": r"\mathbf{1}_{n}^{T}\bar{Y}",
        r"\epsilon": (
            r"-\frac{1}{2}\sum\frac{\left(\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)\odot \left(X-\mu"
            r"\mathbf{1}_{m}^{T}\right)\right)\mathbf{1}_{m}}{\left(v+\epsilon\mathbf{1}_{n}\right)\odot"
            r"\sqrt{v+\epsilon\mathbf{1}_{n}}}"
        ),
    },
    source="Ba, Kiros and Hinton (2016), Layer Normalization; epsilon as in torch.nn.LayerNorm",
    sample={"n": 2, "m": 3},
)
