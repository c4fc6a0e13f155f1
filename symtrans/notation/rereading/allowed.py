"""What the second reader may be asked: an allow-list of node kinds, so that nothing is tried in vain."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from symtrans.notation.rereading.refusal import CannotReread
from symtrans.notation.tree import (
    Apply,
    Constant,
    Fraction,
    Group,
    Matrix,
    Node,
    Number,
    Power,
    Product,
    Root,
    Slice,
    Sum,
    Symbol,
    Term,
    Transpose,
)

FUNCTIONS = ("exp", "ln", "log", "sin", "cos", "tan", "tanh", "sinh", "cosh")
MAX_DEPTH = 24
MAX_FUNCTIONS = 2  # inside one another: for more, SymPy takes long, or overflows in one run and not in the next
# Digits of the exponents round one another: 2^{9999}, or (x^{99})^{99}.
MAX_EXPONENT_DIGITS = 4
MAX_DIGITS = 60

Kind = Literal["scalar", "matrix"]
Value = Callable[[Node], Any]

_WHOLE = re.compile(r"\d+")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_REFUSED = {
    "odot": "an entrywise product",
    "otimes": "an outer product",
}
_KINDS = {
    "Dots": "an ellipsis",
    "BigSum": "a sum sign",
    "Slice": "a part of a matrix",
}


class Permit:
    """Goes through a tree once; raises CannotReread where the second reader has no words for it.

    `values` are the values of what gets a placeholder, by node: names, parts of named matrices, and
    matrices of numbers.
    """

    def __init__(self, value: Value) -> None:
        self.value = value
        self.values: dict[Node, Any] = {}
        self.functions = 0  # inside which we are

    def kind(self, node: Node, depth: int = 0, exponents: int = 0) -> Kind:
        """Whether the node is a scalar or a matrix."""
        is_function = isinstance(node, Apply | Root) or (isinstance(node, Power) and node.base == Constant("e"))
        self.functions += is_function
        if depth > MAX_DEPTH or self.functions > MAX_FUNCTIONS:
            raise CannotReread("nested too deep")
        kind = self._kind(node, depth, exponents)
        self.functions -= is_function
        return kind

    def _kind(self, node: Node, depth: int, exponents: int) -> Kind:
        deeper = depth + 1
        match node:
            case Number(text):
                if not _DECIMAL.fullmatch(text) or len(text) > MAX_DIGITS:
                    raise CannotReread(f"the numeral {text[:20]}")
                return "scalar"
            case Constant("infty"):
                raise CannotReread("infinity")
            case Constant():
                return "scalar"
            case Symbol(name):
                return self._known(node, f"no value is known for {name.key}")
            case Slice(base) if isinstance(_unwrapped(base), Symbol):
                return self._known(node, "a part of a matrix")
            case Matrix(rows):
                if all(is_numeral(cell) for row in rows for cell in row):
                    return self._known(node, "a matrix without a value")
                self._cells([cell for row in rows for cell in row], deeper, exponents)
                return "matrix"
            case Sum(terms):
                kinds = {self.kind(term.node, deeper, exponents) for term in terms}
                if len(kinds) > 1:
                    raise CannotReread("a scalar added to a matrix")
                return kinds.pop()
            case Product():
                return self._product(node, deeper, exponents)
            case Fraction(numerator, denominator):
                self._scalar(denominator, deeper, exponents, "a division by a matrix")
                return self.kind(numerator, deeper, exponents)
            case Power(base, exponent):
                if base == Constant("e"):
                    return self._scalar(exponent, deeper, exponents, "a matrix in an exponent")
                digits = whole_number(exponent)
                if not digits:
                    raise CannotReread("an exponent that is not a whole number")
                if exponents + len(digits) > MAX_EXPONENT_DIGITS:
                    raise CannotReread("an exponent that large")
                return self._scalar(base, deeper, exponents + len(digits), "a power of a matrix")
            case Transpose(base):
                if self.kind(base, deeper, exponents) == "scalar":
                    raise CannotReread("the transpose of a scalar")
                return "matrix"
            case Root(body, degree):
                if degree is not None and not (isinstance(degree, Number) and _WHOLE.fullmatch(degree.text)):
                    raise CannotReread("a root of that degree")
                return self._scalar(body, deeper, exponents, "the root of a matrix")
            case Group(body, "(" | "[" | "{"):
                return self.kind(body, deeper, exponents)
            case Group():
                raise CannotReread("bars round an expression")
            case Apply():
                return self._apply(node, deeper, exponents)
        raise CannotReread(_KINDS.get(type(node).__name__, type(node).__name__))

    def _cells(self, cells: list[Node], depth: int, exponents: int) -> None:
        """Cells are all scalars, or all blocks that have a placeholder each."""
        kinds = {self.kind(cell, depth, exponents) for cell in cells}
        if len(kinds) > 1:
            raise CannotReread("a matrix of blocks and scalars")
        if "matrix" in kinds and not all(cell in self.values for cell in cells):
            raise CannotReread("a block that is not a name")

    def _product(self, node: Product, depth: int, exponents: int) -> Kind:
        for operator in node.operators:
            if operator in _REFUSED:
                raise CannotReread(_REFUSED[operator])
        if ("slash", "") in zip(node.operators, node.operators[1:], strict=False):
            # x/y z is x/(y z) to latex2sympy2, (x/y) z to others: it says nothing of what the author means.
            raise CannotReread("a slash before factors side by side")
        kinds: list[Kind] = [self.kind(factor, depth, exponents) for factor in node.factors]
        for operator, kind in zip(node.operators, kinds[1:], strict=True):
            if operator == "slash" and kind == "matrix":
                raise CannotReread("a division by a matrix")
        return "matrix" if "matrix" in kinds else "scalar"

    def _apply(self, node: Apply, depth: int, exponents: int) -> Kind:
        if node.function not in FUNCTIONS:
            raise CannotReread(f"the function {node.function}")
        if len(node.arguments) != 1:
            raise CannotReread(f"{node.function} of several arguments")
        if node.subscript is not None and not (node.function == "log" and isinstance(node.subscript, Number)):
            raise CannotReread(f"{node.function} with that subscript")
        return self._scalar(node.arguments[0], depth, exponents, f"{node.function} of every entry of a matrix")

    def _scalar(self, node: Node, depth: int, exponents: int, otherwise: str) -> Kind:
        if self.kind(node, depth, exponents) == "matrix":
            raise CannotReread(otherwise)
        return "scalar"

    def _known(self, node: Node, otherwise: str) -> Kind:
        if node not in self.values:
            found = self.value(node)
            if found is None:
                raise CannotReread(otherwise)
            self.values[node] = found
        return "matrix" if hasattr(self.values[node], "shape") else "scalar"


def is_numeral(node: Node) -> bool:
    """Whether a cell is a number as written, without or with a minus."""
    match node:
        case Sum((Term(_, Number()),)) | Number():
            return True
        case _:
            return False


def _unwrapped(node: Node) -> Node:
    return _unwrapped(node.body) if isinstance(node, Group) and node.bracket in ("(", "[", "{") else node


def whole_number(exponent: Node) -> str:
    """The digits of a whole number with or without a minus or brackets, or nothing."""
    match _unwrapped(exponent):
        case Sum((Term(_, body),)):
            return whole_number(body)
        case Number(text) if _WHOLE.fullmatch(text):
            return text
        case _:
            return ""
