"""A moving average of t steps that began at 0, divided by the weight it has gathered."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="bias_correction",
    operands=(
        Operand("M", ("n", "m")),
        Operand(r"\rho", ()),
    ),
    result=Operand("U", ("n", "m")),
    rule=r"\frac{M}{1-\left(\rho\right)^{t}}",
    vjp={
        "M": r"\frac{\bar{U}}{1-\left(\rho\right)^{t}}",
        r"\rho": (
            r"\frac{t\left(\rho\right)^{t-1}}{\left(1-\left(\rho\right)^{t}\right)^2}\sum\left(\bar{U}\odot M"
            r"\right)"
        ),
    },
    source="Kingma and Ba (2015), Adam, algorithm 1",
    settings=("t",),
    requires=("1<=t",),
    sample={"n": 2, "m": 3, "t": 3},
)
