"""A quick proof that a SymPy expression is not 0: its enclosure at one rational point keeps away from 0."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symtrans.errors import SymtransError
from symtrans.exact.ball_scalars import BallScalars

BITS = 128
FUNCTIONS = ("exp", "log", "sin", "cos", "tanh", "erf")


def is_refuted(expression: Any) -> bool:
    """Whether the expression is certainly not 0 at a point with positive coordinates; False says nothing."""
    scalars = BallScalars(BITS)
    symbols = sorted(expression.free_symbols, key=str)
    point = {symbol: scalars.number(Fraction(3 * n + 7, 5 * n + 11)) for n, symbol in enumerate(symbols)}
    try:
        value = _at(expression, scalars, point)
    except SymtransError:  # no value there, or not one that can be told at this precision
        return False
    return bool(value.is_finite() and 0 not in value)


def _at(node: Any, scalars: BallScalars, known: dict[Any, Any]) -> Any:
    """A ball round the value of an expression whose symbols are known; SymtransError where there is none."""
    if node not in known:
        known[node] = _worked_out(node, scalars, known)
    return known[node]


def _worked_out(node: Any, scalars: BallScalars, known: dict[Any, Any]) -> Any:
    import sympy

    if isinstance(node, sympy.Rational):
        return scalars.number(Fraction(int(node.p), int(node.q)))
    if node is sympy.pi:
        return scalars.constant("pi")
    if isinstance(node, sympy.Pow) and isinstance(node.exp, sympy.Rational):
        return scalars.power(_at(node.base, scalars, known), Fraction(int(node.exp.p), int(node.exp.q)))
    inner = [_at(argument, scalars, known) for argument in node.args]
    name = type(node).__name__
    if isinstance(node, sympy.Add):
        return scalars.sum(inner)
    if isinstance(node, sympy.Mul):
        product = inner[0]
        for factor in inner[1:]:
            product = scalars.multiply(product, factor)
        return product
    if isinstance(node, sympy.Max):
        return scalars.maximum(inner)
    if isinstance(node, sympy.Heaviside):
        return scalars.function("positive", inner[0])
    if name in FUNCTIONS:
        return scalars.function(name, inner[0])  # type: ignore[arg-type]
    raise SymtransError(f"{name} has no enclosure here")
