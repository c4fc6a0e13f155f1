r"""What stands before a first relation: a name that is given here, the number e, or something to be judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from symtrans.check.stated import numeral
from symtrans.check.world import World
from symtrans.document.claims import Statement
from symtrans.notation.name import Name
from symtrans.notation.tree import (
    Apply,
    Constant,
    Group,
    Matrix,
    Node,
    Number,
    Power,
    Product,
    Slice,
    Symbol,
    Transpose,
    substitute,
    walk,
)
from symtrans.ops.counting import COUNTED
from symtrans.ops.functions import FUNCTIONS

EULER = (Name("e"), Name("e", "roman"))
UNRULED = ("GELU", "ELU", "LeakyReLU", "argmax", "trace", "diag")  # known functions that have no rule here
POSITIONAL = "PE"
_SQUARES = ("sigma", "s")  # a variance is named by the square of a deviation
_NEAR_E = (Fraction(26, 10), Fraction(29, 10))


def names(node: Node, is_known: Callable[[Symbol], bool]) -> bool:
    """Whether a side is a name that stands for nothing yet.

    It may have scripts, be transposed or sliced, or be a function of its arguments, known or not.
    """
    match node:
        case Symbol():
            return not is_known(node)
        case Transpose(base) | Slice(base):
            return names(base, is_known)
        case Apply(function):
            return function not in (*FUNCTIONS, *COUNTED, *UNRULED)
        case Power(Symbol(Name(nucleus)) as base, Number("2")):
            return nucleus in _SQUARES and not is_known(base)
        case Product(factors, operators) if not any(operators):
            first = factors[0]
            if _spells(factors, POSITIONAL):
                return not any(is_known(factor) for factor in factors if isinstance(factor, Symbol))
            if is_function(node) or _is_differential(node):
                return not isinstance(first, Symbol) or not is_known(first)
            if isinstance(factors[-1], Group) and len(factors) > 2:
                factors = factors[:-1]
                return all(_is_letter(f) and not is_known(f) for f in factors)  # type: ignore[arg-type]
            return len(factors) > 2 and all(_is_letter(f) and not is_known(f) for f in factors)  # type: ignore[arg-type]
    return False


def is_application(node: Node | None) -> bool:
    """Whether a side may be a function of its argument: `f(2)`, `L(w)`."""
    match node:
        case Product((Symbol() | Constant("pi"), Group(Number() | Symbol(), "(")), ("",)):
            return True
    return False


def is_function(node: Product) -> bool:
    r"""`f(x)`, `p(1, 2)`, `\mathbb{E}[X]`."""
    match node:
        case Product((Symbol() | Constant("pi"), Group(_, "(" | "[")), ("",)):
            return True
        case Product((Symbol() | Constant("pi"), Matrix((_,))), ("",)):
            return True
    return False


def _is_differential(node: Product) -> bool:
    """`dW`, a gradient's short name."""
    match node.factors:
        case (Symbol(Name("d", subscript=(), superscript=())), Symbol()):
            return True
    return False


def _spells(factors: tuple[Node, ...], word: str) -> bool:
    """Whether two letters beside each other spell a word, the last one with an index: `PE_{2,0}`."""
    letters = [f.name.nucleus for f in factors if isinstance(f, Symbol) and isinstance(f.name, Name)]
    match factors:
        case (Symbol(Name(subscript=())), Symbol(Name(subscript=(_, *_)))):
            return "".join(letters) == word
    return False


def _is_letter(node: Node) -> bool:
    """A letter of a word that is written without a font of its own: `score`."""
    return isinstance(node, Symbol) and isinstance(node.name, Name) and node.name == Name(node.name.nucleus)


def with_euler(statement: Statement, world: World) -> Statement:
    """The statement with e as Euler's number, where it is first said to be about 2.72: that is no definition."""
    first = statement.sides[0]
    if first is None or len(statement.sides) < 2 or not isinstance(first.node, Symbol):
        return statement
    second = statement.sides[1]
    if first.node.name not in EULER or world.find(first.node.name) is not None or second is None or second.node is None:
        return statement
    stated = numeral(second.node)
    if stated is None or not _NEAR_E[0] < stated.written.value < _NEAR_E[1]:
        return statement
    node = Constant("e", span=first.node.span)
    return replace(statement, sides=(replace(first, node=node), *statement.sides[1:]))


def has_euler(node: Node) -> bool:
    """Whether a name e stands in it."""
    return any(isinstance(part, Symbol) and part.name in EULER for part in walk(node))


def as_euler(node: Node) -> Node:
    """The node with the name e as Euler's number."""
    return substitute(node, lambda part: Constant("e", span=part.span) if part.name in EULER else None)
