"""Steps as SymPy matrices of symbols, for whoever works on in SymPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtrans.model.names import entry_name
from symtrans.model.tape import Step, Tape
from symtrans.ops.domains.symbols import SympyAlgebra
from symtrans.ops.formulas import run
from symtrans.ops.tensor import Tensor

if TYPE_CHECKING:
    import sympy


def entry_matrix(step: Step) -> Tensor[Any]:
    """A tensor of the step's shape with one real SymPy symbol for each entry."""
    import sympy

    if not step.shape:
        return Tensor.scalar(sympy.Symbol(step.name.key, real=True))
    rows, columns = step.shape
    return Tensor.matrix(
        [
            [sympy.Symbol(entry_name(step, i, j).key, real=True) for j in range(1, columns + 1)]
            for i in range(1, rows + 1)
        ]
    )


def symbolic_matrix(step: Step, tape: Tape) -> sympy.ImmutableMatrix:
    """The step's rule on its operands' entry symbols, one operation deep; an input is its own symbols."""
    from sympy import ImmutableMatrix

    if step.op is None:
        return ImmutableMatrix(entry_matrix(step).rows())
    operands = [entry_matrix(tape[operand]) for operand in step.operands]
    return ImmutableMatrix(run(step.op, operands, SympyAlgebra(), step.settings).rows())
