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

ROUNDS = 200  # over the entries of a quantity, each drawn anew once a round; a draw has an even chance to be kept


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
        self._place = {step.id: place for place, step in enumerate(tape)}
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

    def place(self, step_id: str) -> int:
        """A step's place on the tape, from 0."""
        return self._place[step_id]

    # --- forward

    def _carry_out(self, step: Step) -> None:
        if step.op is None:
            self.values[step.id] = self._cut(step.id, self._given(step))
        elif all(operand in self.values for operand in step.operands):
            try:
                rootless = self._tried([step])
            except ShapeError:
                if step.part != "backward":
                    raise
                return  # a vjp that does not fit its step: it has no value, nor has what is made of it
            if any(rootless):
                self._move(step, rootless)

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

    def _tried(self, steps: Sequence[Step]) -> list[int]:
        """Carries steps out one after the other; how many roots are missing in each field that they are needed in."""
        missing = [0] * self.scalars.tower.height
        for step in steps:
            self.scalars.rootless = [0] * self.scalars.tower.height
            self.values[step.id] = self._cut(step.id, self.carried(step, [self.values[i] for i in step.operands]))
            for level in range(self.levels[step.id]):
                missing[level] += self.scalars.rootless[level]
        return missing

    def carried(self, step: Step, operands: Sequence[Values]) -> Values:
        """A step's op carried out on these operands."""
        assert step.op is not None
        self.take_sides(step)
        return run(step.op, operands, self.algebra, step.settings)

    def _move(self, step: Step, rootless: list[int]) -> None:
        """Adds something to the first operand with which that makes all roots exist."""
        for moved in dict.fromkeys(step.operands):
            own = self.tape[moved]
            if (own.op is not None or not own.constant) and self._moves(moved, step, rootless):
                self.moved.add(moved)
                return
        raise Undecided(f"no point was found at which the roots of {step.id} exist modulo the primes")

    def _moves(self, moved: str, step: Step, rootless: list[int]) -> bool:
        """Draws a quantity's entries anew, each in the fields in which a root is missing, until all roots exist.

        A draw is kept in the fields in which fewer roots are missing then. If there is no end, all is as before.
        """
        before, steps = self.values[moved], [*self._made_of(moved, step), step]
        missing = rootless
        for draw in range(ROUNDS * len(before.entries)):
            kept, place = self.values[moved], draw % len(before.entries)
            self.values[moved] = self._changed(kept, place, draw, missing)
            found = self._tried(steps)
            better = [new < old for new, old in zip(found, missing, strict=True)]
            self.values[moved] = _mixed(kept, self.values[moved], better)
            if any(better):
                missing = self._tried(steps)
                if not any(missing):
                    return True
        self.values[moved] = before
        self._tried(steps)
        return False

    def _changed(self, value: Values, place: int, draw: int, missing: list[int]) -> Values:
        """The value with an entry drawn anew in the fields in which a root is missing."""
        old = value.entries[place]
        new = self.scalars.drawn("moved", draw, *old[:1])
        entry = tuple(n if wanted else o for n, o, wanted in zip(new, old, missing, strict=False))
        return Tensor(value.shape, (*value.entries[:place], entry, *value.entries[place + 1 :]))

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


def _mixed(old: Values, new: Values, better: Sequence[bool]) -> Values:
    """The entries of `new` in the fields where it is better, of `old` elsewhere."""
    pairs = zip(old.entries, new.entries, strict=True)
    return Tensor(
        old.shape, tuple(tuple(b if k else a for a, b, k in zip(x, y, better, strict=False)) for x, y in pairs)
    )


def _levels(tape: Tape, least: int) -> dict[str, int]:
    """In how many fields each step is needed: one, and one more for each exponential that is made of it."""
    levels = {step.id: least for step in tape}
    for step in reversed(list(tape)):
        if step.op is not None:
            for operand, depth in zip(step.operands, nested_exponentials(step.op, len(step.operands)), strict=True):
                levels[operand] = max(levels[operand], levels[step.id] + depth)
    return levels
