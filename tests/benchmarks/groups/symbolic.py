"""Symbolic gradients: a tape of named steps beside the derivatives of one composed loss."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from composed import in_symengine, in_sympy
from handcalc import TARGETS, forward
from measuring import Aim, Row, around, interleaved, is_there

from symtrans.derive.backward import with_gradients
from symtrans.derive.faces import symbolic_matrix

WORK = "all gradients of the hand calculation with softmax, symbolic"
STEPS, MATRICES = "named steps", "named steps, every entry a SymPy matrix"


def rows(quick: bool) -> Iterator[Row]:
    """The whole calculation against SymPy and SymEngine; tensorgrad's one head beside it."""
    tape = forward()

    def steps() -> Any:
        return with_gradients(tape, TARGETS)

    def matrices() -> list[Any]:
        full = steps()
        return [symbolic_matrix(step, full) for step in full if step.part == "backward"]

    yield from against_sympy(tape, steps, matrices, quick)
    yield from against_symengine(tape, steps, matrices)
    yield beside_tensorgrad(steps, quick)


def against_sympy(tape: Any, steps: Any, matrices: Any, quick: bool) -> Iterator[Row]:
    """SymPy's `diff` of the composed loss, entry by entry."""
    import sympy

    peer = "SymPy diff, entry by entry"
    aims = {STEPS: Aim(faster=50_000), MATRICES: Aim(faster=500)}
    if quick:
        yield from (Row(WORK, ours, peer, None, None, aim, "left out by --quick") for ours, aim in aims.items())
        return
    values = in_sympy(tape)
    loss, symbols = values["L"].item, [entry for target in TARGETS for entry in values[target].entries]

    def both() -> None:
        steps(), matrices()

    both()
    _, slow = around(both, lambda: [sympy.diff(loss, symbol) for symbol in symbols], 5)
    for (ours, aim), work in zip(aims.items(), (steps, matrices), strict=True):
        yield Row(WORK, ours, peer, *interleaved(work, rounds=15), slow, aim, f"{len(symbols)} entries")


def against_symengine(tape: Any, steps: Any, matrices: Any) -> Iterator[Row]:
    """SymEngine's `diff` of the composed loss, entry by entry."""
    peer = "SymEngine diff, entry by entry"
    if not is_there("symengine"):
        yield Row(WORK, STEPS, peer, None, None, note="absent: SymEngine")
        return
    values = in_symengine(tape)
    loss, symbols = values["L"].item, [entry for target in TARGETS for entry in values[target].entries]
    fast, full, peers = interleaved(steps, matrices, lambda: [loss.diff(symbol) for symbol in symbols], rounds=9)
    yield Row(WORK, STEPS, peer, fast, peers)
    yield Row(WORK, MATRICES, peer, full, peers)


def beside_tensorgrad(steps: Any, quick: bool) -> Row:
    """tensorgrad's four gradients of one head, as a program of its own; its licence keeps it out of this process."""
    peer = "tensorgrad, one head only"
    if quick or not is_there("tensorgrad"):
        return Row(WORK, STEPS, peer, None, None, note="left out by --quick" if quick else "absent: tensorgrad")
    program = Path(__file__).parent.parent / "tensorgrad_program.py"
    try:
        done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True, timeout=120)
    except subprocess.TimeoutExpired:
        return Row(WORK, STEPS, peer, *interleaved(steps), 120.0, note="not in 120 s", is_bound=True)
    except subprocess.CalledProcessError as fault:
        return Row(WORK, STEPS, peer, None, None, note=f"absent: tensorgrad fails ({fault.stderr.splitlines()[-1]})")
    return Row(WORK, STEPS, peer, *interleaved(steps), float(done.stdout))
