"""The value of the SymPy tree that the second reader gives: exact, by one walk, without simplifying anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import mul
from typing import Any

from symtrans.notation.rereading.refusal import CannotReread

MAX_BITS = 10_000  # of a rational number
MAX_ROOT_BITS = 200  # of what a root is drawn from: SymPy looks for its factors
MAX_WORK = 100_000  # nodes of all matrices on the way: a product of symbols doubles with every factor


def evaluate(expression: Any, values: Mapping[str, Any]) -> Any:
    """The expression with the placeholders' values put in: a SymPy expression, or an ImmutableMatrix.

    Raises CannotReread for a kind of node that has no place here, a division by zero, a float.
    """
    import sympy
    from sympy.matrices.expressions.matexpr import MatrixElement, MatrixSymbol
    from sympy.matrices.matrixbase import MatrixBase

    functions = (sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.tan, sympy.tanh, sympy.sinh, sympy.cosh)

    work = _Work()

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
            return reduce(lambda one, two: work.held(one + two), map(walk, node.args))
        if isinstance(node, sympy.Mul | sympy.MatMul):
            return reduce(work.product, map(walk, node.args))
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
            return _exp(*arguments) if node.func is sympy.exp else node.func(*arguments)
        raise CannotReread(f"the second reader gives a {type(node).__name__}")

    try:
        result = walk(expression)
    except sympy.matrices.exceptions.ShapeError:
        raise CannotReread("shapes that do not fit") from None
    except (ArithmeticError, ValueError, TypeError, RecursionError, NotImplementedError) as fault:
        raise CannotReread(f"SymPy stumbles: {type(fault).__name__}") from None
    entries = list(result) if isinstance(result, MatrixBase) else [result]
    if any(entry.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo, sympy.Float) for entry in entries):
        raise CannotReread("a value that is not finite")
    if any(entry.has(sympy.I) for entry in entries):
        raise CannotReread("a value that is not real")
    return result


def _power(base: Any, exponent: Any) -> Any:
    import sympy

    if isinstance(base, sympy.MatrixBase):
        if not (exponent.is_Integer and 0 < exponent <= 8):
            raise CannotReread("that power of a matrix")
        return reduce(mul, [base] * int(exponent))
    if base == sympy.E:
        return _exp(exponent)
    if not exponent.is_Rational:
        raise CannotReread("an exponent that is not a whole number")
    if base == 0 and exponent <= 0:
        raise CannotReread("a division by zero")
    if not exponent.is_Integer and not (base.is_Rational and base >= 0):
        raise CannotReread("a root of what is not a rational number, or below zero")
    if not exponent.is_Integer and _bits(base) > MAX_ROOT_BITS:
        raise CannotReread("a root of a number that long")
    if _bits(base) * abs(exponent) > MAX_BITS:
        raise CannotReread("a power that large")
    return sympy.Pow(base, exponent)


def _exp(argument: Any) -> Any:
    """e to the power; SymPy makes 9**n of exp(n*log(9)), which is a number that may be long."""
    import sympy

    for term in sympy.Add.make_args(argument):
        if term.has(sympy.log) and _bits(term) * abs(term.as_coeff_Mul()[0]) > MAX_BITS:
            raise CannotReread("a power that large")
    return sympy.exp(argument)


class _Work:
    """Counts what has been done for one side, so that none takes long."""

    def __init__(self) -> None:
        self.left = MAX_WORK

    def product(self, one: Any, two: Any) -> Any:
        """One times two."""
        if hasattr(one, "shape") and hasattr(two, "shape"):
            self._spend(one.rows * one.cols * two.cols // 8)
        return self.held(one * two)

    def held(self, value: Any) -> Any:
        """The value, unless it would take too long to go on with."""
        for entry in value.flat() if hasattr(value, "shape") else [value]:
            if not entry.is_Rational:
                for _ in _nodes(entry) if hasattr(value, "shape") else ():
                    self._spend(1)
            elif _bits(entry) > MAX_BITS:
                raise CannotReread("a number that long")
            self._spend(1)
        return value

    def _spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise CannotReread("a value that large")


def _nodes(expression: Any) -> Iterator[Any]:
    yield expression
    for argument in expression.args:
        yield from _nodes(argument)


def _bits(value: Any) -> int:
    """Bits of the rational numbers in an expression."""
    import sympy

    found = [value] if value.is_Rational else value.atoms(sympy.Rational)
    return sum(max(abs(number.p), number.q).bit_length() for number in found)
