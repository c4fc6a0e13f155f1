"""Targets with a share epsilon taken from each row and spread over all its m entries."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="smooth_labels",
    operands=(
        Operand("Y", ("n", "m")),
        Operand(r"\epsilon", ()),
    ),
    result=Operand("Q", ("n", "m")),
    rule=r"\left(1-\epsilon\right)Y+\frac{\epsilon}{m}\mathbf{1}_{n}\mathbf{1}_{m}^{T}",
    vjp={
        "Y": r"\left(1-\epsilon\right)\bar{Q}",
        r"\epsilon": r"\sum\left(\bar{Q}\odot\left(\frac{1}{m}\mathbf{1}_{n}\mathbf{1}_{m}^{T}-Y\right)\right)",
    },
    source="Szegedy et al. (2016), Rethinking the Inception Architecture, section 7",
    sample={"n": 2, "m": 3},
)
