"""Sines and cosines of the positions p (a column), in d columns by pairs; d is even."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="positional_encoding",
    operands=(Operand("p", ("n", "1")),),
    result=Operand("P", ("n", "d")),
    rule=(
        r"\sum_{i=0}^{d/2-1}\left(\sin\left(\frac{p}{10000^{2i/d}}\right){\mathbf{I}_{d}}_{2i+1:2i+1,:}+\cos"
        r"\left(\frac{p}{10000^{2i/d}}\right){\mathbf{I}_{d}}_{2i+2:2i+2,:}\right)"
    ),
    vjp={
        "p": (
            r"\sum_{i=0}^{d/2-1}\frac{\bar{P}_{:,2i+1:2i+1}\odot\cos\left(\frac{p}{10000^{2i/d}}\right)-"
            r"\bar{P}_{:,2i+2:2i+2}\odot\sin\left(\frac{p}{10000^{2i/d}}\right)}{10000^{2i/d}}"
        ),
    },
    source="Vaswani et al. (2017), Attention Is All You Need, 3.5",
    settings=("d",),
    requires=("2<=d", "2|d"),
    sample={"n": 2, "d": 6},
)
