"""Two thousand random expressions a run, written in both dialects, read alike by both readers."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from symtrans.exact.face import to_sympy
from symtrans.notation.dialect import load_dialect
from symtrans.notation.reader import read_expression
from symtrans.notation.second_reader import reread
from symtrans.notation.tree import Fraction, Group, Matrix, Node, Number, Power, Product, Sum, Term, Transpose
from symtrans.notation.writer import Writer
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.interpret import interpret

CHUNKS, EACH = 10, 220


def number(chance: random.Random) -> Node:
    return Number(chance.choice(["0", "1", "2", "3", "0.5", "1.25", "12", "7.0"]))


def scalar(chance: random.Random, depth: int) -> Node:
    """A random scalar expression; a denominator is a positive numeral."""
    if depth == 0:
        return number(chance)
    make: list[Callable[[], Node]] = [
        lambda: number(chance),
        lambda: Sum((Term(1, scalar(chance, depth - 1)), Term(chance.choice((1, -1)), scalar(chance, depth - 1)))),
        lambda: Sum((Term(-1, scalar(chance, depth - 1)),)),
        lambda: Product((scalar(chance, depth - 1), scalar(chance, depth - 1)), (chance.choice(("times", "cdot")),)),
        lambda: Fraction(scalar(chance, depth - 1), Number(chance.choice(["2", "3", "0.5"]))),
        lambda: Power(Group(scalar(chance, depth - 1)), Number(chance.choice(["2", "3"]))),
    ]
    return chance.choice(make)()


def matrix(chance: random.Random, depth: int) -> Node:
    """A random expression whose value is a 2×2 matrix."""
    if depth == 0:
        return Matrix(tuple(tuple(number(chance) for _ in range(2)) for _ in range(2)))
    make: list[Callable[[], Node]] = [
        lambda: Product((matrix(chance, depth - 1), matrix(chance, depth - 1)), ("",)),
        lambda: Sum((Term(1, matrix(chance, depth - 1)), Term(chance.choice((1, -1)), matrix(chance, depth - 1)))),
        lambda: Product((number(chance), matrix(chance, depth - 1)), ("times",)),
        lambda: Transpose(matrix(chance, depth - 1)),
        lambda: Fraction(matrix(chance, depth - 1), Number("2")),
    ]
    return chance.choice(make)()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_expressions_are_read_alike(chunk: int) -> None:
    chance = random.Random(1000 + chunk)
    algebra = ExactAlgebra()

    def face(node: Node) -> Any:
        import sympy

        value = interpret(node, {}, algebra)
        rows = [[to_sympy(entry) for entry in row] for row in value.rows()]
        return sympy.ImmutableMatrix(rows) if value.shape else rows[0][0]

    alike = 0
    while alike < EACH:
        tree = scalar(chance, chance.randint(0, 2)) if chance.random() < 0.6 else matrix(chance, chance.randint(0, 2))
        source = Writer(load_dialect(chance.choice(("array", "ams")))).expression(tree)
        if len(source) > 160:  # it costs the second reader a millisecond or two a character
            continue
        again = reread(source, read_expression(source), face)
        assert again.status == "read", (source, again.why)
        assert again.value == face(tree), (source, again.text, again.value)
        alike += 1
    assert CHUNKS * EACH >= 2000
