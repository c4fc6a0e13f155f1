"""Entries kept where B is 1 and dropped where it is 0; what is kept is divided by 1-p."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="dropout",
    operands=(
        Operand("X", ("n", "m")),
        Operand("B", ("n", "m")),
        Operand("p", ()),
    ),
    result=Operand("Y", ("n", "m")),
    rule=r"\frac{X\odot B}{1-p}",
    vjp={
        "X": r"\frac{\bar{Y}\odot B}{1-p}",
        "B": r"\frac{\bar{Y}\odot X}{1-p}",
        "p": r"\frac{\sum\left(\bar{Y}\odot X\odot B\right)}{\left(1-p\right)^2}",
    },
    source="Srivastava et al. (2014), Dropout, section 10",
    sample={"n": 2, "m": 3},
)
