"""Sines of the positions p (a column) by which rotary positions turn each pair of d columns; d is even."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="rotary_sines",
    operands=(Operand("p", ("n", "1")),),
    result=Operand("S", ("n", "d")),
    rule=(
        r"\sum_{i=0}^{d/2-1}\sin\left(\frac{p}{10000^{2i/d}}\right)"
        r"\left({\mathbf{I}_{d}}_{2i+1:2i+1,:}+{\mathbf{I}_{d}}_{2i+2:2i+2,:}\right)"
    ),
    vjp={
        "p": (
            r"\sum_{i=0}^{d/2-1}\frac{\left(\bar{S}_{:,2i+1:2i+1}+\bar{S}_{:,2i+2:2i+2}\right)\odot\cos"
            r"\left(\frac{p}{10000^{2i/d}}\right)}{10000^{2i/d}}"
        ),
    },
    source="Su et al. (2021), RoFormer, 3.2.2",
    settings=("d",),
    requires=("2<=d",),
    sample={"n": 2, "d": 6},
)
