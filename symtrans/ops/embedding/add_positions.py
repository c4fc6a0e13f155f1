"""Learned positions: the first n rows of the table W are added; its other rows get no gradient."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="add_positions",
    operands=(
        Operand("X", ("n", "m")),
        Operand("W", ("l", "m")),
    ),
    result=Operand("Y", ("n", "m")),
    rule="X+W_{1:n,:}",
    vjp={
        "X": r"\bar{Y}",
        "W": r"{\mathbf{I}_{l}}_{:,1:n}\bar{Y}",
    },
    source="Phuong and Hutter (2022), Formal Algorithms for Transformers, algorithm 2",
    requires=("n<=l",),
    sample={"n": 2, "m": 3, "l": 4},
)
