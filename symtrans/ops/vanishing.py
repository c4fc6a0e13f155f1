"""Whether a SymPy expression is 0 as a rational function of its symbols, functions and roots."""

from __future__ import annotations

from typing import Any

import flint

from symtrans.exact.enclosure import apply

BITS = 128


def is_zero(expression: Any) -> bool:
    """Whether the expression vanishes; an affirmation is a proof.

    Exponentials, roots and other functions count as symbols of their own, a root as one with its
    square. Where the expression has a kink at 0 in a symbol, it must vanish on both sides of it.
    """
    import sympy

    kinks = [f.args[place] for f in expression.atoms(sympy.Heaviside, sympy.Max) for place in range(2)]
    bent = sorted({argument for argument in kinks if argument.is_Symbol}, key=str)
    if bent:
        size = sympy.Dummy(positive=True)
        return is_zero(expression.xreplace({bent[0]: size})) and is_zero(expression.xreplace({bent[0]: -size}))
    rational, squares = _with_roots_as_symbols(_with_functions_as_symbols(expression))
    numerator = sympy.expand(sympy.together(rational).as_numer_denom()[0])
    for root, square in squares.items():
        coefficients = sympy.Poly(numerator, root).terms()
        numerator = sympy.expand(sympy.Add(*(c * square ** (k // 2) * root ** (k % 2) for (k,), c in coefficients)))
    return bool(numerator == 0)


def _with_functions_as_symbols(expression: Any) -> Any:
    """A function as a symbol of its own; SymPy's exp(2x+y) as the symbol for exp(x) squared, times another."""
    import sympy

    symbol_of: dict[Any, Any] = {}

    def plain(function: Any) -> Any:
        if not isinstance(function, sympy.exp):
            return symbol_of.setdefault(function, sympy.Dummy())
        powers = []
        for term in sympy.Add.make_args(function.args[0]):
            count, base = term.as_coeff_Mul()
            if not count.is_Integer:
                count, base = sympy.Integer(1), term
            powers.append(symbol_of.setdefault(sympy.exp(base), sympy.Dummy()) ** count)
        return sympy.Mul(*powers)

    return expression.xreplace({function: plain(function) for function in expression.atoms(sympy.Function, sympy.Max)})


def _with_roots_as_symbols(expression: Any) -> tuple[Any, dict[Any, Any]]:
    """The square root of a formula as a symbol of its own, and what each such symbol's square is."""
    import sympy

    root_of: dict[Any, Any] = {}
    powers = [p for p in expression.atoms(sympy.Pow) if p.exp.is_Rational and p.exp.q == 2 and p.base.free_symbols]
    replaced = {p: root_of.setdefault(p.base, sympy.Dummy()) ** p.exp.p for p in powers}
    return expression.xreplace(replaced), {root: base for base, root in root_of.items()}


def is_refuted(expression: Any) -> bool:
    """Whether the expression is certainly not 0 at one rational point: a proof that it does not vanish, and a quick one.

    False says nothing.
    """
    symbols = sorted(expression.free_symbols, key=str)
    point = {symbol: flint.arb(flint.fmpq(3 * place + 7, 5 * place + 11)) for place, symbol in enumerate(symbols)}
    with flint.ctx.workprec(BITS):
        value = _at(expression, dict(point))
    return bool(value.is_finite() and 0 not in value)


def _at(node: Any, known: dict[Any, flint.arb]) -> flint.arb:
    """The value of an expression where those of its symbols are known; not finite where this does not tell it."""
    import sympy

    if node in known:
        return known[node]
    if isinstance(node, sympy.Rational):
        value = flint.arb(flint.fmpq(int(node.p), int(node.q)))
    elif node is sympy.pi:
        value = flint.arb.pi()
    elif isinstance(node, sympy.Add | sympy.Mul):
        value = _at(node.args[0], known)
        for argument in node.args[1:]:
            value = value + _at(argument, known) if isinstance(node, sympy.Add) else value * _at(argument, known)
    elif isinstance(node, sympy.Pow):
        value = _at(node.base, known) ** _at(node.exp, known)
    elif isinstance(node, sympy.Heaviside):
        value = apply("positive", _at(node.args[0], known))
    elif isinstance(node, sympy.Function) and type(node).__name__ in ("exp", "log", "sin", "cos", "tanh", "erf"):
        value = apply(type(node).__name__, _at(node.args[0], known))
    else:
        value = flint.arb.nan()
    known[node] = value
    return value
