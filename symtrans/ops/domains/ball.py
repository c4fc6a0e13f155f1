"""Enclosed tensors: a rule carried out on balls that are proven to contain the true entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import flint

from symtrans.errors import Undecided
from symtrans.exact.ball_scalars import BallScalars
from symtrans.ops.algebra import Algebra
from symtrans.ops.formulas import run
from symtrans.ops.op import Op
from symtrans.ops.shapes import result_shape
from symtrans.ops.tensor import Tensor


class BallAlgebra(Algebra[Any]):
    """Algebra over `flint.arb` balls at a working precision of `bits`; `roots_exist` as for BallScalars."""

    def __init__(self, bits: int, *, broadcast: bool = False, roots_exist: bool = False) -> None:
        super().__init__(BallScalars(bits, roots_exist=roots_exist), broadcast=broadcast)


def run_on_balls(op: Op, operands: Sequence[Tensor[Any]], bits: int, settings: Mapping[str, int]) -> Tensor[Any]:
    """The op's result on balls; balls that are not finite where the precision does not suffice to say anything.

    What an op has under a root is a sum of squares, or that plus an epsilon: it is never negative.
    """
    try:
        return run(op, operands, BallAlgebra(bits, roots_exist=True), settings)
    except Undecided:
        shape = result_shape(op, [operand.shape for operand in operands], settings)
        rows, columns = shape or (1, 1)
        return Tensor(shape, (flint.arb.nan(),) * (rows * columns))
