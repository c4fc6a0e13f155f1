"""Rotary positions: C and S hold the cosines and sines, P exchanges the members of each pair with a sign."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="rotate",
    operands=(
        Operand("X", ("n", "k")),
        Operand("C", ("n", "k")),
        Operand("P", ("k", "k")),
        Operand("S", ("n", "k")),
    ),
    result=Operand("Y", ("n", "k")),
    rule=r"X\odot C+\left(XP\right)\odot S",
    vjp={
        "X": r"\bar{Y}\odot C+\left(\bar{Y}\odot S\right)P^{T}",
        "C": r"\bar{Y}\odot X",
        "P": r"X^{T}\left(\bar{Y}\odot S\right)",
        "S": r"\bar{Y}\odot\left(XP\right)",
    },
    source="Su et al. (2021), RoFormer, section 3.4.2",
    sample={"n": 2, "k": 2},
)
