"""A moving average of squared gradients, entry by entry."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="moving_average_of_squares",
    operands=(
        Operand("V", ("n", "m")),
        Operand(r"\rho", ()),
        Operand("G", ("n", "m")),
    ),
    result=Operand("U", ("n", "m")),
    rule=r"\rho V+\left(1-\rho\right)G\odot G",
    vjp={
        "V": r"\rho\bar{U}",
        r"\rho": r"\sum\left(\bar{U}\odot\left(V-G\odot G\right)\right)",
        "G": r"2\left(1-\rho\right)\bar{U}\odot G",
    },
    source="Kingma and Ba (2015), Adam, algorithm 1",
    sample={"n": 2, "m": 3},
)
