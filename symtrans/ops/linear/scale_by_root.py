"""Scores divided by the root of the key dimension d."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="scale_by_root",
    operands=(Operand("S", ("n", "m")),),
    result=Operand("Z", ("n", "m")),
    rule=r"\frac{S}{\sqrt{d}}",
    vjp={"S": r"\frac{\bar{Z}}{\sqrt{d}}"},
    source="Vaswani et al. (2017), Attention Is All You Need, eq. 1",
    settings=("d",),
    requires=("1<=d",),
    sample={"n": 2, "m": 3, "d": 5},
)
