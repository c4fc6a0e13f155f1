"""The interpreter: a formula's tree, names and an algebra make a tensor. One rule, every kind of entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Generic, TypeVar

from symtrans.errors import LimitError, ShapeError, SymtransError
from symtrans.notation import tree as t
from symtrans.notation.name import AnyName, Name, Script
from symtrans.notation.tree import Node
from symtrans.ops.algebra import Algebra
from symtrans.ops.counting import COUNTED, counted, integer, rational
from symtrans.ops.functions import apply_function, norm
from symtrans.ops.tensor import Tensor

S = TypeVar("S")
MAX_SUMMANDS = 1000
Resolver = Callable[[AnyName], "Tensor[S] | None"]


class UnknownName(SymtransError):
    """A name that stands for nothing here."""

    def __init__(self, name: AnyName) -> None:
        super().__init__(f"{name.key} is not defined")
        self.name = name


class NotEvaluated(SymtransError):
    """Something that is read but has no value here."""


def interpret(
    tree: Node,
    names: Mapping[str, Tensor[S]] | Callable[[AnyName], Tensor[S] | None],
    algebra: Algebra[S],
    lengths: Mapping[str, int] | None = None,
    *,
    by_rows: bool = False,
) -> Tensor[S]:
    r"""The tree's value in the algebra.

    `names` gives what a name stands for, by its key or by a function. `lengths` gives shape letters
    and settings, which may be used as numbers and in `\mathbf{1}_{n}`, `\mathbf{I}_{n}`.

    A power of a matrix is entrywise under a sum without bounds, and where the matrix is not square;
    elsewhere it is the matrix power. `by_rows`: the softmax of a column is that of its rows, as an op's
    rule means it; elsewhere a column is a vector. Raises UnknownName, NotEvaluated, ShapeError, LimitError,
    UndefinedValue or Undecided, each one sentence.
    """
    find: Callable[[AnyName], Tensor[S] | None] = names if callable(names) else lambda name: names.get(name.key)
    return _Interpreter(find, algebra, lengths or {}, by_rows).value(tree)


class _Interpreter(Generic[S]):
    """One evaluation."""

    def __init__(self, find: Resolver[S], algebra: Algebra[S], lengths: Mapping[str, int], by_rows: bool) -> None:
        self.find = find
        self.algebra = algebra
        self.lengths = lengths
        self.by_rows = by_rows
        self.entrywise = False

    def value(self, node: Node) -> Tensor[S]:
        algebra = self.algebra
        match node:
            case t.Number(text):
                return algebra.numeral(text)
            case t.Symbol(name):
                return self._symbol(name)
            case t.Constant(which):
                return self._constant(which)
            case t.Group(body, bracket):
                return self._group(body, bracket)
            case t.Sum(terms):
                total = self._signed(terms[0])
                for term in terms[1:]:
                    part = self.value(term.node)
                    total = algebra.add(total, part) if term.sign > 0 else algebra.subtract(total, part)
                return total
            case t.Product(factors, operators):
                return self._product(factors, operators)
            case t.Fraction(numerator, denominator):
                return algebra.divide(self.value(numerator), self.value(denominator))
            case t.Power(base, exponent):
                return self._power(base, exponent)
            case t.Transpose(base):
                return algebra.transpose(self.value(base))
            case t.Root(body, degree):
                return self._root(body, degree)
            case t.Matrix(rows):
                return algebra.blocks([[self.value(cell) for cell in row] for row in rows])
            case t.Apply(function, arguments) if function in COUNTED:
                return algebra.number(counted(function, arguments, self.lengths))
            case t.Apply(function, arguments, subscript):
                below = None if subscript is None else rational(subscript, self.lengths)
                return apply_function(
                    function, [self.value(a) for a in arguments], algebra, below, by_rows=self.by_rows
                )
            case t.BigSum():
                return self._sum(node)
            case t.Slice(base, rows, columns):
                ranges = [
                    None if side is None else (integer(side[0], self.lengths), integer(side[1], self.lengths))
                    for side in (rows, columns)
                ]
                return algebra.slice(self.value(base), ranges[0], ranges[1])
            case _:
                raise NotEvaluated("an ellipsis has no value")

    def _signed(self, term: t.Term) -> Tensor[S]:
        value = self.value(term.node)
        return value if term.sign > 0 else self.algebra.negate(value)

    def _symbol(self, name: AnyName) -> Tensor[S]:
        found = self.find(name)
        if found is not None:
            return found
        if isinstance(name, Name):
            if name.key in self.lengths:
                return self.algebra.number(self.lengths[name.key])
            size = self._size(name)
            if size is not None and name.nucleus == "1":
                return self.algebra.constant(size, 1, 1)
            if size is not None and name.nucleus == "I":
                return self.algebra.identity(size)
            if name == Name("pi", is_command=True):
                return self._constant("pi")
        raise UnknownName(name)

    def _size(self, name: Name) -> int | None:
        r"""The length of `\mathbf{1}_{n}` or `\mathbf{I}_{n}`, or None for another name."""
        if name.font != "bold" or len(name.subscript) != 1:
            return None
        text = name.subscript[0].text
        return int(text) if text.isdigit() and len(text) < 7 else self.lengths.get(text)

    def _constant(self, which: str) -> Tensor[S]:
        scalars = self.algebra.scalars
        if which == "infty":
            return Tensor.scalar(scalars.negate(scalars.minus_infinity()))
        return Tensor.scalar(scalars.constant("pi" if which == "pi" else "e"))

    def _group(self, body: Node, bracket: str) -> Tensor[S]:
        value = self.value(body)
        if bracket == "‖":
            return norm(value, self.algebra)
        if bracket == "|":
            if not value.is_scalar:
                raise ShapeError(f"the absolute value of {value.told} is not defined; a scalar is needed")
            return self.algebra.entrywise("abs", value)
        return value

    def _product(self, factors: tuple[Node, ...], operators: tuple[str, ...]) -> Tensor[S]:
        values: list[Tensor[S]] = []
        kept: list[str] = []
        place = 0
        while place < len(factors):
            factor = factors[place]
            if place + 1 < len(factors) and operators[place] == "" and self._is_sigmoid(factor, factors[place + 1]):
                values.append(self.algebra.entrywise("sigmoid", self.value(factors[place + 1])))
                place += 1
            else:
                values.append(self.value(factor))
            if place < len(operators):
                kept.append(operators[place])
            place += 1
        result = values[0]
        for operator, value in zip(kept, values[1:], strict=True):
            match operator:
                case "odot":
                    result = self.algebra.odot(result, value)
                case "slash":
                    result = self.algebra.divide(result, value)
                case "otimes":
                    raise NotEvaluated("the product ⊗ has no value here; ⊙ is the entrywise product")
                case _:
                    result = self.algebra.product(result, value)
        return result

    def _is_sigmoid(self, factor: Node, following: Node) -> bool:
        return (
            isinstance(factor, t.Symbol)
            and factor.name == Name("sigma", is_command=True)
            and isinstance(following, t.Group)
            and following.bracket in ("(", "[")
            and self.find(factor.name) is None
        )

    def _power(self, base: Node, exponent: Node) -> Tensor[S]:
        if isinstance(base, t.Constant) and base.which == "e":
            return self.algebra.entrywise("exp", self.value(exponent))
        power = rational(exponent, self.lengths)
        value = self.value(base)
        if power is None:
            power_value = self.value(exponent)
            if not (power_value.is_scalar and value.is_scalar):
                raise ShapeError("an exponent must be a scalar")
            log = self.algebra.entrywise("log", value)
            return self.algebra.entrywise("exp", self.algebra.product(power_value, log))
        square = bool(value.shape) and value.shape[0] == value.shape[1] and value.shape != (1, 1)
        if square and not self.entrywise and power.denominator == 1:
            return self.algebra.matrix_power(value, int(power))
        return self.algebra.power(value, power)

    def _root(self, body: Node, degree: Node | None) -> Tensor[S]:
        value = self.value(body)
        if degree is None:
            return self.algebra.entrywise("sqrt", value)
        order = integer(degree, self.lengths)
        if order < 1:
            raise NotEvaluated("the degree of a root is a positive whole number")
        return self.algebra.power(value, Fraction(1, order))

    def _sum(self, node: t.BigSum) -> Tensor[S]:
        if node.index is None:
            return self._total(node)
        if node.low is None or node.high is None:
            raise NotEvaluated("a sum over an index needs its first and its last value")
        low, high = integer(node.low, self.lengths), integer(node.high, self.lengths)
        if high - low >= MAX_SUMMANDS:
            raise LimitError(f"a sum of more than {MAX_SUMMANDS} terms")
        if high < low:
            raise NotEvaluated("a sum whose last index comes before its first")
        parts = [self.value(at_index(node.body, node.index, place)) for place in range(low, high + 1)]
        result = parts[0]
        for part in parts[1:]:
            result = self.algebra.add(result, part) if node.kind == "sum" else self.algebra.product(result, part)
        return result

    def _total(self, node: t.BigSum) -> Tensor[S]:
        """A sum without bounds: over all entries of its body."""
        before, self.entrywise = self.entrywise, True
        body = self.value(node.body)
        self.entrywise = before
        if node.kind == "prod":
            raise NotEvaluated("a product without bounds")
        return self.algebra.total(body)


def at_index(body: Node, index: AnyName, place: int) -> Node:
    """The body with the index replaced by a number, in subscripts too."""
    text = index.key

    def meant(symbol: t.Symbol) -> Node | None:
        name = symbol.name
        if name == index:
            return t.Number(str(place))
        if not isinstance(name, Name):
            return None
        pieces = tuple(_indexed(piece, text, place) for piece in name.subscript)
        upper = tuple(_indexed(piece, text, place) for piece in name.superscript)
        return t.Symbol(replace(name, subscript=pieces, superscript=upper))

    return t.substitute(body, meant)


def _indexed(piece: Script, index: str, place: int) -> Script:
    """A script with the index as a place of its own replaced: `i`, `i,j`, `ij`."""
    if "," in piece.text:
        return replace(piece, text=",".join(str(place) if part == index else part for part in piece.text.split(",")))
    if piece.text == index:
        return replace(piece, text=str(place))
    if len(piece.text) == 2 and piece.text.isalnum() and index in piece.text and len(index) == 1:
        return replace(piece, text=piece.text.replace(index, str(place)))
    return piece
