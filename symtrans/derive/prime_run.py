"""A tape carried out modulo primes at a point that is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from symtrans.errors import LimitError, ShapeError, Undecided
from symtrans.exact.prime_scalars import PrimeScalars, Residues, TooLow
from symtrans.exact.prime_tower import tower
from symtrans.model.tape import Step, Tape
from symtrans.ops.domains.prime import PrimeAlgebra, nested_exponentials
from symtrans.ops.formulas import run
from symtrans.ops.tensor import Tensor

Values = Tensor[Residues]

Missing = set[tuple[int | None, int]]
"""Rows in which a root is missing, each with the field; None where it is not known which row it is."""

ROUNDS = 400  # of draws, each with an even chance to be kept


class PrimeRun:
    """The values of a tape's steps at one point, modulo primes.

    Inputs are drawn, but for constants (tokens, masks, an epsilon), which stay as they are. At a kink the
    side is that of the example's own numbers, which `sides` tells for each step. Where what stands under
    a root is no square, a part that is drawn is added to what it is made of, as a bias would be: `moved`
    are the steps to which something was added. What holds with every such part holds without. A backward
    step whose rule does not fit its operands has no value.
    """

    def __init__(self, tape: Tape, sides: Callable[[str], Sequence[int]], seed: str) -> None:
        self.tape = tape
        self.sides = sides
        self.moved: set[str] = set()
        lengths = {n for step in tape for n in (*step.shape, *step.settings.values()) if n > 0}
        for spare in range(8):
            self.levels = _levels(tape, 1 + spare)
            self.scalars = PrimeScalars(tower(max(self.levels.values()), lengths), seed)
            self.algebra = PrimeAlgebra(self.scalars)
            self.values: dict[str, Values] = {}
            try:
                for step in tape:
                    self._carry_out(step)
            except TooLow:
                continue
            return
        raise LimitError("the exponentials in each other are too many")

    # --- forward

    def _carry_out(self, step: Step) -> None:
        if step.op is None:
            self.values[step.id] = self._cut(step.id, self._given(step))
        elif all(operand in self.values for operand in step.operands):
            try:
                missing = self._tried([step], 1)
            except ShapeError:
                if step.part != "backward":
                    raise
                return  # a vjp that does not fit its step: it has no value, nor has what is made of it
            if missing:
                self._move(step)

    def _given(self, step: Step) -> Values:
        """An input: drawn if it may vary, else as it is."""
        assert step.literal is not None
        cells = [cell for row in step.literal for cell in row]
        if not step.constant and None not in cells:
            return self.drawn(step.shape, step.id)
        return Tensor(step.shape, tuple(() if c is None else self.scalars.number(c.value) for c in cells))

    def drawn(self, shape: tuple[int, ...], *key: object) -> Values:
        """A matrix of drawn numbers."""
        return Tensor(shape, tuple(self.scalars.drawn(*key, place) for place in range(prod(shape))))

    def _cut(self, step_id: str, value: Values) -> Values:
        """The value in as many fields as it is needed in."""
        levels = self.levels[step_id]
        return value.map(lambda entry: entry[:levels])

    def _tried(self, steps: Sequence[Step], rows: int) -> Missing:
        """Carries steps out one after the other, and tells which roots are missing of what has so many rows."""
        missing: Missing = set()
        for step in steps:
            self.scalars.roots, self.scalars.rootless = 0, []
            self.values[step.id] = self._cut(step.id, self.carried(step, [self.values[i] for i in step.operands]))
            by_row = self.scalars.roots % rows == 0
            wanted = [(root, level) for root, level in self.scalars.rootless if level < self.levels[step.id]]
            missing |= {(root % rows if by_row else None, level) for root, level in wanted}
        return missing

    def carried(self, step: Step, operands: Sequence[Values]) -> Values:
        """A step's op carried out on these operands."""
        assert step.op is not None
        self.take_sides(step)
        return run(step.op, operands, self.algebra, step.settings)

    def _move(self, step: Step) -> None:
        """Adds something to the first operand with which that makes all roots exist."""
        for moved in dict.fromkeys(step.operands):
            own = self.tape[moved]
            if (own.op is not None or not own.constant) and self._moves(moved, step):
                self.moved.add(moved)
                return
        raise Undecided(f"no point was found at which the roots of {step.id} exist modulo the primes")

    def _moves(self, moved: str, step: Step) -> bool:
        """Draws entries of a quantity anew, one in each row in which a root is missing, until all roots exist.

        A draw is kept in the fields in which the row's roots exist then. If there is no end, all is as before.
        """
        before, steps = self.values[moved], [*self._made_of(moved, step), step]
        rows = len(before.rows())
        missing = self._tried(steps, rows)
        for draw in range(ROUNDS):
            kept = self.values[moved]
            self.values[moved] = self._changed(kept, draw, missing)
            found = self._tried(steps, rows)
            good = {(row, level) for row, level in missing if not found & {(row, level), (None, level)}}
            self.values[moved] = self._changed(kept, draw, good)
            missing = self._tried(steps, rows) if good else missing
            if not missing:
                return True
        self.values[moved] = before
        self._tried(steps, rows)
        return False

    def _changed(self, value: Values, draw: int, where: Missing) -> Values:
        """The value with an entry of some rows drawn anew in some fields; None stands for all rows."""
        rows = value.rows()
        lines = []
        for number, row in enumerate(rows):
            levels = {level for place, level in where if place in (None, number)}
            place, line = draw % len(row), list(row)
            if levels:
                new = self.scalars.drawn("moved", draw, number, *row[place][:1])
                pairs = enumerate(zip(row[place], new, strict=False))
                line[place] = tuple(n if level in levels else old for level, (old, n) in pairs)
            lines.append(line)
        return Tensor(value.shape, tuple(entry for line in lines for entry in line))

    def _made_of(self, moved: str, until: Step) -> list[Step]:
        """What has a value already and was made of a quantity, in the tape's order."""
        changed, found = {moved}, []
        for step in self.tape:
            if step is until:
                break
            if step.op is not None and changed.intersection(step.operands):
                changed.add(step.id)
                found.append(step)
        return found

    def operands(self, step: Step) -> list[Values]:
        """The values of a step's operands, in as many fields as its rule and that rule's derivative need."""
        assert step.op is not None
        self.take_sides(step)
        depths = nested_exponentials(step.op, len(step.operands))
        return [
            self.values[operand].map(lambda entry: entry[: 1 + depth])  # noqa: B023
            for operand, depth in zip(step.operands, depths, strict=True)
        ]

    def take_sides(self, step: Step) -> None:
        """From now on kinks are asked for by this step's rule."""
        sides = self.sides(step.id)
        self.scalars.sides = iter(sides) if sides else None


def _levels(tape: Tape, least: int) -> dict[str, int]:
    """In how many fields each step is needed: one, and one more for each exponential that is made of it."""
    levels = {step.id: least for step in tape}
    for step in reversed(list(tape)):
        if step.op is not None:
            for operand, depth in zip(step.operands, nested_exponentials(step.op, len(step.operands)), strict=True):
                levels[operand] = max(levels[operand], levels[step.id] + depth)
    return levels
