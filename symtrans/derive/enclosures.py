"""Steps carried out on balls: the values of steps whose exact ones would grow beyond any page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtrans.exact.enclosure import enclose
from symtrans.exact.field import Element
from symtrans.model.tape import Step, Tape
from symtrans.ops.domains.ball import run_on_balls
from symtrans.ops.tensor import Tensor

Balls = Tensor[Any]


class Enclosures:
    """The balls of a tape's steps at each precision, computed once each and only where needed.

    `exact` gives a step's exact value, or None for a step that has none.
    """

    def __init__(self, tape: Tape, exact: Callable[[str], Tensor[Element] | None]) -> None:
        self.tape = tape
        self.exact = exact
        self._known: dict[int, dict[str, Balls]] = {}

    def of(self, step_id: str, bits: int) -> Balls:
        """A ball for every entry of a step, computed at a working precision of `bits`.

        Where the precision does not suffice to say anything the balls are not finite.
        """
        known = self._known.setdefault(bits, {})
        if step_id not in known:
            for missing in self._missing(step_id, known):
                known[missing.id] = self._carried_out(missing, known, bits)
        return known[step_id]

    def _missing(self, step_id: str, known: dict[str, Balls]) -> list[Step]:
        """What has no balls yet of the steps that this one needs, itself included, in the tape's order."""
        found: set[str] = set()
        pending = [step_id]
        while pending:
            current = pending.pop()
            if current not in found and current not in known:
                found.add(current)
                if self.exact(current) is None:
                    pending.extend(self.tape[current].operands)
        return [self.tape[i] for i in sorted(found, key=self.tape.places.__getitem__)]

    def _carried_out(self, step: Step, known: dict[str, Balls], bits: int) -> Balls:
        exact = self.exact(step.id)
        if exact is not None:
            return exact.map(lambda entry: enclose(entry, bits))
        assert step.op is not None
        return run_on_balls(step.op, [known[i] for i in step.operands], bits, step.settings)
