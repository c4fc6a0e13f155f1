"""Whether a SymPy expression is 0 as a rational function of its symbols, functions and roots."""

from __future__ import annotations

from typing import Any


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
