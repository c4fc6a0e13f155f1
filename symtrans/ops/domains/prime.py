"""A rule carried out modulo primes, and how many exponentials a rule nests."""

from __future__ import annotations

from functools import lru_cache
from operator import mul

from symtrans.exact.prime_scalars import PrimeScalars, Residues
from symtrans.notation import tree as t
from symtrans.notation.tree import Node
from symtrans.ops.algebra import Algebra
from symtrans.ops.formulas import member_names, rule_tree
from symtrans.ops.op import Op
from symtrans.ops.tensor import Tensor

# The error function is no exponential, but its derivative has one.
EXPONENTIAL = {"exp", "softmax", "sigmoid", "tanh", "SiLU", "sinh", "cosh", "erf"}
KINKED = {"ReLU", "max", "min", "abs", "positive"}


class PrimeAlgebra(Algebra[Residues]):
    """Algebra over residues in a tower of prime fields."""

    def __init__(self, scalars: PrimeScalars) -> None:
        super().__init__(scalars)
        self.primes = scalars.tower.primes

    def matrix_product(self, a: Tensor[Residues], b: Tensor[Residues]) -> Tensor[Residues]:
        """The product of two matrices whose shapes fit, field by field."""
        levels = min(map(len, (*a.entries, *b.entries)))
        if not levels:
            return super().matrix_product(a, b)
        fields = []
        for level in range(levels):
            columns = [[entry[level] for entry in column] for column in b.columns()]
            lines = ([entry[level] for entry in row] for row in a.rows())
            prime = self.primes[level]
            fields.append([sum(map(mul, line, column)) % prime for line in lines for column in columns])
        return Tensor((a.shape[0], b.shape[1]), tuple(zip(*fields, strict=True)))


@lru_cache(maxsize=4096)
def nested_exponentials(op: Op, count: int) -> tuple[int, ...]:
    """For each of `count` operands, under how many exponentials it stands in the rule or its derivative."""
    found: dict[str, int] = {}
    _note_depths(rule_tree(op, count), 0, found)
    return tuple(found.get(name.key, 0) for name in member_names(op, count))


@lru_cache(maxsize=4096)
def has_kinks(op: Op, count: int) -> bool:
    """Whether the op's rule asks on which side of 0 a number lies."""
    return any(
        (isinstance(node, t.Apply) and node.function in KINKED) or (isinstance(node, t.Group) and node.bracket == "|")
        for node in t.walk(rule_tree(op, count))
    )


def _note_depths(node: Node, depth: int, found: dict[str, int]) -> None:
    """Under how many exponentials each name stands at most."""
    match node:
        case t.Symbol(name):
            found[name.key] = max(found.get(name.key, 0), depth)
        case t.Apply(function) if function in EXPONENTIAL:
            depth += 1
        case t.Power(t.Constant("e")):
            depth += 1
    for child in t.children(node):
        _note_depths(child, depth, found)
