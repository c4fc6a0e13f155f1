"""Steps carried out on balls of Arb for some rows only: what single entries of a large model need, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from symtrans.errors import UndefinedValue
from symtrans.exact.enclosure import around, matrix_around
from symtrans.exact.floats import Floats
from symtrans.model.tape import Step, Tape
from symtrans.ops.domains.ball import Balls, run_on_balls
from symtrans.ops.rows import by_rows

KEPT = 1 << 16  # entries up to which an input's balls are kept for the next step that needs them
Rows = tuple[int, ...] | None  # counted from 0, in order; None is all of them


class ArbRows:
    """Entries of a tape's steps in Arb, from its inputs on; nothing is kept but what was asked for last."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self._last: dict[tuple[str, Rows, int], Balls] = {}

    def entries(self, step_id: str, places: Sequence[int], bits: int) -> list[Any]:
        """Balls of the entries at `places`, counted by rows from 0, at a working precision of `bits`."""
        shape = self.tape[step_id].shape
        width = shape[1] if shape else 1
        rows = _all_if_all(tuple(sorted({place // width for place in places})), shape)
        key = (step_id, rows, bits)
        if key not in self._last:
            self._last = {key: self._of(step_id, rows, bits)}
        balls = self._last[key].entries
        at = {row: count for count, row in enumerate(range(shape[0] if shape else 1) if rows is None else rows)}
        return [balls[at[place // width] * width + place % width] for place in places]

    def _of(self, step_id: str, rows: Rows, bits: int) -> Balls:
        """The rows of a step; a step's balls are let go after the last step that needs them."""
        tape = self.tape.sliced([step_id])
        needed = self._needed(tape, step_id, rows)
        until = {operand: step.id for step in tape for operand in step.operands}
        known: dict[str, Balls] = {}
        for step in tape:
            if step.op is None:
                continue
            wanted = needed[step.id]
            local = by_rows(step.op, [tape[i].shape for i in step.operands], step.settings)
            operands = []
            for place, operand in enumerate(step.operands):
                if operand not in known:
                    known[operand] = _given(tape[operand], needed[operand], bits)
                asked = wanted if wanted is not None and place in local else None
                operands.append(_chosen(known[operand], needed[operand], asked))
            try:
                known[step.id] = run_on_balls(step.op, operands, bits, step.settings)
            except UndefinedValue as fault:
                raise UndefinedValue(f"{step.id}: {fault}") from None
            for operand in step.operands:
                is_large = tape[operand].op is None and prod(tape[operand].shape) > KEPT
                if until[operand] == step.id or is_large:
                    known.pop(operand, None)
        return _chosen(known[step_id], needed[step_id], rows) if step_id in known else _given(tape[step_id], rows, bits)

    def _needed(self, tape: Tape, step_id: str, rows: Rows) -> Mapping[str, Rows]:
        """Which rows of each step are needed for these of one step."""
        needed: dict[str, set[int] | None] = {step_id: None if rows is None else set(rows)}
        for step in reversed(list(tape)):
            if step.op is None:
                continue
            local = by_rows(step.op, [tape[i].shape for i in step.operands], step.settings)
            if not local:
                needed[step.id] = None
            wanted = needed[step.id]
            for place, operand in enumerate(step.operands):
                asked = wanted if place in local else None
                before = needed.setdefault(operand, set())
                needed[operand] = None if asked is None or before is None else before | asked
        return {
            i: None if found is None else _all_if_all(tuple(sorted(found)), tape[i].shape)
            for i, found in needed.items()
        }


def _all_if_all(rows: tuple[int, ...], shape: tuple[int, ...]) -> Rows:
    return None if not shape or len(rows) == shape[0] else rows


def _chosen(balls: Balls, has: Rows, wanted: Rows) -> Balls:
    """Some rows of what has all rows, or `has` only."""
    if wanted == has or wanted is None:
        return balls
    width = balls.shape[1]
    at = {row: count for count, row in enumerate(range(balls.shape[0]) if has is None else has)}
    entries = balls.entries
    chosen = [entry for row in wanted for entry in entries[at[row] * width : (at[row] + 1) * width]]
    return Balls.of((len(wanted), width), chosen)


def _given(step: Step, rows: Rows, bits: int) -> Balls:
    literal = step.literal
    assert literal is not None
    if isinstance(literal, Floats):
        array = literal.array if rows is None else literal.array[list(rows)]
        return Balls(array.shape, matrix_around(array.shape[0], array.shape[1], array.ravel().tolist()), None, True)
    lines = literal if rows is None else [literal[row] for row in rows]
    values = [None if cell is None else cell.value for line in lines for cell in line]
    return Balls.of((len(lines), len(lines[0])) if step.shape else (), around(values, bits))
