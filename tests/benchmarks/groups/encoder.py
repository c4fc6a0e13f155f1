"""One encoder layer of d_model 4: reverse steps beside the derivatives of its composed loss."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from composed import in_symengine, in_sympy
from measuring import Aim, Row, TooLong, interleaved, is_there, until

from symtrans.derive.backward import with_gradients
from symtrans.derive.faces import symbolic_matrix
from symtrans.model.build import build
from symtrans.model.load import load_spec

WORK = "all gradients of one encoder layer, d_model 4, 2 heads, symbolic"
PATIENCE = 120.0  # seconds that a peer is given


def rows(quick: bool) -> Iterator[Row]:
    """SymEngine entry by entry, and SymPy for as long as it is given."""
    tape = build(load_spec("encoder"))
    copied = {step.operands[0] for step in tape if step.op is not None and step.op.name == "copy"}
    targets = [step.id for step in tape if step.parameter and step.id not in copied]

    def steps() -> Any:
        return with_gradients(tape, targets)

    def matrices() -> list[Any]:
        full = steps()
        return [symbolic_matrix(step, full) for step in full if step.part == "backward"]

    fast, full = interleaved(steps, matrices, rounds=9)
    ways = (("named steps", fast), ("named steps, every entry a SymPy matrix", full))
    for peer, module, composed in (("SymEngine", "symengine", in_symengine), ("SymPy", "sympy", in_sympy)):
        aim = Aim(faster=100) if peer == "SymEngine" else Aim()
        taken, note, stopped = None, "", False
        if not is_there(module):
            note = f"absent: {peer}"
        elif quick:
            note = "left out by --quick"
        else:
            taken, note, stopped = differentiated(tape, targets, composed)
        for ours, own in ways:
            yield Row(WORK, ours, f"{peer} diff, entry by entry", own, taken, aim, note, is_bound=stopped)


def differentiated(tape: Any, targets: list[str], composed: Any) -> tuple[float, str, bool]:
    """The seconds of all derivatives in a computer algebra system, what there is to say, and whether it was stopped."""
    done: list[Any] = []
    began: list[float] = []

    def works() -> Iterator[Callable[[], Any]]:
        values = composed(tape)  # of which our forward steps are the like, so that it does not count
        began.append(time.perf_counter())
        for target in targets:
            for symbol in values[target].entries:
                yield lambda symbol=symbol: done.append(values["L"].item.diff(symbol))  # type: ignore[misc]

    count = sum(prod(tape[target].shape) for target in targets)
    try:
        until(PATIENCE, works())()
    except TooLong:
        told = f"{len(done)} of {count} entries" if began else "not even the loss composed"
        return PATIENCE, f"{told} in {PATIENCE:g} s", True
    return time.perf_counter() - began[0], f"{count} entries", False
