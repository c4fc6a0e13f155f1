"""Entries as symbols: one symbol per entry of a step, and steps composed into full expressions where that is small."""

from __future__ import annotations

from symtrans.errors import LimitError
from symtrans.model.names import entry_name
from symtrans.model.tape import Step, Tape
from symtrans.notation.tree import Matrix, Node, Symbol, walk
from symtrans.ops.domains.written import WrittenAlgebra
from symtrans.ops.formulas import run
from symtrans.ops.tensor import Tensor

MOST_NODES = 4000  # tree nodes in one step's full expression: about two pages of print


def entry_symbols(step: Step) -> Tensor[Node]:
    """A tensor of the step's shape with one symbol for each entry: `q_{11}` …; a scalar is its own name."""
    if not step.shape:
        return Tensor.scalar(Symbol(step.name))
    rows, columns = step.shape
    return Tensor.matrix([[Symbol(entry_name(step, i, j)) for j in range(1, columns + 1)] for i in range(1, rows + 1)])


class Expansion:
    """Steps composed into full expressions in the inputs' entries."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self._tensors: dict[str, Tensor[Node]] = {}
        self._sizes: dict[str, int] = {}

    def of(self, step: Step) -> Node:
        """The step's value as a tree in the inputs' entries. Raises LimitError where that would not fit a page."""
        tensor = self._expanded(step)
        return Matrix(tuple(tensor.rows())) if step.shape else tensor.item

    def _expanded(self, step: Step) -> Tensor[Node]:
        if step.id in self._tensors:
            return self._tensors[step.id]
        if step.op is None:
            value = entry_symbols(step)
        else:
            operands = [self._expanded(self.tape[i]) for i in step.operands]
            value = run(step.op, operands, WrittenAlgebra(), step.settings)
        size = sum(sum(1 for _ in walk(entry)) for entry in value.entries)
        if size > MOST_NODES:
            raise LimitError(
                f"{step.id} as one full expression takes {size:,} symbols and signs, more than the {MOST_NODES:,} "
                "that --expand writes out; --symbolic tells it step by step, and --part or --head select fewer steps"
            )
        self._tensors[step.id] = value
        return value
