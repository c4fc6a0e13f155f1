"""A rule as a plan: which operations on whole matrices the interpreter does for given shapes, recorded once.

What is recorded are the calls of an algebra, so the interpreter alone says what a formula means; whoever has
matrices of one kind carries the calls out on them, with no walk over the tree and no look at single entries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from symtrans.errors import SymtransError
from symtrans.exact.scalars import FunctionName
from symtrans.ops.algebra import Algebra
from symtrans.ops.formulas import member_names, rule_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.op import Op
from symtrans.ops.shapes import Settings, Shape, bind
from symtrans.ops.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Call:
    """One operation of an algebra on values at earlier `places`; `fixed` are its arguments that are no values.

    `shapes` are the operands' and the result's.
    """

    name: str
    places: tuple[int, ...]
    fixed: tuple[Any, ...]
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Calls in order: the operands stand at the first places, each call's value at the next; `result` is one of them.

    `shape` is the result's.
    """

    calls: tuple[Call, ...]
    result: int
    shape: Shape


@lru_cache(maxsize=4096)
def plan(op: Op, shapes: tuple[Shape, ...], settings: Settings) -> Plan | None:
    """The op's rule for operands of these shapes, or None where it looks at single entries; ShapeError as `bind`."""
    lengths = bind(op, shapes, dict(settings))
    recorder = _Recorder()
    operands = [recorder.new(shape) for shape in shapes]
    names = {name.key: operand for name, operand in zip(member_names(op, len(shapes)), operands, strict=True)}
    try:
        result = interpret(rule_tree(op, len(shapes)), names, recorder, lengths, by_rows=True)
    except _SingleEntries:
        return None
    return Plan(tuple(recorder.calls), result.place, result.shape) if isinstance(result, _Recorded) else None


class _SingleEntries(SymtransError):
    """A rule works on single entries, which a plan does not know."""


@dataclass(frozen=True, slots=True)
class _Recorded(Tensor[None]):
    """A value that is not computed: its shape, and the place where it will stand."""

    place: int = -1


class _Nothing:
    """Scalars that have no values."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name == "softmax":
            return lambda logits: [None] * len(logits)
        return lambda *_: None


class _Recorder(Algebra[Any]):
    """Writes down what it is asked for; shapes and caps are checked as in every algebra."""

    def __init__(self) -> None:
        super().__init__(_Nothing())
        self.calls: list[Call] = []
        self.count = 0

    def new(self, shape: Shape) -> _Recorded:
        """A value at the next place."""
        self.count += 1
        return _Recorded(shape, (None,) * (shape[0] * shape[1] if shape else 1), self.count - 1)

    def _write(self, name: str, like: Tensor[Any], operands: Sequence[Tensor[Any]], *fixed: Any) -> Tensor[Any]:
        places = []
        for operand in operands:
            if not isinstance(operand, _Recorded):
                raise _SingleEntries("a rule works on single entries")
            places.append(operand.place)
        shapes = (*(operand.shape for operand in operands), like.shape)
        self.calls.append(Call(name, tuple(places), fixed, shapes))
        return self.new(like.shape)

    def number(self, value: int | Fraction) -> Tensor[Any]:
        return self._write("number", super().number(value), (), Fraction(value))

    def constant(self, rows: int, columns: int, value: int) -> Tensor[Any]:
        return self._write("constant", super().constant(rows, columns, value), (), value)

    def identity(self, size: int) -> Tensor[Any]:
        return self._write("identity", super().identity(size), ())

    def add(self, a: Tensor[Any], b: Tensor[Any]) -> Tensor[Any]:
        return self._write("add", super().add(a, b), (a, b))

    def subtract(self, a: Tensor[Any], b: Tensor[Any]) -> Tensor[Any]:
        return self._write("subtract", super().subtract(a, b), (a, b))

    def negate(self, a: Tensor[Any]) -> Tensor[Any]:
        return self._write("negate", a, (a,))

    def odot(self, a: Tensor[Any], b: Tensor[Any]) -> Tensor[Any]:
        if a.is_scalar or b.is_scalar:
            return self.product(a, b)
        return self._write("odot", super().odot(a, b), (a, b))

    def divide(self, a: Tensor[Any], b: Tensor[Any]) -> Tensor[Any]:
        return self._write("divide", super().divide(a, b), (a, b))

    def entrywise(self, function: FunctionName, a: Tensor[Any]) -> Tensor[Any]:
        return self._write("entrywise", a, (a,), function)

    def relu(self, a: Tensor[Any]) -> Tensor[Any]:
        return self._write("relu", a, (a,))

    def power(self, a: Tensor[Any], exponent: Fraction | int) -> Tensor[Any]:
        return self._write("power", super().power(a, exponent), (a,), Fraction(exponent))

    def product(self, a: Tensor[Any], b: Tensor[Any]) -> Tensor[Any]:
        return self._write("product", super().product(a, b), (a, b))

    def matrix_product(self, a: Tensor[Any], b: Tensor[Any]) -> Tensor[Any]:
        rows, columns = a.shape[0], b.shape[1]
        return Tensor((rows, columns), (None,) * (rows * columns))

    def transpose(self, a: Tensor[Any]) -> Tensor[Any]:
        return self._write("transpose", super().transpose(a), (a,))

    def slice(
        self, a: Tensor[Any], rows: tuple[int, int] | None = None, columns: tuple[int, int] | None = None
    ) -> Tensor[Any]:
        height, width = a.shape or (1, 1)
        result = super().slice(a, rows, columns)
        return self._write("slice", result, (a,), rows or (1, height), columns or (1, width))

    def blocks(self, rows: Sequence[Sequence[Tensor[Any]]]) -> Tensor[Any]:
        blocks = [block for row in rows for block in row]
        return self._write("blocks", super().blocks(rows), blocks, tuple(len(row) for row in rows))

    def total(self, a: Tensor[Any]) -> Tensor[Any]:
        return self._write("total", super().total(a), (a,))

    def softmax(self, a: Tensor[Any]) -> Tensor[Any]:
        return self._write("softmax", super().softmax(a), (a,))
