"""Points at which two formulas are told apart: two disjoint enclosures of one entry prove that it differs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from symtrans.errors import ShapeError, SymtransError, Undecided
from symtrans.exact.ball_scalars import BallScalars
from symtrans.notation.tree import Node
from symtrans.ops.domains.ball import BallAlgebra
from symtrans.ops.interpret import interpret
from symtrans.ops.tensor import Tensor

BITS = 128
RANGES = ((-99, 99), (1, 99), (-99, -1), (1, 99))  # of a point's numerators; a root may want positive ones


@dataclass(frozen=True, slots=True)
class Point:
    """What the names of a formula stand for at one rational point, and what the formula must give there."""

    names: Mapping[str, Tensor[Any]]
    expected: Tensor[Any]


def points(names: Mapping[str, Tensor[Any]], expected: Tensor[Any]) -> tuple[Point, ...]:
    """The points at which all of `names` and `expected`, tensors of SymPy expressions, have a value.

    The same expressions give the same points. There may be none.
    """
    found = []
    symbols = sorted(
        {s for tensor in (*names.values(), expected) for e in tensor.entries for s in e.free_symbols}, key=str
    )
    for seed, (least, greatest) in enumerate(RANGES):
        source, scalars = random.Random(seed), BallScalars(BITS)
        known: dict[Any, Any] = {
            s: scalars.number(Fraction(source.randint(least, greatest), source.randint(1, 19))) for s in symbols
        }
        try:
            enclosed = {key: tensor.map(lambda e: _enclosed(e, known, scalars)) for key, tensor in names.items()}  # noqa: B023
            found.append(Point(enclosed, expected.map(lambda e: _enclosed(e, known, scalars))))  # noqa: B023
        except SymtransError:
            continue
    return tuple(found)


def refuted_entry(formula: Node, at: tuple[Point, ...], lengths: Mapping[str, int]) -> int | None:
    """The number from 1 of the first entry that is proven to differ at some point, or None where none is.

    Where a value is not settled, nothing is refuted. ShapeError for a value of another shape,
    UndefinedValue for none where the derivative has one: both are differences too.
    """
    algebra = BallAlgebra(BITS)
    for point in at:
        try:
            got = interpret(formula, point.names, algebra, lengths, by_rows=True)
        except Undecided:
            continue
        if got.shape != point.expected.shape:
            raise ShapeError(f"a cotangent of {got.told} for an operand of {point.expected.told}")
        for number, (given, true) in enumerate(zip(got.entries, point.expected.entries, strict=True), 1):
            if not given.overlaps(true):
                return number
    return None


def _enclosed(expression: Any, known: dict[Any, Any], scalars: BallScalars) -> Any:
    """A ball that contains the value of a SymPy expression; `known` has its symbols' and learns its parts' values."""
    if expression not in known:
        known[expression] = _computed(expression, known, scalars)
    return known[expression]


def _computed(expression: Any, known: dict[Any, Any], scalars: BallScalars) -> Any:
    import sympy

    if expression.is_Rational:
        return scalars.number(Fraction(int(expression.p), int(expression.q)))
    if expression in (sympy.pi, sympy.E):
        return scalars.constant("pi" if expression is sympy.pi else "e")
    parts = [_enclosed(argument, known, scalars) for argument in expression.args]
    name = _FUNCTIONS.get(type(expression).__name__)
    if name is not None:
        return scalars.function(name, parts[0])  # type: ignore[arg-type]
    if expression.is_Add:
        return scalars.sum(parts)
    if expression.is_Mul:
        return reduce(scalars.multiply, parts)
    if expression.is_Pow and expression.exp.is_Rational:
        return scalars.power(parts[0], Fraction(int(expression.exp.p), int(expression.exp.q)))
    if isinstance(expression, sympy.Max):
        return scalars.maximum(parts)
    raise Undecided(f"the value of {type(expression).__name__} is not enclosed here")


_FUNCTIONS = {name: name for name in ("exp", "log", "sin", "cos", "tanh", "erf")} | {
    "Abs": "abs",
    "Heaviside": "positive",
}
