"""A gate: every entry of U times the ReLU of its entry of G; the gradient at 0 is taken as 0."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="reglu",
    operands=(
        Operand("G", ("n", "m")),
        Operand("U", ("n", "m")),
    ),
    result=Operand("Y", ("n", "m")),
    rule=r"\text{ReLU}\left(G\right)\odot U",
    vjp={
        "G": r"\bar{Y}\odot U\odot\text{positive}\left(G\right)",
        "U": r"\bar{Y}\odot\text{ReLU}\left(G\right)",
    },
    source="Shazeer (2020), GLU Variants Improve Transformer, section 2",
    sample={"n": 2, "m": 3},
)
