"""Enclosed tensors: a rule carried out on balls that are proven to contain the true entries."""

from __future__ import annotations

from typing import Any

from symtrans.exact.ball_scalars import BallScalars
from symtrans.ops.algebra import Algebra


class BallAlgebra(Algebra[Any]):
    """Algebra over `flint.arb` balls at a working precision of `bits`."""

    def __init__(self, bits: int, *, broadcast: bool = False) -> None:
        super().__init__(BallScalars(bits), broadcast=broadcast)
