"""Losses composed into one expression in the inputs' entries: what a computer algebra system is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtrans.derive.faces import entry_matrix
from symtrans.model.names import entry_name
from symtrans.ops.algebra import Algebra
from symtrans.ops.domains.symbols import SympyAlgebra, SympyScalars
from symtrans.ops.formulas import run
from symtrans.ops.tensor import Tensor

Values = dict[str, Tensor[Any]]


def in_sympy(tape: Any) -> Values:
    """Every step as SymPy expressions in the inputs' entries."""
    return _composed(tape, SympyAlgebra(), entry_matrix)


def in_symengine(tape: Any) -> Values:
    """Every step as SymEngine's expressions in the inputs' entries."""
    import symengine

    def symbols(step: Any) -> Tensor[Any]:
        if not step.shape:
            return Tensor.scalar(symengine.Symbol(step.name.key))
        rows, columns = ([*range(1, length + 1)] for length in step.shape)
        names = [[entry_name(step, i, j).key for j in columns] for i in rows]
        return Tensor.matrix([[symengine.Symbol(name) for name in row] for row in names])

    return _composed(tape, Algebra(SymEngineScalars()), symbols)


def _composed(tape: Any, algebra: Any, symbols: Any) -> Values:
    values: Values = {}
    for step in tape:
        own = step.op is None or step.op.name == "copy"  # every head has symbols of its own
        operands = [values[i] for i in step.operands]
        values[step.id] = symbols(step) if own else run(step.op, operands, algebra, step.settings)
    return values


class SymEngineScalars(SympyScalars):
    """The arithmetic of the rules on SymEngine's expressions, whose names are SymPy's."""

    def __init__(self) -> None:
        import symengine

        self.sympy = symengine

    def maximum(self, values: Sequence[Any]) -> Any:
        """By cases, because its Max stays an unknown derivative."""
        best = values[0]
        for value in values[1:]:
            best = self.sympy.Piecewise((best, best > value), (value, True))
        return best
