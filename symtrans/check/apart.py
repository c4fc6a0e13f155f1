"""Documents judged by a Python of its own, for a program that may have threads, such as a notebook's kernel.

The command line's children are forks, which start at once; a program with threads must not be forked.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from symtrans.check.verify import FileResult, Order
from symtrans.check.workers import verify_all
from symtrans.errors import LimitError

PROGRAM = "from symtrans.check.apart import serve; serve()"


def verify_apart(orders: Sequence[Order]) -> list[FileResult]:
    """The results of all orders, with the deadlines of `verify_all`; LimitError where that Python ended early."""
    place = str(Path(__file__).resolve().parents[2])
    paths = os.pathsep.join(path for path in (place, os.environ.get("PYTHONPATH")) if path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=pickle.dumps(list(orders)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": paths},
        check=False,
    )
    if done.returncode:
        raise LimitError(f"the process that judges ended with code {done.returncode}; symtrans verify judges files")
    results: list[FileResult] = pickle.loads(done.stdout)
    return results


def serve() -> None:
    """What that Python does: read orders from its standard input, and write their results to its standard output."""
    orders = pickle.load(sys.stdin.buffer)
    answer = pickle.dumps(list(verify_all(orders)))
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
