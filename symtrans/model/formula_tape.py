r"""A formula's small example as a tape: its inputs, its steps, and its vjp, a step a line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from symtrans.exact.written import Written
from symtrans.model.formula import Evaluation, Formula
from symtrans.model.tape import Cell, Tape
from symtrans.notation.dialect import load_dialect
from symtrans.notation.name import AnyName, Name, Script
from symtrans.notation.reader import read, read_name
from symtrans.notation.tree import BigSum, Group, Node, Number, Sum, Symbol, Term, rebuild, substitute, walk
from symtrans.notation.writer import Writer
from symtrans.ops import find_op
from symtrans.ops.domains.written import WrittenAlgebra
from symtrans.ops.interpret import interpret
from symtrans.ops.op import Op, Operand
from symtrans.ops.shapes import Shape
from symtrans.ops.tensor import Tensor

INDEX = "i"  # of a family: heads
WEIGHTS = {"W_Q", "W_K", "W_V"}  # whose entries are told apart by their head


def formula_tape(formula: Formula) -> Tape:
    r"""The tape of a formula's example; a step's id is its name's key: `Q`, `W_Q^1`, `bar X_pos`."""
    tape, example = Tape(), formula.evaluation
    for text, given in example.numbers.items():
        rows = [given] if isinstance(given, str) else given
        for place, (name, matrix) in enumerate(zip(_members(text, len(rows)), rows, strict=True), 1):
            _input(tape, name, matrix, place if len(rows) > 1 else None, constant=text in example.constants)
    for result, op, *rest in example.steps:
        _steps(tape, example, result, op, rest)
    for text, matrix in example.cotangents.items():
        _input(tape, _one(text), matrix, None, constant=True)
    for line in formula.vjp:
        _line(tape, example.lengths, line)
    return tape


def vjp_steps(formula: Formula) -> list[tuple[str, list[str]]]:
    """Each line of the vjp with the ids of the steps that it makes: one, or one for each head."""
    count = formula.evaluation.lengths.get("h", 1)
    found = []
    for line in formula.vjp:
        left, _ = sides(line)
        found.append((line, [indexed(left.name, place).key for place in _places(left, count)]))
    return found


def sides(line: str) -> tuple[Symbol, Node]:
    """An equation's name and what it is; ValueError where the line is no such equation."""
    reading = read(line)
    if reading.troubles or len(reading.chains) != 1 or len(reading.chains[0].sides) != 2:
        raise ValueError(f"{line} is not one equation that can be read")
    left, right = reading.chains[0].sides
    if not isinstance(left, Symbol) or right is None:
        raise ValueError(f"{line} does not tell what one name stands for")
    return left, right


def indexed(name: AnyName, place: int) -> AnyName:
    """The name with the index of a family replaced by a number."""
    if not isinstance(name, Name):
        return name

    def told(script: Script) -> Script:
        return replace(script, text=str(place)) if script.text == INDEX else script

    return replace(name, subscript=tuple(map(told, name.subscript)), superscript=tuple(map(told, name.superscript)))


def _has_index(name: AnyName) -> bool:
    return indexed(name, 1) != name


def _one(text: str) -> Name:
    name = read_name(text)
    assert isinstance(name, Name)
    return name


def _members(text: str, count: int) -> Iterator[Name]:
    """The names that a name stands for: itself, or each of its family."""
    name = _one(text)
    for place in range(1, count + 1) if _has_index(name) else (1,):
        member = indexed(name, place)
        assert isinstance(member, Name)
        yield member


def _cell(text: str) -> Cell:
    return None if text == "-inf" else Written.parse(text)


def _input(tape: Tape, name: Name, matrix: str, head: int | None, *, constant: bool) -> None:
    rows = tuple(tuple(_cell(cell) for cell in row.split()) for row in matrix.split(";"))
    is_scalar = len(rows) == len(rows[0]) == 1
    own = replace(name, superscript=()).key
    tape.add(
        id=name.key,
        name=name,
        part="inputs",
        role=own if own in WEIGHTS else "formula",
        kind="input",
        head=head,
        literal=rows,
        shape=() if is_scalar else None,
        constant=constant or is_scalar,
    )


