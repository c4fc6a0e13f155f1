"""A plan as a program: its calls turned into calls on whole matrices of one kind, such as FLINT's."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache, partial, reduce
from typing import Any

from symtrans.ops.op import Op
from symtrans.ops.plan import Call, plan
from symtrans.ops.shapes import Settings, Shape

Function = Callable[..., Any]
SIGNED: dict[str, Function] = {"add": operator.add, "subtract": operator.sub, "negate": operator.neg}
Steps = tuple[tuple[Function, tuple[int, ...]], ...]


class Kind:
    """One kind of matrices: how one is made of height, width and entries, and a number of a rational one."""

    def __init__(self, matrix: Function, number: Function, functions: dict[str, Function] | None = None) -> None:
        self.matrix = matrix
        self.number = number
        self.functions = functions or {}


class Program:
    """A rule as calls on matrices of one kind; a scalar is a number of that kind.

    `growth` bounds the bits of a rational result: one factor for each operand's bits, and what is added.
    """

    def __init__(self, shape: Shape, steps: Steps, result: int, growth: tuple[tuple[int, ...], int]) -> None:
        self.shape = shape
        self.steps = steps
        self.result = result
        self.growth = growth

    def run(self, operands: Sequence[Any]) -> Any:
        """The result; ZeroDivisionError where an exact divisor is zero."""
        values = list(operands)
        for function, places in self.steps:
            values.append(function(*[values[place] for place in places]))
        return values[self.result]


@lru_cache(maxsize=8192)
def program(op: Op, shapes: tuple[Shape, ...], settings: Settings, kind: Kind) -> Program | None:
    """The op's program, or None where its rule has no plan or the kind knows no such function."""
    known = plan(op, shapes, settings)
    if known is None:
        return None
    steps = []
    growth = [([int(i == j) for j in range(len(shapes))], 0) for i in range(len(shapes))]
    for call in known.calls:
        function = _function(call, kind)
        if function is None:
            return None
        steps.append((function, call.places))
        growth.append(_growth(call, [growth[place] for place in call.places], len(shapes)))
    factors, extra = growth[known.result]
    return Program(known.shape, tuple(steps), known.result, (tuple(factors), extra))


def _growth(call: Call, before: Sequence[tuple[list[int], int]], count: int) -> tuple[list[int], int]:
    """How many bits a call's result has at most, over a common denominator: those of its operands, and a few."""
    size = max((length for shape in call.shapes for length in shape), default=1)
    fixed = sum(value.bit_length() for f in call.fixed if call.name == "number" for value in f.as_integer_ratio())
    factors = [sum(own[i] for own, _ in before) for i in range(count)]
    return factors, sum(extra for _, extra in before) + fixed + 2 * size.bit_length() + 1


def _function(call: Call, kind: Kind) -> Function | None:
    """A call as a function of its operands' values."""
    *shapes, result = call.shapes
    match call.name:
        case "number":
            return partial(kind.number, call.fixed[0])  # at the run's precision
        case "constant" | "identity":
            height, width = result
            whole = call.name == "constant"
            ones = [call.fixed[0] if whole else int(i == j) for i in range(height) for j in range(width)]
            made = kind.matrix(height, width, ones)
            return lambda: made
        case "add" | "subtract" | "negate":
            return SIGNED[call.name]
        case "product":
            return operator.mul if shapes[0] or not shapes[1] else lambda a, b: b * a
        case "transpose":
            return (lambda a: a.transpose()) if result else lambda a: a
        case "odot":
            return partial(_pairwise, kind.matrix, result, operator.mul)
        case "divide" if not shapes[1]:
            return operator.truediv
        case "divide":
            return partial(_pairwise, kind.matrix, result, operator.truediv)
        case "total":
            return (lambda a: reduce(operator.add, a.entries())) if shapes[0] else lambda a: a
        case "power" if call.fixed[0] == 2:
            return partial(_square, kind.matrix, result)
        case "slice":
            return partial(_slice, kind.matrix, shapes[0][1], *call.fixed)
        case "blocks" if all(shapes) and len(call.fixed[0]) == 1:
            return partial(_beside, kind.matrix, result, [shape[1] for shape in shapes])
        case "softmax" if "softmax" in kind.functions:
            return partial(kind.functions["softmax"], kind.matrix, result)
    return None


def _pairwise(matrix: Function, shape: Shape, function: Function, a: Any, b: Any) -> Any:
    return matrix(*shape, list(map(function, a.entries(), b.entries())))


def _square(matrix: Function, shape: Shape, a: Any) -> Any:
    return _pairwise(matrix, shape, operator.mul, a, a) if shape else a * a


def _slice(matrix: Function, width: int, rows: tuple[int, int], columns: tuple[int, int], a: Any) -> Any:
    entries = a.entries()
    first, last = columns[0] - 1, columns[1]
    kept = [e for i in range(rows[0] - 1, rows[1]) for e in entries[i * width + first : i * width + last]]
    return matrix(rows[1] - rows[0] + 1, last - first, kept)


def _beside(matrix: Function, shape: Shape, widths: Sequence[int], *blocks: Any) -> Any:
    parts = [(block.entries(), own) for block, own in zip(blocks, widths, strict=True)]
    lines = (entries[i * own : (i + 1) * own] for i in range(shape[0]) for entries, own in parts)
    return matrix(*shape, [entry for line in lines for entry in line])
