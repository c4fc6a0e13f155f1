"""Losses composed into one expression in the inputs' entries: what a computer algebra system is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtrans.derive.faces import entry_matrix
from symtrans.model.names import entry_name
from symtrans.ops.algebra import Algebra
from symtrans.ops.domains.symbols import SympyAlgebra
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


class SymEngineScalars:
    """The arithmetic of the rules on SymEngine's expressions."""

    def __init__(self) -> None:
        import symengine

        self.engine = symengine

    def number(self, value: Any) -> Any:
        return self.engine.Rational(value.numerator, value.denominator)

    def add(self, left: Any, right: Any) -> Any:
        return left + right

    def subtract(self, left: Any, right: Any) -> Any:
        return left - right

    def multiply(self, left: Any, right: Any) -> Any:
        return left * right

    def divide(self, left: Any, right: Any) -> Any:
        return left / right

    def negate(self, value: Any) -> Any:
        return -value

    def power(self, base: Any, exponent: Any) -> Any:
        return base ** self.number(exponent)

    def function(self, name: str, argument: Any) -> Any:
        return getattr(self.engine, name)(argument)

    def maximum(self, values: Sequence[Any]) -> Any:
        """By cases, because its Max stays an unknown derivative."""
        best = values[0]
        for value in values[1:]:
            best = self.engine.Piecewise((best, best > value), (value, True))
        return best

    def softmax(self, logits: Sequence[Any]) -> list[Any]:
        powers = [self.engine.exp(logit) for logit in logits]
        return [power / self.sum(powers) for power in powers]

    def sum(self, values: Sequence[Any]) -> Any:
        return self.engine.Add(*values)

    def is_zero(self, value: Any) -> bool:
        return bool(value == 0)