def _steps(tape: Tape, example: Evaluation, result: str, op: str, rest: list[str]) -> None:
    """One step, or one for each head."""
    count = example.lengths.get("h", 1)
    settings = {key: int(value) for key, _, value in (text.partition("=") for text in rest if "=" in text)}
    operands = [text for text in rest if "=" not in text]
    own = _has_index(_one(result))
    for place, name in enumerate(_members(result, count), 1):
        ids: list[str] = []
        for text in operands:
            family = list(_members(text, count))
            ids.extend(member.key for member in (family if not own or len(family) == 1 else [family[place - 1]]))
        tape.add(
            id=name.key,
            name=name,
            part="forward",
            role="formula",
            kind="plain",
            op=find_op(op),
            operands=tuple(ids),
            settings=settings,
            head=place if own else None,
        )


def _line(tape: Tape, lengths: Mapping[str, int], line: str) -> None:
    """An equation of the vjp as a step, or one for each head."""
    left, right = sides(line)
    for place in _places(left, lengths.get("h", 1)):
        name = indexed(left.name, place)

        # A sum over the heads has the index for its own.
        tree = substitute(right, partial(_at, place=place)) if _has_index(left.name) else right
        op, operands = _equation(tape, lengths, tree)
        tape.add(
            id=name.key,
            name=name,
            part="backward",
            role="formula",
            kind="gradient",
            op=op,
            operands=operands,
            settings=lengths,
            head=place if _has_index(left.name) else None,
        )


def _places(left: Symbol, count: int) -> range:
    return range(1, count + 1) if _has_index(left.name) else range(1, 2)


def _at(symbol: Symbol, place: int) -> Node:
    """A symbol at one head: the index itself is its number."""
    return Number(str(place)) if symbol.name.key == INDEX else Symbol(indexed(symbol.name, place))


def _equation(tape: Tape, lengths: Mapping[str, int], tree: Node) -> tuple[Op, tuple[str, ...]]:
    """The op whose rule is a right side, in names of its own, and the ids of its operands."""
    tree = _summed(tree, lengths.get("h", 1))
    used = {
        node.name.key: tape[node.name.key] for node in walk(tree) if isinstance(node, Symbol) and node.name.key in tape
    }
    operands = tuple(
        Operand(f"v_{{{number}}}", tuple(map(str, step.shape))) for number, step in enumerate(used.values(), 1)
    )
    places = {key: read_name(operand.name) for key, operand in zip(used, operands, strict=True)}
    tree = substitute(tree, lambda symbol: Symbol(places[symbol.name.key]) if symbol.name.key in places else None)
    shapes = {place.key: used[key].shape for key, place in places.items()}
    result = Operand("G", tuple(map(str, _shape(tree, shapes, lengths))))
    rule = Writer(load_dialect("ams")).expression(tree)
    return Op("vjp", operands, result, rule, {}, "", settings=tuple(lengths)), tuple(used)


def _summed(tree: Node, count: int) -> Node:
    """The tree with a sum over the heads written out; its summands may then have names of their own."""
    tree = rebuild(tree, lambda child: _summed(child, count))
    if not isinstance(tree, BigSum) or tree.index is None or tree.index.key != INDEX:
        return tree
    body = Group(tree.body) if isinstance(tree.body, Sum) else tree.body
    members = [substitute(body, partial(_at, place=place)) for place in range(1, count + 1)]
    return members[0] if count == 1 else Group(Sum(tuple(Term(1, member) for member in members)))


def _shape(tree: Node, shapes: Mapping[str, Shape], lengths: Mapping[str, int]) -> Shape:
    """The shape of a formula's value; ShapeError where its operands do not fit."""
    two: Node = Number("2")
    numbers = {key: Tensor(shape, (two,) * math.prod(shape)) for key, shape in shapes.items()}
    return interpret(tree, numbers, WrittenAlgebra(), lengths).shape
