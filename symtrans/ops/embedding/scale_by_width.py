"""Embeddings times the root of their width d."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="scale_by_width",
    operands=(Operand("X", ("n", "d")),),
    result=Operand("Y", ("n", "d")),
    rule=r"\sqrt{d}X",
    vjp={
        "X": r"\sqrt{d}\bar{Y}",
    },
    source="Vaswani et al. (2017), Attention Is All You Need, 3.4",
    sample={"n": 2, "d": 3},
)
