"""Certified decimals of large models: balls of doubles first, and Arb at rising precision for what they leave open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from math import prod
from typing import Any

from symtrans.exact.double_balls import DoubleBalls, given, given_floats, silently
from symtrans.exact.double_digits import decided
from symtrans.exact.doubles import is_as_assumed
from symtrans.exact.enclosure import around, known_by, precisions
from symtrans.exact.field import Field
from symtrans.exact.floats import Floats
from symtrans.exact.rounding import certify
from symtrans.model.names import entry_name
from symtrans.model.tape import Entries, Step, Tape
from symtrans.ops.domains.ball import run_on_balls
from symtrans.ops.domains.doubles import run_on_doubles
from symtrans.ops.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Effort:
    """How the digits of a step were proven.

    Of all `entries`, `by_doubles` were decided by balls of doubles and `by_arb` by Arb. `widths` tells, for each step
    that was carried out on doubles, its largest radius relative to its largest entry.
    """

    entries: int
    by_doubles: int
    by_arb: int
    widths: Mapping[str, str]


def has_first_gear(tape: Tape) -> bool:
    """Whether a tape is large enough for balls of doubles, and these can be had here."""
    is_large = any(isinstance(step.literal, Floats) for step in tape)
    return is_large and find_spec("numpy") is not None and is_as_assumed()


class Gears:
    """The decimals of a tape's steps, each proven by the cheapest way that proves it."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.doubles = Doubles(tape)
        self.arb = ArbSteps(tape)

    def decimals(self, step_id: str, digits: int) -> tuple[list[str], Effort]:
        """Every entry to `digits` significant digits by rows, as `certify` prints it, and how that was proven."""
        step = self.tape[step_id]
        balls = self.doubles.of(step_id)
        texts: list[str | None] = [None] * prod(step.shape) if balls is None else decided(balls, digits)
        open_places = [place for place, text in enumerate(texts) if text is None]
        for place in open_places:
            texts[place] = self._in_arb(step, place, digits)
        found = [text for text in texts if text is not None]
        widths = {known: own.widest() for known, own in self.doubles.known.items() if own is not None}
        return found, Effort(len(found), len(found) - len(open_places), len(open_places), widths)

    def _in_arb(self, step: Step, place: int, digits: int) -> str:
        ball = partial(self.arb.entry, step.id, place)
        row, column = divmod(place, step.shape[1]) if step.shape else (0, 0)
        label = entry_name(step, row + 1, column + 1).key if step.shape else step.name.key
        for bits in precisions(2 * digits):
            first = ball(bits)
            if not first.is_nan():
                break
        return certify(known_by(Field(), first, ball, label), digits).plain


class Doubles:
    """The balls of doubles of a tape's steps; None for a step that has a rule which they do not know."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.known: dict[str, DoubleBalls | None] = {}

    def of(self, step_id: str) -> DoubleBalls | None:
        """A step's balls, computed with all that they need, once."""
        with silently():
            for step in _missing(self.tape, step_id, self.known):
                self.known[step.id] = self._carried_out(step)
        return self.known[step_id]

    def _carried_out(self, step: Step) -> DoubleBalls | None:
        if step.op is None:
            assert step.literal is not None
            if isinstance(step.literal, Floats):
                return given_floats(step.literal)
            return given([None if cell is None else cell.value for row in step.literal for cell in row], step.shape)
        operands = [balls for i in step.operands if (balls := self.known[i]) is not None]
        return run_on_doubles(step.op, operands, step.settings) if len(operands) == len(step.operands) else None


class ArbSteps:
    """The balls of Arb of a tape's steps at each precision, from its inputs on."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self._known: dict[int, dict[str, Tensor[Any]]] = {}

    def entry(self, step_id: str, place: int, bits: int) -> Any:
        """One entry of a step, counted by rows from 0."""
        return self.of(step_id, bits).entries[place]

    def of(self, step_id: str, bits: int) -> Tensor[Any]:
        """All entries of a step."""
        known = self._known.setdefault(bits, {})
        for step in _missing(self.tape, step_id, known):
            known[step.id] = self._carried_out(step, known, bits)
        return known[step_id]

    def _carried_out(self, step: Step, known: Mapping[str, Tensor[Any]], bits: int) -> Tensor[Any]:
        if step.op is None:
            assert step.literal is not None
            return Tensor(step.shape, tuple(_around(step.literal, bits)))
        return run_on_balls(step.op, [known[i] for i in step.operands], bits, step.settings)


def _around(literal: Entries, bits: int) -> list[Any]:
    if isinstance(literal, Floats):
        return around(literal.array.ravel().tolist(), bits)
    return around([None if cell is None else cell.value for row in literal for cell in row], bits)


def _missing(tape: Tape, step_id: str, known: Iterable[str]) -> list[Step]:
    """What has no value yet of the steps that one needs, itself included, in the tape's order."""
    return [] if step_id in known else [step for step in tape.sliced([step_id]) if step.id not in known]
