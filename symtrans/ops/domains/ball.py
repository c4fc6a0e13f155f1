"""Enclosed tensors: a rule carried out on balls that are proven to contain the true entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import flint

from symtrans.errors import Undecided
from symtrans.exact.ball_scalars import BallScalars, existing_root
from symtrans.exact.enclosure import apply
from symtrans.ops.algebra import Algebra
from symtrans.ops.formulas import run
from symtrans.ops.op import Op
from symtrans.ops.program import Function, Kind, Program, program
from symtrans.ops.shapes import Shape, result_shape, settled
from symtrans.ops.tensor import Tensor


class BallAlgebra(Algebra[Any]):
    """Algebra over `flint.arb` balls at a working precision of `bits`; `roots_exist` as for BallScalars."""

    def __init__(self, bits: int, *, broadcast: bool = False, roots_exist: bool = False) -> None:
        super().__init__(BallScalars(bits, roots_exist=roots_exist), broadcast=broadcast)


class Balls:
    """The balls of a matrix or a scalar: whole as Arb has them, or one by one; one is made of the other when asked for.

    `is_finite`: every ball is known to be finite.
    """

    __slots__ = ("_entries", "_whole", "is_finite", "shape")

    def __init__(self, shape: Shape, whole: Any, entries: Sequence[Any] | None, is_finite: bool) -> None:
        self.shape = shape
        self._whole = whole
        self._entries = entries
        self.is_finite = is_finite

    @classmethod
    def of(cls, shape: Shape, entries: Sequence[Any]) -> Balls:
        """Of balls by rows."""
        return cls(shape, None, entries, all(map(flint.arb.is_finite, entries)))

    @classmethod
    def around(cls, shape: Shape, value: Any, bits: int) -> Balls:
        """Round rational numbers as FLINT has them, at a working precision of `bits`."""
        with flint.ctx.workprec(bits):
            whole: Any = flint.arb_mat(value) if shape else flint.arb(value)
        return cls(shape, whole, None, True)

    @property
    def entries(self) -> Sequence[Any]:
        """The balls by rows."""
        if self._entries is None:
            self._entries = self._whole.entries() if self.shape else [self._whole]
        return self._entries

    @property
    def whole(self) -> Any:
        """The matrix, or the ball of a scalar."""
        if self._whole is None:
            assert self._entries is not None
            self._whole = BALLS.matrix(*self.shape, list(self._entries)) if self.shape else self._entries[0]
        return self._whole


def run_on_balls(op: Op, operands: Sequence[Balls], bits: int, settings: Mapping[str, int]) -> Balls:
    """The op's result on balls; balls that are not finite where the precision does not suffice to say anything.

    What an op has under a root is a sum of squares, or that plus an epsilon: it is never negative.
    """
    known = program(op, tuple(operand.shape for operand in operands), settled(settings), BALLS)
    with flint.ctx.workprec(bits):
        return carried_out(known, op, operands, bits, settings)


def carried_out(
    known: Program | None, op: Op, operands: Sequence[Balls], bits: int, settings: Mapping[str, int]
) -> Balls:
    """`run_on_balls` for an op whose program is known, where the working precision is `bits` already."""
    whole = None if known is None else on_whole_balls(known, operands, bits)
    if whole is not None:
        return whole
    try:
        tensors = [Tensor(operand.shape, tuple(operand.entries)) for operand in operands]
        result = run(op, tensors, BallAlgebra(bits, roots_exist=True), settings)
    except Undecided:
        shape = result_shape(op, [operand.shape for operand in operands], settings)
        return Balls.of(shape, [flint.arb.nan()] * prod(shape))
    return Balls.of(result.shape, result.entries)


def on_whole_balls(known: Program, operands: Sequence[Balls], bits: int) -> Balls | None:
    """A program's balls at the working precision, which is `bits`, or None where it leaves one open."""
    wholes, is_finite = [], known.is_closed
    for operand in operands:
        wholes.append(operand.whole)
        is_finite = is_finite and operand.is_finite
    value = known.run(wholes, bits)
    if is_finite:
        return Balls(known.shape, value, None, True)
    entries = value.entries() if known.shape else [value]
    is_finite = all(map(flint.arb.is_finite, entries))
    if not is_finite and any(map(flint.arb.is_nan, entries)):
        return None
    return Balls(known.shape, value, entries, is_finite)


def _softmax(shape: Shape, a: Any) -> Any:
    """One over the sum of exponentials of differences, for each entry; a masked row or entry is left to others."""
    entries = a.entries()
    weights = []
    for start in range(0, len(entries), shape[1]):
        row = entries[start : start + shape[1]]
        weights += [1 / sum(((logit - own).exp() for logit in row), flint.arb(0)) for own in row]
    return BALLS.matrix(*shape, weights)


def _entrywise(shape: Shape, name: str, a: Any) -> Any:
    """A function of each entry; what may be no number there is left to others."""
    function = existing_root if name == "sqrt" else partial(apply, name)
    return _mapped(shape, function, a)


def _relu(shape: Shape, a: Any) -> Any:
    return _mapped(shape, flint.arb(0).max, a)


def _mapped(shape: Shape, function: Function, a: Any) -> Any:
    return BALLS.matrix(*shape, list(map(function, a.entries()))) if shape else function(a)


def _number(value: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


BALLS = Kind(flint.arb_mat, _number, {"softmax": _softmax, "entrywise": _entrywise, "relu": _relu})
