"""What each line of a backward pass is: which step hands a cotangent to which operand, and which uses a sum adds up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symtrans.derive.backward import gradient_id
from symtrans.derive.vjp import declared
from symtrans.model.tape import Step, Tape
from symtrans.ops import find_op


@dataclass(frozen=True, slots=True)
class VjpLine:
    """A step of the tape that hands the cotangent of `through` to its operand at `position`."""

    step: Step
    through: Step
    position: int


@dataclass(frozen=True, slots=True)
class Use:
    """A place at which a quantity is used: the step, and the operand's position."""

    step: str
    position: int


class Reading:
    """A tape read as a backward pass: its vjp lines, and which uses of a quantity each cotangent adds up."""

    def __init__(self, tape: Tape, loss: str = "L") -> None:
        self.tape = tape
        self.loss = loss
        self.forward = [step for step in tape if step.part not in ("backward", "update")]
        self.lines: dict[str, VjpLine] = {}
        self._users: dict[str, list[Step]] = {}
        for step in self.forward:
            for operand in dict.fromkeys(step.operands):
                self._users.setdefault(operand, []).append(step)
        for step in tape:
            found = self._read(step) if step.part == "backward" else None
            if found is not None:
                self.lines[step.id] = found
        self._reaching = tape.needed([loss])
        self._known: dict[str, bool] = {}

    def _read(self, step: Step) -> VjpLine | None:
        """What a step hands on, or None for a sum, a copy or zeros; known by its operands and, of several, its id."""
        if step.kind not in ("gradient", "loss_gradient"):
            return None
        users = self._users.get(step.of, [])
        given = [u for u in users if gradient_id(u.id, self.loss) in step.operands or u.id == self.loss]
        named = [u for u in given if step.id.endswith(f" via {u.id}")]
        through = (named or [u for u in given if u.id != self.loss] or given)[:1]
        return VjpLine(step, through[0], through[0].operands.index(step.of)) if through else None

    def uses(self, step_id: str) -> list[Use]:
        """The places through which the loss depends on a quantity, as far as the operations let a cotangent pass."""
        found = []
        for step in self._users.get(step_id, []):
            for position, operand in enumerate(step.operands):
                passing = step.op is not None and declared(step.op, position, len(step.operands)).name in step.op.vjp
                if operand == step_id and passing and self._matters(step.id):
                    found.append(Use(step.id, position))
        return found

    def _matters(self, step_id: str) -> bool:
        """Whether the loss depends on a step through operations that let a cotangent pass."""
        if step_id not in self._known:
            self._known[step_id] = step_id == self.loss or (step_id in self._reaching and bool(self.uses(step_id)))
        return self._known[step_id]

    def fault(self, step_id: str) -> str:
        """What is wrong with how a quantity's cotangent is put together: empty if it takes every use once."""
        gradient = gradient_id(step_id, self.loss)
        if gradient not in self.tape:
            return f"{gradient} is missing"
        told = sorted((use.step, use.position) for use in self._told(gradient))
        wanted = sorted((use.step, use.position) for use in self.uses(step_id))
        if told == wanted:
            return ""
        return f"{gradient} does not take every use of {step_id} once"

    def _told(self, gradient: str) -> Iterator[Use]:
        """The uses that a cotangent adds up, as its lines tell them."""
        step = self.tape[gradient]
        if gradient in self.lines:
            line = self.lines[gradient]
            yield Use(line.through.id, line.position)
        elif step.op in (find_op("add"), find_op("copy")):
            for operand in step.operands:
                part = self.tape[operand]
                if operand in self.lines and self.lines[operand].step.of == step.of:
                    yield Use(self.lines[operand].through.id, self.lines[operand].position)
                elif step.of in self.tape[part.of].operands and part.id == gradient_id(part.of, self.loss):
                    yield Use(part.of, 0)  # a head's own copy of shared weights: its cotangent is what it hands on
