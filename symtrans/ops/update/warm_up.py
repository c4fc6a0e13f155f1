"""The learning rate at step t: it rises for w steps, then falls with the root of t; d is the width."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="warm_up",
    operands=(Operand("c", ()),),
    result=Operand(r"\eta", ()),
    rule=r"cd^{-\frac{1}{2}}\min\left(t^{-\frac{1}{2}},tw^{-\frac{3}{2}}\right)",
    vjp={
        "c": r"\bar{\eta}d^{-\frac{1}{2}}\min\left(t^{-\frac{1}{2}},tw^{-\frac{3}{2}}\right)",
    },
    source="Vaswani et al. (2017), Attention Is All You Need, eq. 3",
    settings=(
        "d",
        "t",
        "w",
    ),
    requires=(
        "1<=d",
        "1<=t",
        "1<=w",
    ),
    sample={"d": 5, "t": 3, "w": 7},
)
