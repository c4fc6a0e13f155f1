"""Growth: encoder layers stacked, with all gradients; what a layer costs must not depend on how many there are."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measuring import Aim, Row

COUNTS = (1, 6, 12, 24, 48)
FEW = (1, 4, 8, 16)
PROGRAM = Path(__file__).parent.parent / "stack_program.py"
KINDS = {
    "symbols": ("all gradients, every entry a SymPy matrix of symbols", "s"),
    "with_symbols": ("the same, memory", "MB"),
    "numbers": ("every number certified to 6 digits", "s"),
    "with_numbers": ("the same, memory", "MB"),
}


def rows(quick: bool) -> Iterator[Row]:
    """What a layer of the upper half costs beside one of the lower half, each stack in a process of its own."""
    counts = FEW if quick else COUNTS
    figures = {count: in_own_process(count) for count in counts}
    first, middle, last = counts[0], counts[-2], counts[-1]
    for key, (work, unit) in KINDS.items():
        lower, upper = ((figures[b][key] - figures[a][key]) / (b - a) for a, b in ((first, middle), (middle, last)))
        totals = ", ".join(f"{count}: {figures[count][key]:.3g}" for count in counts)
        yield Row(
            f"{work}, {last} encoder layers",
            f"a layer from {middle} to {last}",
            f"a layer from {first} to {middle}",
            upper,
            lower,
            Aim(slower=1.2),
            f"{unit} in all by layers: {totals}",
            unit,
        )


def in_own_process(count: int) -> dict[str, Any]:
    """The figures of one stack."""
    run = subprocess.run([sys.executable, str(PROGRAM), str(count)], capture_output=True, text=True, check=True)
    return dict(json.loads(run.stdout))
