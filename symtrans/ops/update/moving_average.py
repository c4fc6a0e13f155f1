"""A moving average of gradients: a share of the last one, the rest from the gradient."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="moving_average",
    operands=(
        Operand("M", ("n", "m")),
        Operand(r"\rho", ()),
        Operand("G", ("n", "m")),
    ),
    result=Operand("U", ("n", "m")),
    rule=r"\rho M+\left(1-\rho\right)G",
    vjp={
        "M": r"\rho\bar{U}",
        r"\rho": r"\sum\left(\bar{U}\odot\left(M-G\right)\right)",
        "G": r"\left(1-\rho\right)\bar{U}",
    },
    source="Kingma and Ba (2015), Adam, algorithm 1",
    sample={"n": 2, "m": 3},
)
