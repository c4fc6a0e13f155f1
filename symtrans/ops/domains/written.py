"""Entries as trees: a rule carried out on written numbers or symbols, with nothing evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from symtrans.exact.scalars import ConstantName, FunctionName
from symtrans.notation import tree as t
from symtrans.notation.name import Name
from symtrans.notation.tree import Node
from symtrans.ops.algebra import Algebra
from symtrans.ops.tensor import Tensor

ZERO, ONE = t.Number("0"), t.Number("1")
UNSEEN: Node = t.Symbol(Name("¤"))  # an entry that nobody looks at


class WrittenScalars:
    """Arithmetic that only writes down; zeros and ones that a structure brings are left out."""

    def number(self, value: Fraction) -> Node:
        """A rational as a numeral or a fraction."""
        size = abs(value)
        node: Node = t.Number(str(size.numerator))
        if size.denominator != 1:
            node = t.Fraction(node, t.Number(str(size.denominator)))
        return node if value >= 0 else t.Sum((t.Term(-1, node),))

    def constant(self, name: ConstantName) -> Node:
        """Pi or e."""
        return t.Constant(name)

    def minus_infinity(self) -> Node:
        """A masked entry."""
        return t.Sum((t.Term(-1, t.Constant("infty")),))

    def add(self, left: Node, right: Node) -> Node:
        """A sum, flat."""
        return self.sum([left, right])

    def subtract(self, left: Node, right: Node) -> Node:
        """A difference; what is taken away stands in brackets where it is a sum."""
        taken = t.Group(right) if isinstance(right, t.Sum) else right
        return t.Sum((*_terms(left), t.Term(-1, taken)))

    def negate(self, value: Node) -> Node:
        """The opposite."""
        return t.Sum((t.Term(-1, t.Group(value) if isinstance(value, t.Sum) else value),))

    def multiply(self, left: Node, right: Node) -> Node:
        """A product, flat; a times sign between two numerals."""
        if ZERO in (left, right):
            return ZERO
        if left == ONE:
            return right
        if right == ONE:
            return left
        factors, operators = _factors(left)
        more, joints = _factors(right)
        sign: t.Operator = "times" if isinstance(factors[-1], t.Number) and isinstance(more[0], t.Number) else ""
        return t.Product((*factors, *more), (*operators, sign, *joints))

    def divide(self, left: Node, right: Node) -> Node:
        """A fraction."""
        return left if right == ONE else t.Fraction(left, right)

    def power(self, base: Node, exponent: Fraction) -> Node:
        """A power; a sum stands in brackets."""
        if exponent == 1:
            return base
        atomic = isinstance(base, t.Number | t.Symbol | t.Group)
        return t.Power(base if atomic else t.Group(base), self.number(exponent))

    def function(self, name: FunctionName, argument: Node) -> Node:
        """A function written out."""
        match name:
            case "exp":
                return t.Power(t.Constant("e"), argument)
            case "sqrt":
                return t.Root(argument)
            case "abs":
                return t.Group(argument, "|")
            case _:
                return t.Apply(name, (argument,))

    def softmax(self, logits: Sequence[Node]) -> list[Node]:
        """Every weight as its fraction of exponentials."""
        powers = [self.function("exp", logit) for logit in logits]
        return [t.Fraction(power, self.sum(powers)) for power in powers]

    def maximum(self, values: Sequence[Node]) -> Node:
        """A maximum written out."""
        return t.Apply("max", tuple(values))

    def sum(self, values: Sequence[Node]) -> Node:
        """A flat sum; zeros that a structure brings are left out."""
        terms = [term for value in values if value != ZERO for term in _terms(value)]
        if not terms:
            return ZERO
        return terms[0].node if len(terms) == 1 and terms[0].sign > 0 else t.Sum(tuple(terms))

    def is_zero(self, value: Node) -> bool:
        """Whether the numeral 0 stands there."""
        return value == ZERO


class WrittenAlgebra(Algebra[Node]):
    """Algebra over written entries.

    `shown` gives the rows or columns, of so many, that somebody will look at; a product has UNSEEN elsewhere.
    """

    def __init__(self, shown: Callable[[int], Iterable[int]] = range) -> None:
        super().__init__(WrittenScalars())
        self.shown = shown

    def matrix_product(self, a: Tensor[Node], b: Tensor[Node]) -> Tensor[Node]:
        """The product of two matrices whose shapes fit, where somebody will look at it."""
        size = (a.shape[0], b.shape[1])
        cells: list[Node] = [UNSEEN] * (size[0] * size[1])
        rows, columns = a.rows(), b.columns()
        for i in self.shown(size[0]):
            for j in self.shown(size[1]):
                pairs = zip(rows[i], columns[j], strict=True)
                cells[i * size[1] + j] = self.sum_of([self.scalars.multiply(x, y) for x, y in pairs])
        return Tensor(size, tuple(cells))

    def numeral(self, text: str) -> Tensor[Node]:
        """A numeral, its digits kept."""
        return Tensor.scalar(t.Number(text))


def _terms(node: Node) -> tuple[t.Term, ...]:
    return node.terms if isinstance(node, t.Sum) else (t.Term(1, node),)


def _factors(node: Node) -> tuple[tuple[Node, ...], tuple[t.Operator, ...]]:
    """A node as factors: a product's own, a sum in brackets (square ones round squares)."""
    match node:
        case t.Product(factors, operators):
            return factors, operators
        case t.Sum(terms):
            tall = len(terms) > 2 or any(isinstance(term.node, t.Power) for term in terms)
            return (t.Group(node, "[" if tall else "("),), ()
        case _:
            return (node,), ()
