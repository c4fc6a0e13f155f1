"""The proof of an op's vjp: it is the transposed Jacobian of the op's rule, as an identity of rational functions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from symtrans.errors import ShapeError, SymtransError, UndefinedValue
from symtrans.notation.name import Name
from symtrans.notation.reader import read_name
from symtrans.notation.tree import Node
from symtrans.ops.domains.symbols import SympyAlgebra
from symtrans.ops.formulas import member_names, run, vjp_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.op import Op
from symtrans.ops.refutation import Point, points, refuted_entry
from symtrans.ops.shapes import Settings, Shape, assign, bind, member_columns, settled
from symtrans.ops.tensor import Tensor
from symtrans.ops.vanishing import is_zero

MEMBERS = 3  # how many operands stand in for a variadic one


@dataclass(frozen=True, slots=True)
class Proof:
    """How many entries of a cotangent were compared, and what is wrong, a sentence each; none if it is proven.

    `refuted`: a fault is proven too, by disjoint enclosures or by a shape; else equality was not shown.
    """

    compared: int
    faults: tuple[str, ...]
    refuted: bool = False


@dataclass(frozen=True, slots=True)
class Sizes:
    """The lengths at which a vjp is proven: the operands' shapes, in order, and the settings."""

    shapes: tuple[Shape, ...]
    settings: Settings


def sample_count(op: Op) -> int:
    """How many operands the op has in its sample: a variadic one stands for three."""
    return len(op.operands) + (MEMBERS - 1) * sum(operand.variadic for operand in op.operands)


def sample_shapes(op: Op) -> list[Shape]:
    """The operands' shapes at the op's sample lengths; a starred length grows from member to member."""
    shapes = []
    for operand, place in assign(op, sample_count(op)):
        shapes.append(
            tuple(
                int(letter) if letter.isdigit() else op.sample[letter] + (place - 1 if letter.endswith("*") else 0)
                for letter in operand.shape
            )
        )
    return shapes


def sample_settings(op: Op) -> dict[str, int]:
    """The op's settings at its sample."""
    return {setting: op.sample[setting] for setting in op.settings}


def sample_sizes(op: Op) -> Sizes:
    """The op's sample."""
    return Sizes(tuple(sample_shapes(op)), settled(sample_settings(op)))


def sample_lengths(op: Op, position: int) -> dict[str, int]:
    """Every length that the vjp of the operand at `position` may use, at the op's sample."""
    return lengths_at(op, position, sample_sizes(op))


def lengths_at(op: Op, position: int, at: Sizes) -> dict[str, int]:
    """Every length that the vjp of the operand at `position` may use."""
    _, place = assign(op, len(at.shapes))[position]
    lengths = bind(op, at.shapes, dict(at.settings))
    return lengths | (member_columns(op, at.shapes, place) if place else {})


def cotangent_name(op: Op) -> Name:
    r"""The name of the result's cotangent in the op's formulas, `\bar{Y}` for a result named `Y`."""
    name = read_name(rf"\bar{{{op.result.name}}}")
    assert isinstance(name, Name)
    return name


def has_vjp(op: Op, position: int) -> bool:
    """Whether the op tells a cotangent for the operand at `position`."""
    return assign(op, sample_count(op))[position][0].name in op.vjp


def prove(op: Op, position: int, formula: Node | None = None) -> Proof:
    """Compares `formula`, by default the op's own vjp for the operand at `position`, with the Jacobian.

    The rule is carried out on SymPy symbols at the op's sample, contracted with a symbolic cotangent
    and differentiated entry by entry; the formula must give the same, as `proven` compares them.
    Where the op tells no vjp for the operand the result must not depend on it.
    """
    at = sample_sizes(op)
    if formula is None and not has_vjp(op, position):
        expected = _jacobian(op, position, at)[1]
        faults = [f"{op.name} depends on operand {position + 1} and tells no vjp" for e in expected.entries if e != 0]
        return Proof(len(expected.entries), tuple(faults), bool(faults))
    tree = vjp_tree(op, position, sample_count(op)) if formula is None else formula
    return proven(op, position, at, tree)


def proven(op: Op, position: int, at: Sizes, tree: Node) -> Proof:
    """Compares a formula with the Jacobian by the operand at `position`, at these sizes.

    A difference is proven at a rational point, by disjoint enclosures, and ends the comparison; what
    no point refutes is compared as rational functions. Exponentials and other functions count as
    symbols of their own there, so an agreement is a proof.
    """
    (names, expected), lengths = _jacobian(op, position, at), lengths_at(op, position, at)
    try:
        refuted = refuted_entry(tree, _points(op, position, at), lengths)
        if refuted is not None:
            return Proof(refuted, (_fault(op, position, refuted),), True)
        got = interpret(tree, names, SympyAlgebra(), lengths, by_rows=True)
    except SymtransError as fault:
        return Proof(1, (f"{op.name}: {fault}",), isinstance(fault, ShapeError | UndefinedValue))
    if got.shape != expected.shape:
        return Proof(1, (f"{op.name}: a cotangent of {got.told} for an operand of {expected.told}",), True)
    faults = [
        _fault(op, position, number)
        for number, (given, true) in enumerate(zip(got.entries, expected.entries, strict=True), 1)
        if not is_zero(given - true)
    ]
    return Proof(len(expected.entries), tuple(faults))


def _fault(op: Op, position: int, number: int) -> str:
    return f"{op.name}: entry {number} of the cotangent of operand {position + 1} is not the derivative"


@lru_cache(maxsize=256)
def _points(op: Op, position: int, at: Sizes) -> tuple[Point, ...]:
    """Points at which the vjp of the operand at `position` can be refuted."""
    return points(*_jacobian(op, position, at))


@lru_cache(maxsize=256)
def _jacobian(op: Op, position: int, at: Sizes) -> tuple[dict[str, Tensor[Any]], Tensor[Any]]:
    """What the vjp's names stand for, on symbols, and the derivative of ⟨cotangent, result⟩ by the operand."""
    import sympy

    operands = [_symbols(f"x{number}_", shape) for number, shape in enumerate(at.shapes)]
    result = run(op, operands, SympyAlgebra(), dict(at.settings))
    cotangent = _symbols("c_", result.shape)
    names = {n.key: tensor for n, tensor in zip(member_names(op, len(at.shapes)), operands, strict=True)}
    names |= {read_name(op.result.name).key: result, cotangent_name(op).key: cotangent}
    contracted = sympy.Add(*(c * y for c, y in zip(cotangent.entries, result.entries, strict=True)))
    return names, operands[position].map(contracted.diff)


def _symbols(prefix: str, shape: Shape) -> Tensor[Any]:
    import sympy

    count = shape[0] * shape[1] if shape else 1
    return Tensor(shape, tuple(sympy.Symbol(f"{prefix}{number}") for number in range(count)))
