"""A program of its own, so that its memory is its own: one stack of encoder layers derived, its figures as JSON."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path


def measure(count: int) -> None:
    """One stack; the figures go to stdout as JSON."""
    import sympy  # noqa: F401  (its import is no part of what is measured)

    from symtrans.derive.derivation import derive
    from symtrans.exact.rounding import certify
    from symtrans.model.spec_reader import read_spec
    from symtrans.registry import files

    head, layer = files("symtrans.model.examples", ".toml")["encoder"].split("\n[[encoder]]")
    text = head + f"\n[[encoder]]{layer}" * count
    before = peak()
    start = time.process_time()
    derivation = derive(read_spec(text, "layers.toml"), wrt=["all"])
    for step in derivation:
        step.symbolic  # noqa: B018  (made when it is looked at)
    symbols, with_symbols = time.process_time() - start, peak() - before
    start = time.process_time()
    for step in derivation:
        for entry in derivation.values.tensor(step.id).entries:
            certify(entry, 6)
    numbers = time.process_time() - start
    figures = {"symbols": symbols, "with_symbols": with_symbols, "numbers": numbers, "with_numbers": peak() - before}
    print(json.dumps(figures))


def peak() -> float:
    """The most memory that this process has had, in MB; the system's count of it may begin at its parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    measure(int(sys.argv[1]))
