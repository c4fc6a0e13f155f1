"""One encoder layer of d_model 4: reverse steps beside the derivatives of its composed loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from composed import in_symengine, in_sympy
from measuring import Aim, Row, TooLong, interleaved, is_there, seconds, until

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
    values = composed(tape)
    loss, symbols = values["L"].item, [entry for target in targets for entry in values[target].entries]
    done: list[Any] = []
    works = [lambda symbol=symbol: done.append(loss.diff(symbol)) for symbol in symbols]
    try:
        return seconds(until(PATIENCE, works)), f"{len(symbols)} entries", False
    except TooLong:
        return PATIENCE, f"{len(done)} of {len(symbols)} entries in {PATIENCE:g} s", True
