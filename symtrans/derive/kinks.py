"""On which side of its kinks an example lies: which entries a ReLU lets through, by the example's own numbers."""

from __future__ import annotations

from symtrans.derive.values import Values
from symtrans.errors import Undecided
from symtrans.exact.enclosure import enclose
from symtrans.exact.sided_balls import SidedBalls
from symtrans.model.tape import Tape
from symtrans.ops.algebra import Algebra
from symtrans.ops.domains.prime import has_kinks
from symtrans.ops.formulas import run

PRECISIONS = (128, 512, 2048)


class Kinks:
    """The sides that each step's rule asks for, in the order in which it asks."""

    def __init__(self, tape: Tape, values: Values) -> None:
        self.tape = tape
        self.values = values
        self._known: dict[str, tuple[int, ...]] = {}

    def sides(self, step_id: str) -> tuple[int, ...]:
        """1, -1 or 0 for each question; Undecided where a number that may be 0 does not tell."""
        if step_id not in self._known:
            self._known[step_id] = self._found(step_id)
        return self._known[step_id]

    def _found(self, step_id: str) -> tuple[int, ...]:
        step = self.tape[step_id]
        if step.op is None or not has_kinks(step.op, len(step.operands)):
            return ()
        operands = [self.values.tensor(i) for i in step.operands]
        for bits in PRECISIONS:
            scalars = SidedBalls(bits)
            balls = [operand.map(lambda entry: enclose(entry, bits)) for operand in operands]  # noqa: B023
            try:
                run(step.op, balls, Algebra(scalars), step.settings)
            except Undecided:
                continue
            return tuple(scalars.seen)
        raise Undecided(f"{step_id}: on which side of a kink the example lies is not decided at {bits} bits")
