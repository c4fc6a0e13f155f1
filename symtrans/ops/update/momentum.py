"""The velocity: a share of the last one, and the gradient."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="momentum",
    operands=(
        Operand("V", ("n", "m")),
        Operand(r"\rho", ()),
        Operand("G", ("n", "m")),
    ),
    result=Operand("U", ("n", "m")),
    rule=r"\rho V+G",
    vjp={
        "V": r"\rho\bar{U}",
        r"\rho": r"\sum\left(\bar{U}\odot V\right)",
        "G": r"\bar{U}",
    },
    source="Sutskever et al. (2013), On the Importance of Initialization and Momentum, eq. 1",
    sample={"n": 2, "m": 3},
)
