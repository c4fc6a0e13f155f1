"""Benchmarks: each figure is a ratio of two ways to do the same work, measured side by side in this run.

    python tests/benchmarks/run.py [--quick] [--json FILE]

prints a Markdown table. `--quick` leaves out the pair whose slow side takes a minute.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Pair:
    """One comparison: what was done, the two ways, their seconds, and how often the other takes ours."""

    work: str
    ours: str
    other: str
    seconds: float
    other_seconds: float
    bound: str

    @property
    def ratio(self) -> float:
        return self.other_seconds / self.seconds


def best(work: Callable[[], Any], times: int) -> float:
    """The shortest of several runs, in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def interleaved(first: Callable[[], Any], second: Callable[[], Any], times: int) -> tuple[float, float]:
    """The medians of two kinds of runs taken in turn."""
    pairs = [(best(first, 1), best(second, 1)) for _ in range(times)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def composed_loss(tape: Any) -> tuple[Any, dict[str, Any]]:
    """The whole loss as one SymPy expression in the inputs' entries, and these entries by step."""
    from symtrans.derive.faces import entry_matrix
    from symtrans.ops.domains.symbols import SympyAlgebra
    from symtrans.ops.formulas import run

    values: dict[str, Any] = {}
    algebra = SympyAlgebra()
    for step in tape:
        own = step.op is None or step.op.name == "copy"  # every head has symbols of its own
        operands = [values[i] for i in step.operands]
        values[step.id] = entry_matrix(step) if own else run(step.op, operands, algebra, step.settings)
    return values["L"].item, values


def symbolic_gradients() -> list[Pair]:
    """All 104 gradient entries of the hand calculation with softmax, symbolically."""
    import sympy

    from symtrans.derive.backward import with_gradients
    from symtrans.derive.faces import symbolic_matrix
    from symtrans.model.build import build
    from symtrans.model.load import load_spec
    from symtrans.model.spec import with_settings

    tape = build(with_settings(load_spec("handcalc"), {"weights": "softmax"}))
    heads = [f"W_{letter}{head}" for head in (1, 2, 3) for letter in "QKV"]
    targets = ["x", "W_emb", "W_O", *heads]

    def structure() -> Any:
        return with_gradients(tape, targets)

    def matrices() -> list[Any]:
        full = structure()
        return [symbolic_matrix(step, full) for step in full if step.part == "backward"]

    loss, values = composed_loss(tape)
    symbols = [entry for target in targets for entry in values[target].entries]
    steps, entries = best(structure, 20), best(matrices, 3)
    naive = best(lambda: [sympy.diff(loss, symbol) for symbol in symbols], 1)
    other = f"SymPy diff of the composed loss ({len(symbols)} entries)"
    work = "all gradients of handcalc with softmax, symbolic"
    return [
        Pair(work, "tape of named steps", other, steps, naive, "at least 1,000"),
        Pair(work, "the same, every entry a SymPy matrix", other, entries, naive, "–"),
    ]


def start_up() -> list[Pair]:
    """Whole processes."""

    def process(*arguments: str) -> Callable[[], Any]:
        return lambda: subprocess.run([sys.executable, *arguments], capture_output=True, check=True)

    process("-m", "symtrans", "derive", "--head", "1", "--no-save")()  # compiled files are written once
    ours, other = interleaved(
        process("-m", "symtrans", "derive", "--head", "1", "--no-save"), process("-c", "import sympy"), 7
    )
    return [Pair("whole process", "symtrans derive --head 1", 'python -c "import sympy"', ours, other, "at least 0.5")]


def readers() -> list[Pair]:
    """Our reader beside latex2sympy2, on the numeric sides of the hand calculation, and the checker with each."""
    from pathlib import Path

    from symtrans.check.judge import judge
    from symtrans.document.read import read as open_document
    from symtrans.document.source import Source
    from symtrans.notation.reader import read

    printed = json.loads((Path(__file__).parent.parent / "data" / "handcalc_printed.json").read_text("utf-8"))
    sys.modules.setdefault("typing.io", sys.modules["typing"])  # its antlr asks for it, Python 3.13 has it no more
    import latex2sympy2

    matrices = [
        side for text in printed.values() for side in text.split("=") if side.startswith("\\left[\\begin{array}")
    ]
    sides = [_bracketed(side) for side in matrices if "text" not in side and "-" not in side]
    sides = [side for side in sides if side.count("begin") <= 2][:30]

    def first() -> None:
        for side in sides:
            read(side)

    def second() -> None:
        for side in sides:
            latex2sympy2.latex2sympy(side)

    first(), second()
    ours, theirs = best(first, 5), best(second, 2)
    document = "\n\n".join(f"$${text}$$" for text in printed.values())

    def check(count: int) -> Callable[[], Any]:
        return lambda: judge(open_document(Source("printed.md", document)), count)

    cold = best(check(2), 1)
    both, alone = interleaved(check(2), check(1), 5)
    work = "checking the hand calculation's 33 formulas"
    return [
        Pair(f"reading {len(sides)} numeric sides", "our reader", "latex2sympy2", ours, theirs, "at least 10"),
        Pair(work, "both readers, its trees cached", "both readers, cold", both, cold, "–"),
        Pair(work, "our reader alone", "both readers, its trees cached", alone, both, "–"),
    ]


def _bracketed(side: str) -> str:
    """A side of arrays in the spelling that latex2sympy2 knows."""
    import re

    side = re.sub(r"\\left\[\\begin\{array\}\{c+\}", r"\\begin{bmatrix}", side)
    return side.replace(r"\end{array}\right]", r"\end{bmatrix}")


def main() -> int:
    """Run the pairs and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    pairs = start_up() + readers() + ([] if options.quick else symbolic_gradients())
    print("| work | ours | beside | ours, s | beside, s | beside ÷ ours | bound |")
    print("|---|---|---|---|---|---|---|")
    for pair in pairs:
        row = (pair.work, pair.ours, pair.other, f"{pair.seconds:.4g}", f"{pair.other_seconds:.4g}")
        print("| " + " | ".join((*row, f"{pair.ratio:,.1f}", pair.bound)) + " |")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([{**asdict(pair), "ratio": pair.ratio} for pair in pairs], file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
