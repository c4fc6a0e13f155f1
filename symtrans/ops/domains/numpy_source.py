"""Entries as NumPy source: a rule becomes one readable expression over whole arrays, `softmax(S_1) @ V_1`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symtrans.exact.scalars import ConstantName, FunctionName
from symtrans.ops.algebra import Algebra
from symtrans.ops.tensor import Tensor

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly an expression is bound
CALLS = {"abs": "np.abs", "sigmoid": "sigmoid", "erf": "erf", "positive": "positive"}
DEFINED: dict[str, str] = {
    "softmax": (
        "def softmax(scores):\n"
        "    powers = np.exp(scores - scores.max(axis=1, keepdims=True))\n"
        "    return powers / powers.sum(axis=1, keepdims=True)"
    ),
    "sigmoid": "def sigmoid(x):\n    return 1 / (1 + np.exp(-x))",
    "erf": "erf = np.vectorize(math.erf, otypes=[float])",
    "positive": "def positive(x):\n    return np.where(x > 0, 1.0, 0.0)",
}


@dataclass(frozen=True, slots=True)
class Source:
    """An expression and how tightly it is bound."""

    text: str
    level: int = ATOM

    def within(self, level: int) -> str:
        """The text, in brackets where it is bound less tightly than `level`."""
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True, slots=True)
class Code(Tensor[Source]):
    """A whole array as one expression: its only entry stands for all."""

    def __post_init__(self) -> None:
        pass

    def map(self, function: Callable[[Source], Any]) -> Tensor[Any]:
        """The function applied to the whole."""
        return Code(self.shape, (function(self.entries[0]),))


class SourceScalars:
    """Arithmetic on expressions."""

    def number(self, value: Fraction) -> Source:
        """A rational number."""
        if value.denominator == 1:
            return Source(str(value), ATOM if value >= 0 else SUM)
        return Source(f"{value.numerator} / {value.denominator}", PRODUCT if value >= 0 else SUM)

    def constant(self, name: ConstantName) -> Source:
        """Pi or e."""
        return Source("np.pi" if name == "pi" else "np.e")

    def minus_infinity(self) -> Source:
        """A masked entry."""
        return Source("-np.inf", SUM)

    def add(self, left: Source, right: Source) -> Source:
        """The sum."""
        return Source(f"{left.within(SUM)} + {right.within(PRODUCT)}", SUM)

    def subtract(self, left: Source, right: Source) -> Source:
        """The difference."""
        return Source(f"{left.within(SUM)} - {right.within(PRODUCT)}", SUM)

    def multiply(self, left: Source, right: Source) -> Source:
        """The product, entry by entry."""
        return Source(f"{left.within(PRODUCT)} * {right.within(POWER)}", PRODUCT)

    def divide(self, left: Source, right: Source) -> Source:
        """The quotient, entry by entry."""
        return Source(f"{left.within(PRODUCT)} / {right.within(POWER)}", PRODUCT)

    def negate(self, value: Source) -> Source:
        """The opposite."""
        return Source(f"-{value.within(PRODUCT)}", SUM)

    def power(self, base: Source, exponent: Fraction) -> Source:
        """A rational power, entry by entry."""
        if exponent == Fraction(1, 2):
            return self.function("sqrt", base)
        return Source(f"{base.within(ATOM)} ** {self.number(exponent).within(ATOM)}", POWER)

    def function(self, name: FunctionName, argument: Source) -> Source:
        """A function, entry by entry."""
        return Source(f"{CALLS.get(name, f'np.{name}')}({argument.text})")

    def softmax(self, logits: Sequence[Source]) -> list[Source]:
        """The softmax of one expression's rows."""
        return [Source(f"softmax({logit.text})") for logit in logits]

    def maximum(self, values: Sequence[Source]) -> Source:
        """The greatest of some expressions, entry by entry."""
        result = values[0]
        for value in values[1:]:
            result = Source(f"np.maximum({result.text}, {value.text})")
        return result

    def sum(self, values: Sequence[Source]) -> Source:
        """The total of some expressions."""
        result = values[0]
        for value in values[1:]:
            result = self.add(result, value)
        return result

    def is_zero(self, value: Source) -> bool:
        """Whether the expression is the number 0."""
        return value.text == "0"


