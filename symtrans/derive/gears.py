"""Certified decimals of large models: balls of doubles first, and Arb at rising precision for what they leave open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from symtrans.derive.arb_rows import ArbRows
from symtrans.errors import Undecided, UndefinedValue
from symtrans.exact.double_balls import DoubleBalls, given, given_floats, silently
from symtrans.exact.double_digits import decided
from symtrans.exact.double_functions import BITS, from_arb, to_arb
from symtrans.exact.doubles import is_as_assumed
from symtrans.exact.enclosure import FIRST_BITS, working_at
from symtrans.exact.floats import Floats
from symtrans.exact.rounding import MOST_BITS_ENCLOSED, certify_at, certify_beyond, refuse_digits
from symtrans.model.tape import Step, Tape
from symtrans.ops.domains.ball import Balls, run_on_balls
from symtrans.ops.domains.doubles import run_on_doubles

ENOUGH = 8  # bits that a step's balls of doubles still tell where what they have lost by then is a measure
BITS_OF_A_DIGIT = 4


@dataclass(frozen=True, slots=True)
class Effort:
    """How the digits of a step were proven.

    Of all `entries`, `by_doubles` were decided by balls of doubles and `by_arb` by Arb, which began at `bits` (0 where
    it was not needed). `widths` tells, for each step that was carried out on doubles, its largest radius relative to
    its largest entry.
    """

    entries: int
    by_doubles: int
    by_arb: int
    bits: int
    widths: Mapping[str, str]


def is_large(tape: Tape) -> bool:
    """Whether a tape has a matrix that is kept as an array: its numbers are not for exact values to be built of."""
    return any(isinstance(step.literal, Floats) for step in tape)


class Gears:
    """The decimals of a large tape's steps, each proven by the cheapest way that proves it.

    Where doubles are not what the proofs take for granted, all is done in Arb.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.doubles = Doubles(tape)
        self.arb = ArbRows(tape)
        self.has_doubles = is_as_assumed()
        self._last: dict[tuple[str, int], tuple[list[str], int, int]] = {}

    def decimals(self, step_id: str, digits: int) -> list[str]:
        """Every entry to `digits` significant digits by rows, as `certify` prints it; LimitError as there."""
        return self._proven(step_id, digits)[0]

    def effort(self, step_id: str, digits: int) -> Effort:
        """How these are proven."""
        texts, by_arb, bits = self._proven(step_id, digits)
        widths = {known: balls.widest() for known, balls in self.doubles.known.items()}
        return Effort(len(texts), len(texts) - by_arb, by_arb, bits, widths)

    def _proven(self, step_id: str, digits: int) -> tuple[list[str], int, int]:
        """The texts, for how many of them Arb was needed, and where it began; kept until others are asked for."""
        if (step_id, digits) not in self._last:
            self._last = {(step_id, digits): self._proof(step_id, digits)}
        return self._last[step_id, digits]

    def _proof(self, step_id: str, digits: int) -> tuple[list[str], int, int]:
        refuse_digits(digits)
        step = self.tape[step_id]
        none: list[str | None] = [None] * prod(step.shape)
        texts = decided(self.doubles.of(step_id), digits) if self.has_doubles else none
        left = [place for place, text in enumerate(texts) if text is None]
        bits = self._first_bits(step, digits) if left else 0
        for place, text in self._in_arb(step, left, digits, bits):
            texts[place] = text
        return [text for text in texts if text is not None], len(left), bits

    def _in_arb(self, step: Step, places: Sequence[int], digits: int, bits: int) -> list[tuple[int, str]]:
        """Entries by Arb: all of them at the first precision, at the next ones those that it leaves open."""
        found: list[tuple[int, str]] = []
        left = list(places)
        while left:
            balls = self.arb.entries(step.id, left, bits)
            printed = [certify_at(ball, digits, bits) for ball in balls]
            is_last = bits * 2 > MOST_BITS_ENCLOSED
            if is_last:
                printed = [one or certify_beyond(ball, digits, bits) for one, ball in zip(printed, balls, strict=True)]
            found += [(place, one.plain) for place, one in zip(left, printed, strict=True) if one is not None]
            left = [place for place, one in zip(left, printed, strict=True) if one is None]
            if left and is_last:
                row, column = divmod(left[0], step.shape[1]) if step.shape else (0, 0)
                where = f"{step.id}, row {row + 1}, column {column + 1}"
                raise Undecided(f"the first {digits} digits of {where} are not decided at {bits} bits")
            bits *= 2
        return found

    def _first_bits(self, step: Step, digits: int) -> int:
        """A precision that is likely to decide a step, by what its balls of doubles have lost on the way to it.

        Only how long the work takes depends on it.
        """
        if not self.has_doubles:
            return FIRST_BITS
        order = [one.id for one in self.tape.sliced([step.id]) if one.op is not None]
        told = [self.doubles.known[i].told_bits() for i in order]
        last = max((place for place, bits in enumerate(told) if bits >= ENOUGH), default=None)
        if last is None:
            return FIRST_BITS
        lost = (max(told) - told[last]) * len(order) // (last + 1)
        return FIRST_BITS * (2 + (lost + BITS_OF_A_DIGIT * digits) // FIRST_BITS)


class Doubles:
    """The balls of doubles of a tape's steps; a step whose rule they do not know is carried out on Arb's in between."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.known: dict[str, DoubleBalls] = {}

    def of(self, step_id: str) -> DoubleBalls:
        """A step's balls, computed with all that they need, once."""
        if step_id not in self.known:
            with silently():
                for step in self.tape.sliced([step_id]):
                    if step.id not in self.known:
                        self.known[step.id] = self._carried_out(step)
        return self.known[step_id]

    def _carried_out(self, step: Step) -> DoubleBalls:
        if step.op is None:
            assert step.literal is not None
            if isinstance(step.literal, Floats):
                return given_floats(step.literal)
            return given([None if cell is None else cell.value for row in step.literal for cell in row], step.shape)
        operands = [self.known[i] for i in step.operands]
        found = run_on_doubles(step.op, operands, step.settings)
        return _on_arb(step, operands) if found is None else found


def _on_arb(step: Step, operands: Sequence[DoubleBalls]) -> DoubleBalls:
    """A step by way of Arb's balls, for a rule that has to look at single entries."""
    assert step.op is not None
    with working_at(BITS):
        entered = [Balls.of(operand.shape, to_arb(operand)) for operand in operands]
    try:
        found = run_on_balls(step.op, entered, BITS, step.settings)
    except UndefinedValue as fault:
        raise UndefinedValue(f"{step.id}: {fault}") from None
    return from_arb(found.entries, found.shape)
