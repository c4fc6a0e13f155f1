"""Entries as SymPy expressions, for whoever works on in SymPy; the library is loaded when this is made."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symtrans.exact.scalars import ConstantName, FunctionName
from symtrans.ops.algebra import Algebra


class SympyScalars:
    """Arithmetic on SymPy expressions; nothing is simplified."""

    def __init__(self) -> None:
        import sympy

        self.sympy: Any = sympy

    def number(self, value: Fraction) -> Any:
        """A rational number."""
        return self.sympy.Rational(value.numerator, value.denominator)

    def constant(self, name: ConstantName) -> Any:
        """Pi or e."""
        return self.sympy.pi if name == "pi" else self.sympy.E

    def minus_infinity(self) -> Any:
        """A masked entry."""
        return -self.sympy.oo

    def add(self, left: Any, right: Any) -> Any:
        """The sum."""
        return left + right

    def subtract(self, left: Any, right: Any) -> Any:
        """The difference."""
        return left - right

    def multiply(self, left: Any, right: Any) -> Any:
        """The product."""
        return left * right

    def divide(self, left: Any, right: Any) -> Any:
        """The quotient."""
        return left / right

    def negate(self, value: Any) -> Any:
        """The opposite."""
        return -value

    def power(self, base: Any, exponent: Fraction) -> Any:
        """A rational power."""
        return base ** self.number(exponent)

    def function(self, name: FunctionName, argument: Any) -> Any:
        """A function of one variable."""
        if name == "sigmoid":
            return 1 / (1 + self.sympy.exp(-argument))
        if name == "positive":
            return self.sympy.Heaviside(argument, 0)
        return getattr(self.sympy, {"abs": "Abs"}.get(name, name))(argument)

    def softmax(self, logits: Sequence[Any]) -> list[Any]:
        """The weights of one row."""
        powers = [self.sympy.exp(logit) for logit in logits]
        total = self.sympy.Add(*powers)
        return [power / total for power in powers]

    def maximum(self, values: Sequence[Any]) -> Any:
        """The largest value."""
        return self.sympy.Max(*values)

    def sum(self, values: Sequence[Any]) -> Any:
        """The total."""
        return self.sympy.Add(*values)

    def is_zero(self, value: Any) -> bool:
        """Whether the value is the number 0."""
        return bool(value == 0)


class SympyAlgebra(Algebra[Any]):
    """Algebra over SymPy expressions."""

    def __init__(self) -> None:
        super().__init__(SympyScalars())