class SourceAlgebra(Algebra[Source]):
    """Algebra over arrays that are one expression each; shapes are checked as everywhere."""

    def __init__(self) -> None:
        super().__init__(SourceScalars())

    def constant(self, rows: int, columns: int, value: int) -> Tensor[Source]:
        """An array with one integer in every place."""
        made = {0: f"np.zeros(({rows}, {columns}))", 1: f"np.ones(({rows}, {columns}))"}
        return Code((rows, columns), (Source(made.get(value, f"np.full(({rows}, {columns}), {value}.0)")),))

    def identity(self, size: int) -> Tensor[Source]:
        """The identity matrix."""
        return Code((size, size), (Source(f"np.eye({size})"),))

    def matrix_product(self, a: Tensor[Source], b: Tensor[Source]) -> Tensor[Source]:
        """The product of two matrices."""
        text = f"{a.entries[0].within(PRODUCT)} @ {b.entries[0].within(POWER)}"
        return Code((a.shape[0], b.shape[1]), (Source(text, PRODUCT),))

    def product(self, a: Tensor[Source], b: Tensor[Source]) -> Tensor[Source]:
        """The product as the shapes say."""
        if a.is_scalar or b.is_scalar:
            return Code(a.shape or b.shape, (self.scalars.multiply(a.entries[0], b.entries[0]),))
        return super().product(a, b)

    def divide(self, a: Tensor[Source], b: Tensor[Source]) -> Tensor[Source]:
        """A quantity divided by a scalar, or entry by entry."""
        if b.is_scalar:
            return Code(a.shape, (self.scalars.divide(a.entries[0], b.entries[0]),))
        return super().divide(a, b)

    def matrix_power(self, a: Tensor[Source], exponent: int) -> Tensor[Source]:
        """A square matrix multiplied by itself."""
        return Code(a.shape, (Source(f"np.linalg.matrix_power({a.entries[0].text}, {exponent})"),))

    def transpose(self, a: Tensor[Source]) -> Tensor[Source]:
        """Rows and columns exchanged."""
        return a if a.is_scalar else Code(a.shape[::-1], (Source(f"{a.entries[0].within(ATOM)}.T"),))

    def slice(
        self, a: Tensor[Source], rows: tuple[int, int] | None = None, columns: tuple[int, int] | None = None
    ) -> Tensor[Source]:
        """The rows and the columns from first to last, counted from 1 in the rule and from 0 in the source."""
        whole: Tensor[str] = Tensor(a.shape, ("",) * (a.shape[0] * a.shape[1]))
        shape = Algebra.slice(Algebra[Any](self.scalars), whole, rows, columns).shape
        places = [":" if side is None else f"{side[0] - 1}:{side[1]}" for side in (rows, columns)]
        return Code(shape, (Source(f"{a.entries[0].within(ATOM)}[{', '.join(places)}]"),))

    def blocks(self, rows: Sequence[Sequence[Tensor[Source]]]) -> Tensor[Source]:
        """One array of blocks."""
        height = sum((row[0].shape or (1, 1))[0] for row in rows)
        width = sum((block.shape or (1, 1))[1] for block in rows[0])
        told = ["[" + ", ".join(block.entries[0].text for block in row) + "]" for row in rows]
        return Code((height, width), (Source(f"np.block([{', '.join(told)}])"),))

    def total(self, a: Tensor[Source]) -> Tensor[Source]:
        """The sum of all entries."""
        return Code((), (Source(f"np.sum({a.entries[0].text})"),))

    def softmax(self, a: Tensor[Source]) -> Tensor[Source]:
        """The softmax of each row."""
        return Code(a.shape, tuple(self.scalars.softmax(a.entries)))

    def _pairwise(
        self, what: str, function: Callable[[Source, Source], Source], a: Tensor[Source], b: Tensor[Source]
    ) -> Tensor[Source]:
        if a.shape != b.shape:
            return super()._pairwise(what, function, a, b)  # which tells what does not fit
        return Code(a.shape, (function(a.entries[0], b.entries[0]),))
