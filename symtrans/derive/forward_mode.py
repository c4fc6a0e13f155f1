"""A tape carried out over any kind of entries, and the derivatives of its steps in a direction, by dual numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from symtrans.exact.dual_scalars import Dual, DualScalars
from symtrans.exact.kinks import KinkedScalars
from symtrans.model.tape import Step, Tape
from symtrans.ops.algebra import Algebra
from symtrans.ops.formulas import run
from symtrans.ops.tensor import Tensor

S = TypeVar("S")


class ForwardMode(Generic[S]):
    """Tangents of a tape's steps over the values of one point.

    `operands` gives the values of a step's operands; it is called before the step's rule is carried out.
    """

    def __init__(
        self, tape: Tape, scalars: KinkedScalars[S], operands: Callable[[Step], Sequence[Tensor[S]]], loss: str
    ) -> None:
        self.steps = [step for step in tape if step.part not in ("backward", "update")]
        self.scalars = scalars
        self.algebra: Algebra[Dual[S]] = Algebra(DualScalars(scalars))
        self.operands = operands
        self.loss = loss

    def derivative(self, directions: Mapping[str, Tensor[S]]) -> S | None:
        """The derivative of the loss when quantities go off in these directions; None if it depends on none."""
        known: dict[str, Tensor[S | None]] = {}
        for step in self.steps:
            tangents = self.pushed(step, [known.get(i) for i in step.operands])
            own = directions.get(step.id)
            if own is not None:
                tangents = own.map(_possibly) if tangents is None else self._sum(tangents, own)
            if tangents is not None:
                known[step.id] = tangents
            if step.id == self.loss:
                break
        return known[self.loss].item if self.loss in known else None

    def pushed(self, step: Step, tangents: Sequence[Tensor[S | None] | None]) -> Tensor[S | None] | None:
        """The tangents of a step's result by those of its operands; None is 0."""
        if step.op is None or all(tangent is None for tangent in tangents):
            return None
        duals = []
        for value, tangent in zip(self.operands(step), tangents, strict=True):
            parts: Sequence[S | None] = [None] * len(value.entries) if tangent is None else tangent.entries
            duals.append(Tensor(value.shape, tuple(zip(value.entries, parts, strict=True))))
        return run(step.op, duals, self.algebra, step.settings).map(lambda dual: dual[1])

    def _sum(self, tangents: Tensor[S | None], own: Tensor[S]) -> Tensor[S | None]:
        pairs = zip(tangents.entries, own.entries, strict=True)
        return Tensor(own.shape, tuple(d if t is None else self.scalars.add(t, d) for t, d in pairs))

    def along(self, gradient: Tensor[S], direction: Tensor[S]) -> S:
        """The sum of the products of entries in the same places."""
        pairs = zip(gradient.entries, direction.entries, strict=True)
        return self.scalars.sum([self.scalars.multiply(x, y) for x, y in pairs])


def carried_out(tape: Tape, algebra: Algebra[S], given: Callable[[Step], Tensor[S]]) -> dict[str, Tensor[S]]:
    """The values of all steps; `given` tells the inputs'."""
    values: dict[str, Tensor[S]] = {}
    for step in tape:
        operands = [values[i] for i in step.operands]
        values[step.id] = given(step) if step.op is None else run(step.op, operands, algebra, step.settings)
    return values


def _possibly(entry: S) -> S | None:
    return entry
