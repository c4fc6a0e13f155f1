"""How a derivation grows with the number of layers: the encoder-decoder example with 1 to 12 layers on each side.

    python tests/benchmarks/layers.py [LAYERS ...]

prints a Markdown table: steps, seconds and peak memory of all gradients with every entry as a SymPy matrix of symbols,
then of the page with every number certified. Each row runs in a process of its own; the columns per layer are
differences to the row before, which leave out what every run needs once.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import time

LAYERS = (1, 2, 4, 6, 8, 10, 12)


def measure(layers: int) -> None:
    """One run; the figures go to stdout as JSON."""
    import sympy  # noqa: F401  (its import is no part of what is measured)

    from symtrans.derive.derivation import derive
    from symtrans.model.spec_reader import read_spec
    from symtrans.registry import files

    head, encoder, decoder = re.split(r"\n(?=\[\[)", files("symtrans.model.examples", ".toml")["encoder-decoder"])
    text = "\n".join([head, *[encoder] * layers, *[decoder] * layers])
    before = peak()
    start = time.process_time()
    derivation = derive(read_spec(text, "layers.toml"), wrt=["all"])
    for step in derivation:
        step.symbolic  # noqa: B018  (made when it is looked at)
    symbols, with_symbols = time.process_time() - start, peak() - before
    start = time.process_time()
    formulas = derivation.latex("ams")
    figures = {
        "steps": len(derivation.tape),
        "symbols": symbols,
        "with_symbols": with_symbols,
        "numbers": time.process_time() - start,
        "with_numbers": peak() - before,
        "formulas": len(formulas),
    }
    print(json.dumps(figures))


def peak() -> float:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(chosen: tuple[int, ...]) -> None:
    """The table."""
    rows = []
    for layers in chosen:
        command = [sys.executable, __file__, "--one", str(layers)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        rows.append((layers, json.loads(run.stdout)))
    print("| layers | steps | symbols s | MB | s/layer | numbers s | MB | s/layer |")
    print("|---|---|---|---|---|---|---|---|")
    for place, (layers, row) in enumerate(rows):
        told = []
        for key, memory in (("symbols", "with_symbols"), ("numbers", "with_numbers")):
            told += [f"{row[key]:.2f}", f"{row[memory]:.0f}"]
            if place:
                before, earlier = rows[place - 1]
                told.append(f"{(row[key] - earlier[key]) / (layers - before):.3f}")
            else:
                told.append("")
        print(f"| {layers}+{layers} | {row['steps']} | " + " | ".join(told) + " |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]))
    else:
        main(tuple(int(text) for text in sys.argv[1:]) or LAYERS)
