"""The value of the SymPy tree that the second reader gives: exact, by one walk, without simplifying anything."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import add, mul
from typing import Any

from symtrans.notation.rereading.refusal import CannotReread

MAX_BITS = 100_000  # of a rational power


def evaluate(expression: Any, values: Mapping[str, Any]) -> Any:
    """The expression with the placeholders' values put in: a SymPy expression, or an ImmutableMatrix.

    Raises CannotReread for a kind of node that has no place here, a division by zero, a float.
    """
    import sympy
    from sympy.matrices.expressions.matexpr import MatrixElement, MatrixSymbol
    from sympy.matrices.matrixbase import MatrixBase

    functions = (sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.tan, sympy.tanh, sympy.sinh, sympy.cosh)

    def walk(node: Any) -> Any:
        if isinstance(node, MatrixBase):
            return sympy.ImmutableMatrix(*node.shape, [walk(entry) for entry in node])
        if isinstance(node, MatrixSymbol | sympy.Symbol):
            if node.name not in values:
                raise CannotReread(f"the second reader sees a name {node.name}")
            return values[node.name]
        if isinstance(node, MatrixElement):  # of a name that is a block
            return walk(node.parent)[int(node.i), int(node.j)]
        if isinstance(node, sympy.Rational | sympy.NumberSymbol):
            return node
        if isinstance(node, sympy.Add | sympy.MatAdd):
            return reduce(add, map(walk, node.args))
        if isinstance(node, sympy.Mul | sympy.MatMul):
            return reduce(mul, map(walk, node.args))
        if isinstance(node, sympy.Transpose):
            return walk(node.arg).T
        if isinstance(node, sympy.ZeroMatrix):
            return sympy.ImmutableMatrix.zeros(*map(int, node.shape))
        if isinstance(node, sympy.Pow | sympy.MatPow):
            return _power(walk(node.base), walk(node.exp))
        if isinstance(node, functions):
            arguments = [walk(argument) for argument in node.args]
            if node.func is sympy.log and 0 in arguments:
                raise CannotReread("the logarithm of zero")
            return node.func(*arguments)
        raise CannotReread(f"the second reader gives a {type(node).__name__}")

    try:
        result = walk(expression)
    except sympy.matrices.exceptions.ShapeError:
        raise CannotReread("shapes that do not fit") from None
    entries = list(result) if isinstance(result, MatrixBase) else [result]
    if any(entry.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo, sympy.Float) for entry in entries):
        raise CannotReread("a value that is not finite")
    return result


def _power(base: Any, exponent: Any) -> Any:
    import sympy

    if isinstance(base, sympy.MatrixBase):
        if not (exponent.is_Integer and 0 < exponent <= 8):
            raise CannotReread("that power of a matrix")
        return reduce(mul, [base] * int(exponent))
    if base == 0 and not exponent.is_positive:
        raise CannotReread("a division by zero")
    if base.is_Rational and exponent.is_Rational:
        bits = max(abs(base.p), base.q).bit_length() * (abs(exponent.p) // exponent.q + 1)
        if bits > MAX_BITS:
            raise CannotReread("a power that large")
    return sympy.Pow(base, exponent)
