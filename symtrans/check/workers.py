"""Files judged in child processes, so that a formula that takes too long is stopped and the rest goes on.

A child tells when it begins a statement; where nothing is heard for the deadline, it is ended, and
the file is judged again with that statement left undecided. Results come in the order of the files.
"""

from __future__ import annotations

import multiprocessing as mp
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from typing import Any

from symtrans.check.verify import FileResult, Order, unread, verify
from symtrans.errors import SymtransError

STATEMENT_SECONDS = 10
FILE_SECONDS = 120
MOST_SKIPS = 20


@dataclass(slots=True)
class _Child:
    """A process at work on one file."""

    process: Any
    pipe: Connection
    place: int
    order: Order
    began: int = -1
    heard: int = 0
    started: int = 0


def verify_all(
    orders: Sequence[Order], jobs: int = 1, done: Callable[[int], None] | None = None
) -> Iterator[FileResult]:
    """The results of all files, in order; `done` is called with the number of files finished."""
    results: dict[int, FileResult] = {}
    waiting = list(enumerate(orders))[::-1]
    running: list[_Child] = []
    told = finished = 0
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                place, order = waiting.pop()
                running.append(_start(place, order))
            for child in _heard_from(running):
                outcome = _receive(child)
                if outcome is None:
                    continue
                running.remove(child)
                _end(child)
                if isinstance(outcome, Order):
                    waiting.append((child.place, outcome))
                else:
                    results[child.place] = outcome
                    finished += 1
                    if done is not None:
                        done(finished)
            while told in results:
                yield results.pop(told)
                told += 1
    finally:
        for child in running:
            _end(child)


def _start(place: int, order: Order) -> _Child:
    # A fork starts at once and this program has one thread; elsewhere a fresh interpreter is started.
    context: Any = mp.get_context("fork" if sys.platform == "linux" else "spawn")
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, order), daemon=True)
    process.start()
    theirs.close()
    now = _now()
    return _Child(process, mine, place, order, heard=now, started=now)


def _work(pipe: Connection, order: Order) -> None:
    """What the child does: judge, and say what it is at."""
    try:
        result: Any = verify(order, lambda index: pipe.send(("at", index)))
        pipe.send(("done", result))
    except SymtransError as fault:
        pipe.send(("fault", str(fault)))
    except MemoryError:
        pipe.send(("fault", f"{order.path} takes more memory than there is"))
    except Exception as fault:  # a mistake of ours: said, counted, and no traceback for the user
        pipe.send(("fault", f"{order.path}: not judged, an internal fault ({type(fault).__name__})"))


def _heard_from(running: list[_Child]) -> list[_Child]:
    """The children that have something to say, or have been silent too long."""
    ready = wait([child.pipe for child in running], timeout=1)
    now = _now()
    late = [c for c in running if now - c.heard > STATEMENT_SECONDS or now - c.started > FILE_SECONDS]
    return [child for child in running if child.pipe in ready or child in late]


def _receive(child: _Child) -> FileResult | Order | None:
    """A child's result; a new order where it must be begun again; None where it goes on."""
    path = child.order.path
    try:
        while child.pipe.poll():
            kind, value = child.pipe.recv()
            child.heard = _now()
            if kind == "at":
                child.began = value
            elif kind == "done":
                return value  # type: ignore[no-any-return]
            else:
                return unread(path, value, failed=True)
    except (EOFError, OSError):
        return _skipping(child, "its process ended by itself")
    now = _now()
    if now - child.started > FILE_SECONDS:
        return unread(path, f"undecided: limit, more than {FILE_SECONDS} seconds for one file")
    if now - child.heard > STATEMENT_SECONDS:
        return _skipping(child, f"more than {STATEMENT_SECONDS} seconds for one formula")
    return None


def _skipping(child: _Child, why: str) -> FileResult | Order:
    """The same file again without the statement that was being judged."""
    order = child.order
    if child.began < 0 or child.began in order.skip or len(order.skip) >= MOST_SKIPS:
        return unread(order.path, f"undecided: limit, {why}")
    return replace(order, skip=order.skip | {child.began})


def _end(child: _Child) -> None:
    child.pipe.close()
    if child.process.is_alive():
        child.process.kill()
    child.process.join(5)


def _now() -> int:
    """Whole seconds of a clock that never goes back."""
    return time.monotonic_ns() // 1_000_000_000
