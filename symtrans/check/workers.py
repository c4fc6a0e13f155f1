"""Files judged in child processes, so that a formula that takes too long is stopped and the rest goes on.

A child judges one file after another, and tells when it begins a statement. Where nothing is heard
for the deadline it is ended, a new one is started, and the file is judged again with that statement
left undecided; the time that a file may take is counted over all its beginnings, and from five
sixths of it on its statements are left undecided. Results come in the order of the files, however
many children there are.
"""

from __future__ import annotations

import gc
import multiprocessing as mp
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from typing import Any

from symtrans.check.verify import FileResult, Order, unread, verify
from symtrans.errors import SymtransError
from symtrans.notation.second_reader import prepare

STATEMENT_SECONDS = 10
FILE_SECONDS = 120
MOST_SKIPS = 20
FORKS = sys.platform == "linux"


@dataclass(frozen=True, slots=True)
class Job:
    """An order and its place among the orders; `spent` are the seconds it took before it was begun again."""

    place: int
    order: Order
    spent: int = 0


class _Child:
    """A process, and the job that it is at."""

    def __init__(self) -> None:
        # A fork starts at once and this program has one thread; elsewhere a fresh interpreter is started.
        context: Any = mp.get_context("fork" if FORKS else "spawn")
        mine, theirs = context.Pipe()
        self.pipe: Connection = mine
        self.process = context.Process(target=_work, args=(theirs, os.getpid()), daemon=True)
        self.process.start()
        theirs.close()
        self.job: Job | None = None
        self.statement = -1
        self.heard = self.started = 0

    def take(self, job: Job) -> None:
        """Begin a job."""
        self.job, self.statement = job, -1
        self.heard = _now()
        self.started = self.heard - job.spent
        with suppress(OSError):  # one that has just ended: its outcome tells
            self.pipe.send(replace(job.order, late_at=self.started + FILE_SECONDS * 5 // 6))

    def again(self, order: Order) -> Job:
        """The job, to be begun again with another order and what is left of its time."""
        assert self.job is not None
        return replace(self.job, order=order, spent=_now() - self.started)

    def outcome(self) -> FileResult | Order | None:
        """The job's result; a new order where it must be begun again; None where it goes on."""
        assert self.job is not None
        try:
            while self.pipe.poll():
                kind, value = self.pipe.recv()
                self.heard = _now()
                if kind == "at":
                    self.statement = value
                else:
                    return value if kind == "done" else unread(self.job.order.path, value, failed=True)
        except (EOFError, OSError):
            self.end()
            return self._again("its process ended by itself")
        if _now() - self.started > FILE_SECONDS:
            self.end()
            return unread(self.job.order.path, f"undecided: limit, more than {FILE_SECONDS} seconds for one file")
        if _now() - self.heard > STATEMENT_SECONDS:
            self.end()
            return self._again(f"more than {STATEMENT_SECONDS} seconds for one formula")
        return None

    def _again(self, why: str) -> FileResult | Order:
        """The same file without the statement that was being judged."""
        assert self.job is not None
        order = self.job.order
        if self.statement < 0 or self.statement in order.skip or len(order.skip) >= MOST_SKIPS:
            return unread(order.path, f"undecided: limit, {why}")
        return replace(order, skip=order.skip | {self.statement})

    @property
    def is_alive(self) -> bool:
        """Whether it can take another job."""
        return not self.pipe.closed and self.process.is_alive()

    def end(self) -> None:
        """Stop the process, whatever it is at."""
        self.pipe.close()
        self.process.kill()
        self.process.join(5)


def verify_all(
    orders: Sequence[Order], jobs: int = 1, done: Callable[[int], None] | None = None
) -> Iterator[FileResult]:
    """The results of all files, in order; `done` is called with the number of files finished."""
    waiting = [Job(place, order) for place, order in enumerate(orders)][::-1]
    results: dict[int, FileResult] = {}
    children: list[_Child] = []
    told = finished = 0
    if FORKS and jobs > 1 and len(orders) > jobs and any(order.readers > 1 for order in orders):
        prepare()  # once for all children, not once in each
    try:
        while told < len(orders):
            _hand_out(waiting, children, jobs)
            for child in _heard_from(children):
                outcome = child.outcome()
                if outcome is None or child.job is None:
                    continue
                if isinstance(outcome, Order):
                    waiting.append(child.again(outcome))
                else:
                    results[child.job.place] = outcome
                    finished += 1
                    if done is not None:
                        done(finished)
                child.job = None
            children = [child for child in children if child.job is not None or child.is_alive]
            while told in results:
                yield results.pop(told)
                told += 1
    finally:
        for child in children:
            child.end()


def _hand_out(waiting: list[Job], children: list[_Child], jobs: int) -> None:
    """Give every idle child a job; start a child where there is work for it."""
    while waiting:
        idle = next((child for child in children if child.job is None and child.is_alive), None)
        if idle is None and len(children) >= jobs:
            return
        if idle is None:
            idle = _Child()
            children.append(idle)
        idle.take(waiting.pop())


def _heard_from(children: list[_Child]) -> list[_Child]:
    """The children that have something to say, or have been silent too long."""
    busy = [child for child in children if child.job is not None]
    ready = wait([child.pipe for child in busy], timeout=1)
    now = _now()
    late = [c for c in busy if now - c.heard > STATEMENT_SECONDS or now - c.started > FILE_SECONDS]
    return [child for child in busy if child.pipe in ready or child in late]


def _work(pipe: Connection, parent: int) -> None:
    """What a child does: judge what it is given, and say what it is at, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which ends its children without a traceback
    threading.Thread(target=_end_after, args=(parent,), daemon=True).start()
    gc.freeze()  # what is loaded stays, and need not be searched for what is not used any more
    while True:
        try:
            order = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            pipe.send(("done", verify(order, lambda index: pipe.send(("at", index)))))
        except SymtransError as fault:
            pipe.send(("fault", str(fault)))
        except MemoryError:
            pipe.send(("fault", f"{order.path} takes more memory than there is"))
        except BrokenPipeError:
            return
        except Exception as fault:  # a mistake of ours: said, counted, and no traceback for the user
            pipe.send(("fault", f"{order.path}: not judged, an internal fault ({type(fault).__name__})"))


def _end_after(parent: int) -> None:
    """End this process soon after the parent: a forked child holds its pipe's other end too, and hears of no end."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _now() -> int:
    """Whole seconds of a clock that never goes back."""
    return time.monotonic_ns() // 1_000_000_000
