"""The shape interpreter of an op: which lengths its letters have, and what shape its result has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from symtrans.errors import ShapeError
from symtrans.ops.op import Op, Operand

Shape = tuple[int, ...]
Settings = tuple[tuple[str, int], ...]

_TERM = re.compile(r"([+-]?)\s*([A-Za-z]\*?|\d+)\s*")


def told(shape: Shape) -> str:
    """A shape as a person writes it: `2×4`, or `a scalar`."""
    return "×".join(str(length) for length in shape) if shape else "a scalar"


def settled(settings: Mapping[str, int] | None) -> Settings:
    """Settings as a key."""
    return tuple(sorted(settings.items())) if settings else ()


@lru_cache(maxsize=4096)
def assign(op: Op, count: int) -> tuple[tuple[Operand, int], ...]:
    """Which operand each of `count` given quantities is, with its index from 1 if variadic, else 0.

    Raises ShapeError where the number of quantities does not fit the op.
    """
    variadic = [operand for operand in op.operands if operand.variadic]
    spare = count - len(op.operands) + 1
    if spare < 1 if variadic else count != len(op.operands):
        least = "at least " if variadic else ""
        raise ShapeError(f"{op.name} takes {least}{len(op.operands)} operands, and got {count}")
    given: list[tuple[Operand, int]] = []
    for operand in op.operands:
        indices = range(1, spare + 1) if operand.variadic else (0,)
        given.extend((operand, index) for index in indices)
    return tuple(given)


def length(text: str, lengths: Mapping[str, int]) -> int:
    """The length that `text` tells: a letter, a setting, a number, or a sum of them (`b-a+1`)."""
    return sum((-1 if sign == "-" else 1) * _term(term, lengths) for sign, term in _TERM.findall(text))


def bind(op: Op, shapes: Sequence[Shape], settings: Mapping[str, int] | None = None) -> dict[str, int]:
    """The length of every letter and setting of the op, from its operands' shapes in order.

    A starred letter has the total of its operand's lengths. Raises ShapeError, which names the
    op, the operand and both lengths.
    """
    return dict(_bound(op, tuple(shapes), settled(settings)))


@lru_cache(maxsize=8192)
def _bound(op: Op, shapes: tuple[Shape, ...], settings: Settings) -> dict[str, int]:
    """`bind`, once for each op and shapes; whoever gets the lengths leaves them as they are."""
    if {name for name, _ in settings} != set(op.settings):
        wanted = ", ".join(op.settings) or "no settings"
        got = ", ".join(name for name, _ in settings) or "none"
        raise ShapeError(f"{op.name} is fixed by {wanted}, and got {got}")
    lengths = dict(settings)
    setter: dict[str, str] = {}
    for (operand, index), shape in zip(assign(op, len(shapes)), shapes, strict=True):
        label = f"{operand.name}_{index}" if index else operand.name
        if len(shape) != len(operand.shape):
            wanted = "a matrix" if operand.shape else "a scalar"
            raise ShapeError(f"{op.name}: {label} must be {wanted}, and is {told(shape)}")
        for place, letter, given in zip(("rows", "columns"), operand.shape, shape, strict=False):
            if given < 1:
                raise ShapeError(f"{op.name}: {label} has {given} {place}")
            if letter.endswith("*"):
                lengths[letter] = lengths.get(letter, 0) + given
            elif letter.isdigit() or letter in lengths:
                expected = int(letter) if letter.isdigit() else lengths[letter]
                if expected != given:
                    because = f", for {setter[letter]}" if letter in setter else ""
                    raise ShapeError(f"{op.name}: {label} must have {expected} {place}{because}, and has {given}")
            else:
                lengths[letter] = given
                setter[letter] = f"{label} has {given} {place}"
    _require(op, lengths)
    return lengths


def result_shape(op: Op, shapes: Sequence[Shape], settings: Mapping[str, int] | None = None) -> Shape:
    """The shape of the op's result, from its operands' shapes in order; raises ShapeError as `bind` does."""
    return _resulting(op, tuple(shapes), settled(settings))


@lru_cache(maxsize=8192)
def _resulting(op: Op, shapes: tuple[Shape, ...], settings: Settings) -> Shape:
    lengths = _bound(op, shapes, settings)
    return tuple(length(text, lengths) for text in op.result.shape)


def member_columns(op: Op, shapes: Sequence[Shape], index: int) -> dict[str, int]:
    """`a` and `b`, the first and last column of a variadic operand's member `index` (from 1) side by side.

    Empty for an operand whose shape has no starred letter.
    """
    members = [
        (operand, shape) for (operand, place), shape in zip(assign(op, len(shapes)), shapes, strict=True) if place
    ]
    if not members or not members[0][0].shape or not members[0][0].shape[-1].endswith("*"):
        return {}
    before = sum(shape[-1] for _, shape in members[: index - 1])
    return {"a": before + 1, "b": before + members[index - 1][1][-1]}


def _term(text: str, lengths: Mapping[str, int]) -> int:
    return int(text) if text.isdigit() else lengths[text]


def _require(op: Op, lengths: Mapping[str, int]) -> None:
    for condition in op.requires:
        if "|" in condition:
            factor, letter = condition.split("|")
            if length(letter, lengths) % int(factor):
                fault = f"{letter} must be a multiple of {factor}, and {letter} = {length(letter, lengths)}"
                raise ShapeError(f"{op.name}: {fault}")
            continue
        low, high = condition.split("<=")
        if length(low, lengths) > length(high, lengths):
            values = ", ".join(f"{text} = {length(text, lengths)}" for text in (low, high) if not text.isdigit())
            raise ShapeError(f"{op.name}: {low} must not be greater than {high}, and {values}")
