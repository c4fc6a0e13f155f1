"""Enclosed tensors: a rule carried out on balls that are proven to contain the true entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint

from symtrans.errors import Undecided
from symtrans.exact.ball_scalars import BallScalars
from symtrans.ops.algebra import Algebra
from symtrans.ops.formulas import run
from symtrans.ops.op import Op
from symtrans.ops.program import Function, Kind, program
from symtrans.ops.shapes import Shape, result_shape, settled
from symtrans.ops.tensor import Tensor


class BallAlgebra(Algebra[Any]):
    """Algebra over `flint.arb` balls at a working precision of `bits`; `roots_exist` as for BallScalars."""

    def __init__(self, bits: int, *, broadcast: bool = False, roots_exist: bool = False) -> None:
        super().__init__(BallScalars(bits, roots_exist=roots_exist), broadcast=broadcast)


def run_on_balls(op: Op, operands: Sequence[Tensor[Any]], bits: int, settings: Mapping[str, int]) -> Tensor[Any]:
    """The op's result on balls; balls that are not finite where the precision does not suffice to say anything.

    What an op has under a root is a sum of squares, or that plus an epsilon: it is never negative.
    """
    with flint.ctx.workprec(bits):
        whole = run_on_whole_balls(op, operands, settings)
    if whole is not None:
        return whole
    try:
        return run(op, operands, BallAlgebra(bits, roots_exist=True), settings)
    except Undecided:
        shape = result_shape(op, [operand.shape for operand in operands], settings)
        rows, columns = shape or (1, 1)
        return Tensor(shape, (flint.arb.nan(),) * (rows * columns))


def _softmax(matrix: Function, shape: Shape, a: Any) -> Any:
    """One over the sum of exponentials of differences, for each entry; a masked row or entry is left to others."""
    entries = a.entries()
    weights = []
    for start in range(0, len(entries), shape[1]):
        row = entries[start : start + shape[1]]
        weights += [1 / sum(((logit - own).exp() for logit in row), flint.arb(0)) for own in row]
    return matrix(*shape, weights)


def _number(value: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


BALLS = Kind(flint.arb_mat, _number, {"softmax": _softmax})


def run_on_whole_balls(op: Op, operands: Sequence[Tensor[Any]], settings: Mapping[str, int]) -> Tensor[Any] | None:
    """The op's balls at the present precision, or None where its rule looks at single ones or leaves one open."""
    known = program(op, tuple(operand.shape for operand in operands), settled(settings), BALLS)
    if known is None:
        return None
    value = known.run(
        [BALLS.matrix(*o.shape, list(o.entries)) if o.shape else o.item for o in operands], flint.ctx.prec
    )
    result = Tensor(known.shape, tuple(value.entries()) if known.shape else (value,))
    return None if any(ball.is_nan() for ball in result.entries) else result
