"""The gradients of a whole tape at once: along a direction they are the loss's derivative, which dual numbers tell."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from symtrans.derive.backward import gradient_id
from symtrans.derive.forward_mode import ForwardMode, carried_out
from symtrans.derive.prime_run import PrimeRun
from symtrans.errors import SymtransError
from symtrans.exact.degree_scalars import Degree, DegreeScalars
from symtrans.exact.prime_scalars import Residues
from symtrans.exact.sided_balls import SidedBalls
from symtrans.model.tape import Step, Tape
from symtrans.ops.algebra import Algebra
from symtrans.ops.formulas import run
from symtrans.ops.shapes import Shape
from symtrans.ops.tensor import Tensor

BITS = 256
LARGEST = 24  # numerator and denominator of a number that is drawn: where none is large no softmax is all or nothing
POINTS = 6  # at which a gradient that differs modulo primes is compared by enclosures; the first is the example's own


@dataclass(frozen=True, slots=True)
class Alone:
    """A gradient by itself: its quantity and number of entries; whether it agrees modulo primes, and is refuted."""

    id: str
    entries: int
    agrees: bool
    refuted: bool


@dataclass(frozen=True, slots=True)
class Certificate:
    """What the comparison modulo primes says.

    * `prime`: where results are compared; `smallest`: the smallest prime of the tower of `height` fields.
    * `moved`: the steps to which something was added, so that roots exist.
    * `degree`: of the difference, which is 0 at a point that is drawn with a chance of at most
      4·degree/smallest unless it is 0 everywhere; that chance is below 10 to the power of -`digits`.
    * `together`: whether all gradients at once agree; `alone`: each by itself.
    """

    prime: int
    smallest: int
    height: int
    moved: tuple[str, ...]
    degree: int
    digits: int
    together: bool
    alone: tuple[Alone, ...]


class Certification:
    """Compares the gradients of `targets` with dual numbers at one point modulo primes."""

    def __init__(self, tape: Tape, point: PrimeRun, duals: ForwardMode[Residues], targets: Sequence[str], loss: str):
        self.tape = tape
        self.point = point
        self.duals = duals
        self.targets = targets
        self.loss = loss
        self.directions = {
            target: point.drawn(tape[target].shape, "direction", target).map(lambda entry: entry[:1])
            for target in targets
        }

    def certificate(self, alone: Iterable[Alone]) -> Certificate:
        """The certificate, with what was found of each gradient by itself."""
        tower = self.point.scalars.tower
        degree = self._degree()
        digits = len(str(tower.primes[-1] // (4 * max(degree, 1)))) - 1
        together = self.agree(self.targets)
        moved = tuple(sorted(self.point.moved, key=self.tape.places.__getitem__))
        return Certificate(
            tower.primes[0], tower.primes[-1], tower.height, moved, degree, digits, together, tuple(alone)
        )

    def alone(self, target: str) -> Alone:
        """One gradient by itself; one that differs is compared by enclosures."""
        agrees, fits = self.agree([target]), gradient_id(target, self.loss) in self.point.values
        refuted = not agrees and (not fits or any(self._refuted(target, seed) for seed in range(POINTS)))
        return Alone(target, prod(self.tape[target].shape), agrees, refuted)

    def agree(self, targets: Sequence[str]) -> bool:
        """Whether reverse gradients along the directions and the derivative by dual numbers are the same."""
        scalars, values = self.point.scalars, self.point.values
        given = [
            self.duals.along(values[gradient], self.directions[target])
            for target in targets
            if (gradient := gradient_id(target, self.loss)) in values
            and values[gradient].shape == self.tape[target].shape
        ]
        true = self.duals.derivative({target: self.directions[target] for target in targets})
        zero = scalars.number(Fraction(0))[:1]
        return len(given) == len(targets) and not any(
            scalars.subtract(scalars.sum(given) if given else zero, true or zero)
        )

    # --- how much an agreement says

    def _degree(self) -> int:
        """The degree of the numerator of what is compared, by the rules of the tape over degrees."""
        degrees = DegreeScalars(self.point.scalars)
        values: dict[str, Tensor[Degree]] = {}
        algebra: Algebra[Degree] = Algebra(degrees)

        def operands(step: Step) -> list[Tensor[Degree]]:
            self.point.take_sides(step)
            return [values[i] for i in step.operands]

        for step in self.tape:
            own = self.point.values.get(step.id)
            if own is None:
                continue
            if step.op is None:
                values[step.id] = own.map(Degree if step.constant else degrees.variable)
            elif step.id in self.point.moved:  # what was added makes it a variable
                values[step.id] = own.map(degrees.variable)
            else:
                values[step.id] = run(step.op, operands(step), algebra, step.settings)
        duals: ForwardMode[Degree] = ForwardMode(self.tape, degrees, operands, self.loss)
        directions = {target: direction.map(degrees.variable) for target, direction in self.directions.items()}
        right = duals.derivative(directions) or degrees.number(Fraction(0))
        gradients = {target: values.get(gradient_id(target, self.loss)) for target in self.targets}
        left = [duals.along(own, directions[target]) for target, own in gradients.items() if own is not None]
        # Together they may cancel to 0, whose degree says nothing: the degree of a sum is asked for.
        return degrees.common([*left, right])

    # --- a difference, by enclosures

    def _refuted(self, target: str, seed: int) -> bool:
        """Whether enclosures prove a gradient wrong: at the example's own numbers, or at ones that are drawn."""
        scalars, source = SidedBalls(BITS), random.Random(f"{self.point.scalars.seed}|{seed}")

        def number(shape: Shape) -> Tensor[Any]:
            parts = [Fraction(source.randint(-LARGEST, LARGEST), LARGEST) for _ in range(prod(shape))]
            return Tensor(shape, tuple(map(scalars.number, parts)))

        def given(step: Step) -> Tensor[Any]:
            assert step.literal is not None
            cells = [cell for row in step.literal for cell in row]
            if seed and not step.constant and None not in cells:
                return number(step.shape)
            own = [scalars.minus_infinity() if cell is None else scalars.number(cell.value) for cell in cells]
            return Tensor(step.shape, tuple(own))

        try:
            gradient = gradient_id(target, self.loss)
            values: Mapping[str, Tensor[Any]] = carried_out(
                self.tape.sliced([gradient, self.loss]), Algebra(scalars), given
            )
            if values[gradient].shape != values[target].shape:
                return True
            duals: ForwardMode[Any] = ForwardMode(
                self.tape.sliced([self.loss]), scalars, lambda step: [values[i] for i in step.operands], self.loss
            )
            direction = number(values[target].shape)
            true = duals.derivative({target: direction})
            along = duals.along(values[gradient], direction)
            return not along.overlaps(scalars.number(Fraction(0)) if true is None else true)
        except SymtransError:
            return False
