"""Matrices side by side; each takes its own columns of the cotangent."""

from symtrans.ops.op import Op, Operand

OP = Op(
    name="concat",
    operands=(Operand("X", ("n", "k*"), variadic=True),),
    result=Operand("Y", ("n", "k*")),
    rule=r"\begin{bmatrix}X_1&\ldots&X_h\end{bmatrix}",
    vjp={"X": r"\bar{Y}_{:,a:b}"},
    source="Vaswani et al. (2017), Attention Is All You Need, 3.2.2",
    sample={"n": 2, "k*": 2},
)
