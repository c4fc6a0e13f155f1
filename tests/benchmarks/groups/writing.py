"""Writing: a product of two 64×64 matrices of fractions, derived and written as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from measuring import Aim, Row, interleaved

from symtrans.derive.naming import Naming
from symtrans.derive.numerals import Style
from symtrans.derive.sides import Sides
from symtrans.derive.values import Values
from symtrans.exact.written import Written
from symtrans.model.tape import Tape
from symtrans.notation.dialect import load_dialect
from symtrans.notation.name import Name
from symtrans.notation.tree import Chain, Link
from symtrans.notation.writer import Writer
from symtrans.ops import find_op

Rows = list[list[Fraction]]


def fractions(size: int, seed: int) -> Rows:
    """A matrix of fractions with small numerators and denominators."""

    def entry(i: int, j: int) -> Fraction:
        return Fraction((7 * i + 3 * j * j + seed) % 19 - 9, (5 * i + j + seed) % 7 + 2)

    return [[entry(i, j) for j in range(size)] for i in range(size)]


def rows(quick: bool) -> Iterator[Row]:
    """The step's value written beside SymPy's product and printer."""
    from sympy import ImmutableMatrix, Rational, latex

    size = 16 if quick else 64
    left, right = fractions(size, 1), fractions(size, 5)
    first, second = (
        ImmutableMatrix([[Rational(e.numerator, e.denominator) for e in row] for row in rows]) for rows in (left, right)
    )

    rounds = 7
    given = [derived_from(left, right) for _ in range(rounds + 1)]  # each keeps what it has computed

    def ours() -> str:
        return written(given.pop())

    def peer() -> str:
        return str(latex(first * second))

    taken, beside = interleaved(ours, peer, rounds=rounds)
    work = f"{size}×{size} product of two given matrices of fractions, derived and written"
    yield Row(work, "a derivation, its value as LaTeX", "SymPy's * and latex()", taken, beside, Aim(faster=20))


def product(left: Rows, right: Rows) -> Tape:
    """Two given matrices and their product."""
    tape = Tape()
    for name, given in (("A", left), ("B", right)):
        literal = tuple(tuple(Written(str(e), e, None) for e in row) for row in given)
        tape.add(id=name, name=Name(name), part="inputs", role=name, kind="input", literal=literal)
    matmul = find_op("matmul")
    tape.add(id="C", name=Name("C"), op=matmul, operands=("A", "B"), part="forward", role="C", kind="projection")
    return tape


def derived_from(left: Rows, right: Rows) -> Values:
    """A derivation that has its two matrices, as SymPy has its own, and nothing else yet."""
    values = Values(product(left, right))
    values.settle("A", "B")
    return values


def written(values: Values) -> str:
    """The product's name and value as a formula in fractions."""
    step = values.tape["C"]
    sides = Sides(values, Style("fraction", full=True), Naming({}))
    told = (sides.name(step), *(side.node for side in sides.value(step)))
    return Writer(load_dialect("array")).chain(Chain(told, (Link("="),) * (len(told) - 1)))
