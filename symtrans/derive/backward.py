"""Reverse mode over the tape: the loss's cotangents as steps of the same kind, one line per use, then the sum."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from symtrans.derive.vjp import declared, vjp_op
from symtrans.errors import UsageError
from symtrans.model.tape import Step, Tape
from symtrans.notation.name import DerivativeName, Name, Script
from symtrans.ops import find_op
from symtrans.ops.op import Op
from symtrans.ops.shapes import bind, member_columns


def gradient_id(step: str, loss: str = "L") -> str:
    """The id of the step that holds a step's cotangent: `dL/dQ_1`."""
    return f"d{loss}/d{step}"


def with_gradients(tape: Tape, targets: Iterable[str], loss: str = "L") -> Tape:
    """A tape with the cotangents of `targets` and of all that they need added after the forward steps.

    Every cotangent has its quantity's shape. A target that the loss does not depend on, or only
    through a step that lets no cotangent pass (fixed attention weights), gets a step of zeros.
    Raises `UsageError` for a target that is not on the tape, or is the loss itself.
    """
    return _Reverse(tape, list(dict.fromkeys(targets)), loss).run()


class _Reverse:
    """One reverse pass."""

    def __init__(self, tape: Tape, targets: list[str], loss: str) -> None:
        self.forward = tape
        self.tape = tape.copy()
        self.loss = loss
        self.targets = targets
        for target in targets:
            known = target != loss and target in tape and tape[target].shape
            if not known or not (tape[target].part in ("inputs", "forward") or tape[target].parameter):
                raise UsageError(f"no gradient with respect to {target}: {_choices(tape, loss)}")
        self.active = _depending_on(tape, targets)
        self.uses = self._count_uses()
        self.contributions: dict[str, list[str]] = {}

    def _count_uses(self) -> Mapping[str, int]:
        """How many cotangents will arrive at each step: the uses that reach the loss and let one pass."""
        uses: dict[str, int] = {self.loss: 1} if self.loss in self.active else {}
        for step in reversed(list(self.forward)):
            if step.op is None or not uses.get(step.id):
                continue
            for position, operand in enumerate(step.operands):
                if operand in self.active and declared(step.op, position, len(step.operands)).name in step.op.vjp:
                    uses[operand] = uses.get(operand, 0) + 1
        return uses

    def run(self) -> Tape:
        for step in reversed(list(self.forward)):
            if not self.uses.get(step.id):
                continue
            self._add_up(step)
            if step.op is not None:
                self._pass_on(step)
        for target in self.targets:
            if not self.uses.get(target):
                self._zeros(self.forward[target])
        return self.tape

    def _name(self, step: Step, through: Step | None = None) -> DerivativeName:
        loss = self.forward[self.loss].name
        if not isinstance(loss, Name) or not isinstance(step.name, Name):
            raise UsageError(
                f"no gradient of {self.loss} with respect to {step.id}: a derivative has no derivative here"
            )
        mark = () if through is None else (Script(_mark(through.id), "text"),)
        return DerivativeName(loss, step.name, mark)

    def _add_up(self, step: Step) -> None:
        """The total cotangent of a step that is used more than once."""
        parts = self.contributions.get(step.id, [])
        if len(parts) < 2:
            return
        self.tape.add(
            id=gradient_id(step.id, self.loss),
            name=self._name(step),
            op=find_op("add"),
            operands=tuple(parts),
            part="backward",
            role="gradient_sum",
            kind="gradient_sum",
            head=step.head,
            of=step.id,
        )

    def _pass_on(self, step: Step) -> None:
        """The cotangents that a step hands to its operands, in the operands' order."""
        op, unit = step.op, step.id == self.loss
        assert op is not None
        own, count = gradient_id(step.id, self.loss), len(step.operands)
        for position, operand_id in enumerate(step.operands):
            if operand_id not in self.active or declared(op, position, count).name not in op.vjp:
                continue
            operand = self.forward[operand_id]
            total = gradient_id(operand_id, self.loss)
            shared = self.uses[operand_id] > 1
            if step.silent and op.name == "copy":  # a head's own copy: its cotangent is the contribution
                self.contributions.setdefault(operand_id, []).append(own)
                if not shared:
                    self._rename(step, operand)
                continue
            reverse, sources = vjp_op(op, position, count, unit)
            places = {"result": step.id, "cotangent": own}
            added = self.tape.add(
                id=f"{total} via {step.id}" if shared else total,
                name=self._name(operand, step if shared else None),
                op=reverse,
                operands=tuple(places[s] if isinstance(s, str) else step.operands[s] for s in sources),
                part="backward",
                role="gradient",
                kind="loss_gradient" if unit else "gradient",
                head=step.head if step.head is not None else operand.head,
                settings=self._settings(step, op, position, reverse) if reverse.settings else {},
                of=operand_id,
            )
            self.contributions.setdefault(operand_id, []).append(added.id)

    def _settings(self, step: Step, op: Op, position: int, reverse: Op) -> dict[str, int]:
        """The lengths that a reverse rule takes from the forward step, as its operands do not tell them."""
        shapes = [self.forward[operand].shape for operand in step.operands]
        known = bind(op, shapes, step.settings)
        if declared(op, position, len(shapes)).variadic:
            known |= member_columns(op, shapes, position + 1)
        return {key: known[key] for key in reverse.settings}

    def _rename(self, copy: Step, original: Step) -> None:
        """The cotangent of a matrix that has one copy only: the copy's."""
        self.tape.add(
            id=gradient_id(original.id, self.loss),
            name=self._name(original),
            op=find_op("copy"),
            operands=(gradient_id(copy.id, self.loss),),
            part="backward",
            role="gradient_sum",
            kind="gradient_sum",
            of=original.id,
        )

    def _zeros(self, target: Step) -> None:
        self.tape.add(
            id=gradient_id(target.id, self.loss),
            name=self._name(target),
            op=find_op("zeros_like"),
            operands=(target.id,),
            part="backward",
            role="gradient_zero",
            kind="gradient_zero",
            head=target.head,
            of=target.id,
        )


@lru_cache(maxsize=4096)
def _mark(step_id: str) -> str:
    """A step's id as a mark above a derivative: `Q1`, `dec.sigma3`; longer names keep their parts."""
    return re.sub(r"(^|\.)([A-Za-z]+)_(\d+)$", r"\1\2\3", step_id)


def _depending_on(tape: Tape, targets: Iterable[str]) -> frozenset[str]:
    """The steps that depend on one of the targets, these included."""
    found = set(targets)
    for step in tape:
        if any(operand in found for operand in step.operands):
            found.add(step.id)
    return frozenset(found)


def _choices(tape: Tape, loss: str) -> str:
    names = [step.id for step in tape if step.id != loss and step.part in ("inputs", "forward") and step.shape]
    return "there are " + ", ".join(names)
