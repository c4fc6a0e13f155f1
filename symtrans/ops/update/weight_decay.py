"""Parameters made smaller by the share eta times lambda, apart from the gradient."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="weight_decay",
    operands=(
        Operand(r"\theta", ("n", "m")),
        Operand(r"\eta", ()),
        Operand(r"\lambda", ()),
    ),
    result=Operand("U", ("n", "m")),
    rule=r"\left(1-\eta\lambda\right)\theta",
    vjp={
        r"\theta": r"\left(1-\eta\lambda\right)\bar{U}",
        r"\eta": r"-\lambda\sum\left(\bar{U}\odot\theta\right)",
        r"\lambda": r"-\eta\sum\left(\bar{U}\odot\theta\right)",
    },
    source="Loshchilov and Hutter (2019), Decoupled Weight Decay Regularization, algorithm 2",
    sample={"n": 2, "m": 3},
)
