"""A step of gradient descent: a quantity less the learning rate times its gradient."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="descent_step",
    operands=(Operand(r"\theta", ("n", "m")), Operand(r"\eta", ()), Operand("G", ("n", "m"))),
    result=Operand("U", ("n", "m")),
    rule=r"\theta-\eta\times G",
    vjp={r"\theta": r"\bar{U}", r"\eta": r"-\sum\left(\bar{U}\odot G\right)", "G": r"-\eta\bar{U}"},
    source="Goodfellow, Bengio and Courville (2016), Deep Learning, eq. 4.5",
    sample={"n": 2, "m": 3},
)
