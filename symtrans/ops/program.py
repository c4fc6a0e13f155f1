"""A plan as a program: its calls turned into calls on whole matrices of one kind, such as FLINT's."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial, reduce
from math import prod
from typing import Any

from symtrans.ops.op import Op
from symtrans.ops.plan import Call, Plan, plan
from symtrans.ops.shapes import Settings, Shape

Function = Callable[..., Any]
Picked = Callable[[Sequence[Any]], Sequence[Any]]
SIGNED: dict[str, Function] = {"add": operator.add, "subtract": operator.sub, "negate": operator.neg}
LINEAR = {*SIGNED, "number", "constant", "identity", "transpose", "total", "slice", "blocks"}
CLOSED = LINEAR | {"product", "odot", "power"}
MOST_KEPT = 1 << 12  # entries of a rule's constants that are kept from one run to the next


class Kind:
    """One kind of matrices: how one is made of height, width and entries, and a number of a rational one."""

    def __init__(self, matrix: Function, number: Function, functions: dict[str, Function] | None = None) -> None:
        self.matrix = matrix
        self.number = number
        self.functions = functions or {}


class Program:
    """A rule as calls on matrices of one kind; a scalar is a number of that kind.

    What no operand takes part in (`first`) is a constant, made once for each precision.
    `growth` bounds the bits of a rational result: one factor for each operand's bits, and what is added.
    `is_closed`: of finite numbers it makes finite ones, whatever they are.
    """

    def __init__(self, known: Plan, functions: Sequence[Function], count: int) -> None:
        calls = dict(enumerate(known.calls, count))
        fixed: list[int] = []
        for place, call in calls.items():
            if set(fixed).issuperset(call.places):
                fixed.append(place)
        order = [*range(count), *fixed, *(place for place in calls if place not in fixed)]
        at = {place: new for new, place in enumerate(order)}

        def made(places: Sequence[int], before: int) -> tuple[tuple[Function, Picked], ...]:
            return tuple((functions[p - count], _picked([at[q] - before for q in calls[p].places])) for p in places)

        self.shape = known.shape
        self.first = made(fixed, count)
        self.steps = made(order[count + len(fixed) :], 0)
        self.result = at[known.result]
        is_one = len(functions) == 1 and known.result == count and known.calls[0].places == (*range(count),)
        self._only = functions[0] if is_one and count else None
        self.growth = _growth(known, count)
        self.is_closed = all(_is_closed(call, calls) for call in known.calls)
        entries = sum(prod(calls[place].shapes[-1]) for place in fixed)
        self._kept: dict[int, list[Any]] | None = {} if entries <= MOST_KEPT else None

    def run(self, operands: Sequence[Any], bits: int = 0) -> Any:
        """The result; ZeroDivisionError where an exact divisor is zero. `bits` is the precision, where there is one."""
        if self._only is not None:
            return self._only(*operands)
        values = [*operands, *self._constants(bits)] if self.first else [*operands]
        for function, picked in self.steps:
            values.append(function(*picked(values)))
        return values[self.result]

    def _constants(self, bits: int) -> list[Any]:
        if self._kept is not None and bits in self._kept:
            return self._kept[bits]
        values: list[Any] = []
        for function, picked in self.first:
            values.append(function(*picked(values)))
        if self._kept is not None:
            self._kept[bits] = values
        return values


def _picked(places: Sequence[int]) -> Picked:
    """The values at these places; a slice is what makes a sequence of a single one, or of none."""
    if len(places) > 1:
        return operator.itemgetter(*places)
    return operator.itemgetter(slice(places[0], places[0] + 1) if places else slice(0))


def _is_closed(call: Call, calls: Mapping[int, Call]) -> bool:
    """Whether a call has a finite result for all finite operands; a division only by a number that the rule holds."""
    if call.name == "divide":
        by = calls.get(call.places[1])
        return by is not None and by.name == "number" and by.fixed[0] != 0
    return call.name in CLOSED


@lru_cache(maxsize=8192)
def program(op: Op, shapes: tuple[Shape, ...], settings: Settings, kind: Kind) -> Program | None:
    """The op's program, or None where its rule has no plan or the kind knows no such function."""
    known = plan(op, shapes, settings)
    if known is None:
        return None
    functions = []
    for call in known.calls:
        function = _function(call, kind)
        if function is None:
            return None
        functions.append(function)
    return Program(known, functions, len(shapes))


def _growth(known: Plan, count: int) -> tuple[tuple[int, ...], int]:
    """How many bits the result has at most, over a common denominator: factors of the operands' bits, and an extra.

    A call's result has the bits of all its operands together, and a few.
    """
    growth = [([int(i == j) for j in range(count)], 0) for i in range(count)]
    for call in known.calls:
        before = [growth[place] for place in call.places]
        size = max((length for shape in call.shapes for length in shape), default=1)
        fixed = sum(value.bit_length() for f in call.fixed if call.name == "number" for value in f.as_integer_ratio())
        factors = [sum(own[i] for own, _ in before) for i in range(count)]
        growth.append((factors, sum(extra for _, extra in before) + fixed + 2 * size.bit_length() + 1))
    factors, extra = growth[known.result]
    return tuple(factors), extra


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
        case "softmax" | "entrywise" | "relu" if call.name in kind.functions:
            return partial(kind.functions[call.name], result, *call.fixed)
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
