"""Steps carried out on balls: the values of steps whose exact ones would grow beyond any page."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from symtrans.exact.enclosure import enclose_each, working_at
from symtrans.exact.field import Element
from symtrans.model.tape import Step, Tape
from symtrans.ops.domains.ball import BALLS, Balls, carried_out
from symtrans.ops.domains.rational import Whole
from symtrans.ops.tensor import Tensor

Exact = Whole | Tensor[Element]


class Enclosures:
    """The balls of a tape's steps at each precision, computed once each and only where needed.

    `exact` gives a step's exact value, or None for a step that has none.
    """

    def __init__(self, tape: Tape, exact: Callable[[str], Exact | None]) -> None:
        self.tape = tape
        self.exact = exact
        self._programs = tape.programs(BALLS)
        self._known: dict[int, dict[str, Balls]] = {}

    def of(self, step_id: str, bits: int) -> Balls:
        """A ball for every entry of a step, computed at a working precision of `bits`.

        Where the precision does not suffice to say anything the balls are not finite.
        """
        known = self._known.get(bits)
        if known is None or step_id not in known:
            self.settle((step_id,), bits)
        return self._known[bits][step_id]

    def settle(self, step_ids: Iterable[str], bits: int) -> None:
        """Have the balls of steps computed at a working precision of `bits`, and all that they need."""
        known = self._known.setdefault(bits, {})
        missing = self._missing(step_ids, known, bits)
        with working_at(bits):
            for step in missing:
                assert step.op is not None
                operands = [known[i] for i in step.operands]
                known[step.id] = carried_out(self._programs[step.id], step.op, operands, bits, step.settings)

    def _missing(self, step_ids: Iterable[str], known: dict[str, Balls], bits: int) -> list[Step]:
        """What has no balls yet of these steps and those that they need, in the tape's order.

        Those that have exact values get their balls from these at once.
        """
        found: dict[str, Step] = {}
        pending = [*step_ids]
        for current in pending:  # which grows
            if current in found or current in known:
                continue
            exact = self.exact(current)
            if exact is not None:
                known[current] = _around(exact, bits)
            else:
                found[current] = self.tape[current]
                pending += found[current].operands
        return [found[i] for i in sorted(found, key=self.tape.places.__getitem__)]


def _around(exact: Exact, bits: int) -> Balls:
    if isinstance(exact, Whole):
        return Balls.around(exact.shape, exact.value, bits)
    return Balls.of(exact.shape, enclose_each(exact.entries, bits))
