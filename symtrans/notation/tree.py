r"""The mathematics of a formula as a tree: a closed set of nodes, each with the place it was read from.

Nothing here evaluates and nothing here knows a bracket style: `array` or `bmatrix`, `^T` or `^\top`
are a dialect's. Two trees are equal when their mathematics is; spans do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal

from symtrans.notation.name import AnyName


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets into the formula's source text: `source[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What every node has: where it was read from, or None where we made it."""

    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number(Node):
    """An unsigned numeral with its digits as written: `2.0` and `2` differ."""

    text: str


@dataclass(frozen=True, slots=True)
class Constant(Node):
    r"""A fixed quantity: `infty`, `pi` (π) or `e` (Euler's number; only where read as `e^{…}`)."""

    which: Literal["infty", "pi", "e"]


@dataclass(frozen=True, slots=True)
class Symbol(Node):
    """A named quantity."""

    name: AnyName


@dataclass(frozen=True, slots=True)
class Dots(Node):
    r"""An ellipsis between the first and the last of a series: `X_1+\ldots+X_h`.

    In a matrix it has a `direction`: for entries to the right, further down, or both.
    """

    direction: Literal["low", "center", "vertical", "diagonal"] = field(default="low", compare=False)


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """A matrix written out, of numbers, expressions or blocks: rows of cells."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A summand with its sign, +1 or -1."""

    sign: int
    node: Node


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """Signed terms in written order; `-x` is a sum of one negative term."""

    terms: tuple[Term, ...]


Operator = Literal["", "times", "cdot", "odot", "slash", "at", "otimes"]


@dataclass(frozen=True, slots=True)
class Product(Node):
    r"""Factors in written order; `operators[i]` stands between factors i and i+1.

    "" is juxtaposition, `odot` the entrywise product, `slash` division (`a/b`), `at` Python's `@`.
    """

    factors: tuple[Node, ...]
    operators: tuple[Operator, ...]


@dataclass(frozen=True, slots=True)
class Fraction(Node):
    r"""`\frac{numerator}{denominator}`."""

    numerator: Node
    denominator: Node


@dataclass(frozen=True, slots=True)
class Power(Node):
    """`base^exponent`."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Transpose(Node):
    """`base^T`."""

    base: Node


@dataclass(frozen=True, slots=True)
class Root(Node):
    r"""`\sqrt{body}`, or `\sqrt[degree]{body}`."""

    body: Node
    degree: Node | None = None


@dataclass(frozen=True, slots=True)
class Group(Node):
    """Something in brackets, kept because the author wrote them: "(", "[", "|" or "‖"."""

    body: Node
    bracket: Literal["(", "[", "|", "‖", "{"] = "("


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A function of arguments: softmax, exp, ReLU, LayerNorm, Concat, ….

    `subscript` holds what stands below the function's name (`log_2`, a norm's 2), or None.
    """

    function: str
    arguments: tuple[Node, ...]
    subscript: Node | None = None


@dataclass(frozen=True, slots=True)
class BigSum(Node):
    r"""`\sum_{index=low}^{high} body`; without bounds the sum runs over all entries of the body."""

    body: Node
    index: AnyName | None = None
    low: Node | None = None
    high: Node | None = None
    kind: Literal["sum", "prod"] = "sum"


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """`base_{rows, columns}`: each side a range (first, last), counted from 1, or None for all."""

    base: Node
    rows: tuple[Node, Node] | None
    columns: tuple[Node, Node] | None


Relation = Literal["=", "≈", "→", "<", ">", "≤", "≥", "≠", "∈", "∝", ":="]


@dataclass(frozen=True, slots=True)
class Link:
    """A relation sign and where it stands; `label` is what is written over an arrow."""

    relation: Relation
    label: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Chain:
    """Sides joined by relations: `links[i]` stands between sides i and i+1.

    A continuation that begins with a relation has None as its first side.
    """

    sides: tuple[Node | None, ...]
    links: tuple[Link, ...]


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below, in written order."""
    match node:
        case Number() | Symbol() | Constant() | Dots():
            return ()
        case Matrix(rows):
            return tuple(cell for row in rows for cell in row)
        case Sum(terms):
            return tuple([term.node for term in terms])
        case Product(factors):
            return factors
        case Apply(_, arguments, subscript):
            return arguments if subscript is None else (*arguments, subscript)
        case Slice(base, rows, columns):
            return (base, *(rows or ()), *(columns or ()))
        case _:
            kind: Any = type(node)
            parts = [getattr(node, name) for name in _parts(kind)]
            return tuple([part for part in parts if isinstance(part, Node)])


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind))


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in written order."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))


def rebuild(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with `change` applied to each of its direct children, in the order of `children`."""
    match node:
        case Number() | Symbol() | Constant() | Dots():
            return node
        case Matrix(rows):
            return Matrix(tuple(tuple(change(cell) for cell in row) for row in rows), span=node.span)
        case Sum(terms):
            return replace(node, terms=tuple(Term(term.sign, change(term.node)) for term in terms))
        case Product(factors):
            return replace(node, factors=tuple(change(factor) for factor in factors))
        case Apply(_, arguments, subscript):
            above = tuple(change(argument) for argument in arguments)
            return replace(node, arguments=above, subscript=None if subscript is None else change(subscript))
        case Slice(base, rows, columns):
            of = change(base)
            pair = [None if side is None else (change(side[0]), change(side[1])) for side in (rows, columns)]
            return replace(node, base=of, rows=pair[0], columns=pair[1])
        case _:
            changed = {
                item.name: change(value) for item in fields(node) if isinstance(value := getattr(node, item.name), Node)
            }
            return replace(node, **changed) if changed else node  # type: ignore[arg-type]


def substitute(node: Node, meaning: Callable[[Symbol], Node | None]) -> Node:
    """The node with every symbol replaced for which `meaning` gives something."""
    if isinstance(node, Symbol):
        found = meaning(node)
        return node if found is None else found
    return rebuild(node, lambda child: substitute(child, meaning))
