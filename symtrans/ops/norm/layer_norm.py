"""Layer norm with epsilon added to the deviation."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="layer_norm",
    operands=(
        Operand("X", ("n", "m")),
        Operand(r"\mu", ("n", "1")),
        Operand(r"\sigma", ("n", "1")),
        Operand(r"\gamma", ("1", "m")),
        Operand(r"\beta", ("1", "m")),
        Operand(r"\epsilon", ()),
    ),
    result=Operand("Y", ("n", "m")),
    rule=(
        r"\frac{X-\mu\mathbf{1}_{m}^{T}}{\left(\sigma+\epsilon\mathbf{1}_{n}\right)\mathbf{1}_{m}^{T}}\odot"
        r"\left(\mathbf{1}_{n}\gamma\right)+\mathbf{1}_{n}\beta"
    ),
    vjp={
        "X": (
            r"\frac{\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)}{\left(\sigma+\epsilon\mathbf{1}_{n}\right)"
            r"\mathbf{1}_{m}^{T}}"
        ),
        r"\mu": (
            r"-\frac{\left(\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)\right)\mathbf{1}_{m}}{\sigma+"
            r"\epsilon\mathbf{1}_{n}}"
        ),
        r"\sigma": (
            r"-\frac{\left(\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)\odot\left(X-\mu\mathbf{1}_{m}^{T}"
            r"\right)\right)\mathbf{1}_{m}}{\left(\sigma+\epsilon\mathbf{1}_{n}\right)\odot\left(\sigma+"
            r"\epsilon\mathbf{1}_{n}\right)}"
        ),
        r"\gamma": (
            r"\mathbf{1}_{n}^{T}\left(\bar{Y}\odot\frac{X-\mu\mathbf{1}_{m}^{T}}{\left(\sigma+\epsilon"
            r"\mathbf{1}_{n}\right)\mathbf{1}_{m}^{T}}\right)"
        ),
        r"\beta": r"\mathbf{1}_{n}^{T}\bar{Y}",
        r"\epsilon": (
            r"-\sum\frac{\left(\bar{Y}\odot\left(\mathbf{1}_{n}\gamma\right)\odot\left(X-\mu"
            r"\mathbf{1}_{m}^{T}\right)\right)\mathbf{1}_{m}}{\left(\sigma+\epsilon\mathbf{1}_{n}\right)\odot"
            r"\left(\sigma+\epsilon\mathbf{1}_{n}\right)}"
        ),
    },
    source="Sinai (2022), Derivation of the backpropagation equations for layer normalization",
    sample={"n": 2, "m": 3},
)
