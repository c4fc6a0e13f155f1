"""A tape carried out modulo primes at a point that is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from symtrans.errors import LimitError, Undecided
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
    a root is no square, a part is drawn that is added to the last quantity it is made of: `moved` are the
    steps to which something was added. What holds for all such parts holds for none.
    """

    def __init__(self, tape: Tape, sides: Callable[[str], Sequence[int]], seed: str) -> None:
        self.tape = tape
        self.sides = sides
        self.moved: dict[str, Values] = {}
        self._place = {step.id: place for place, step in enumerate(tape)}
        lengths = {n for step in tape for n in (*step.shape, *step.settings.values()) if n > 0}
        for spare in range(8):
            self.levels = _levels(tape, 1 + spare)
            self.scalars = PrimeScalars(tower(max(self.levels.values()), lengths), seed)
            self.algebra = PrimeAlgebra(self.scalars)
            self.values: dict[str, Values] = {}
            try:
                for step in tape:
                    self.values[step.id] = self._carried_out(step)
            except TooLow:
                continue
            return
        raise LimitError("the exponentials in each other are too many")

    def place(self, step_id: str) -> int:
        """A step's place on the tape, from 0."""
        return self._place[step_id]

    # --- forward

    def _carried_out(self, step: Step) -> Values:
        if step.op is None:
            return self._cut(step.id, self._given(step))
        result, rootless = self._tried(step)
        if any(rootless):
            result = self._moved(step, rootless)
        return self._cut(step.id, result)

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

    def _tried(self, step: Step) -> tuple[Values, list[int]]:
        """The result, and how many roots are missing in each field that the step is needed in."""
        self.scalars.rootless = [0] * self.scalars.tower.height
        result = self.carried(step, [self.values[i] for i in step.operands])
        return result, self.scalars.rootless[: self.levels[step.id]]

    def carried(self, step: Step, operands: Sequence[Values]) -> Values:
        """A step's op carried out on these operands."""
        assert step.op is not None
        self.take_sides(step)
        return run(step.op, operands, self.algebra, step.settings)

    def _moved(self, step: Step, rootless: list[int]) -> Values:
        """The result after something was added to the last computed operand, entry by entry, until all roots exist."""
        movable = [i for i in step.operands if self.tape[i].op is not None or not self.tape[i].constant]
        if not movable:
            raise Undecided(f"{step.id} has a root of a fixed number that is no square modulo the primes")
        moved = max(movable, key=self._place.__getitem__)
        before = self.values[moved]
        for draw in range(ROUNDS * len(before.entries)):
            place = draw % len(before.entries)
            kept = self.values[moved]
            self.values[moved] = self._changed(kept, place, draw, rootless)
            result, missing = self._tried(step)
            better = [new < old for new, old in zip(missing, rootless, strict=True)]
            if any(better):
                self.values[moved] = _mixed(kept, self.values[moved], better)
                result, rootless = self._tried(step)
                if not any(rootless):
                    break
            else:
                self.values[moved] = kept
        else:
            raise Undecided(f"no point was found at which the roots of {step.id} exist modulo the primes")
        self.moved[moved] = self.algebra.subtract(self.values[moved], before)
        self._renew(moved, step)
        return result

    def _changed(self, value: Values, place: int, draw: int, rootless: list[int]) -> Values:
        """The value with an entry drawn anew in the fields in which a root is missing."""
        new, old = self.scalars.drawn("moved", draw, *value.entries[place][:1]), value.entries[place]
        entry = tuple(
            n if level >= len(rootless) or rootless[level] else o
            for level, (n, o) in enumerate(zip(new, old, strict=False))
        )
        return Tensor(value.shape, (*value.entries[:place], entry, *value.entries[place + 1 :]))

    def _renew(self, moved: str, until: Step) -> None:
        """Carry out again what was made of a quantity before something was added to it."""
        changed = {moved}
        for step in self.tape:
            if step is until:
                return
            if step.id in self.values and step.id != moved and changed.intersection(step.operands):
                self.values[step.id] = self._carried_out(step)
                changed.add(step.id)

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

    def entry(x: Residues, y: Residues) -> Residues:
        chosen = [
            b if level >= len(better) or better[level] else a for level, (a, b) in enumerate(zip(x, y, strict=True))
        ]
        return tuple(chosen)

    return Tensor(old.shape, tuple(entry(x, y) for x, y in zip(old.entries, new.entries, strict=True)))


def _levels(tape: Tape, least: int) -> dict[str, int]:
    """In how many fields each step is needed: one, and one more for each exponential that is made of it."""
    levels = {step.id: least for step in tape}
    for step in reversed(list(tape)):
        if step.op is not None:
            for operand, depth in zip(step.operands, nested_exponentials(step.op, len(step.operands)), strict=True):
                levels[operand] = max(levels[operand], levels[step.id] + depth)
    return levels
