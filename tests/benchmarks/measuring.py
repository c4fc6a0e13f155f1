"""How a pair is measured: in one run, in turn, by medians; and the row that tells the outcome."""

from __future__ import annotations

import gc
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any


@dataclass(frozen=True)
class Aim:
    """A bound: `faster` is how often our time must go into the peer's, `slower` how often the peer's may into ours."""

    faster: float | None = None
    slower: float | None = None

    def __str__(self) -> str:
        if self.faster is not None:
            return f"at least {self.faster:,g} times faster"
        return "–" if self.slower is None else f"at most {self.slower:,g} times the peer"


@dataclass(frozen=True)
class Row:
    """One comparison: the work, the two ways, what each took, and the aim.

    `taken` and `beside` are seconds, or `unit`; None is a way that was not measured, and `note` says why.
    `is_bound`: the peer was stopped, so that it would have taken longer than `beside`.
    """

    work: str
    ours: str
    peer: str
    taken: float | None
    beside: float | None
    aim: Aim = Aim()
    note: str = ""
    unit: str = "s"
    is_bound: bool = False

    @property
    def factor(self) -> float | None:
        """The peer's figure over ours."""
        return self.beside / self.taken if self.taken and self.beside else None

    @property
    def ratio(self) -> str:
        """The ratio in the aim's direction."""
        if self.factor is None:
            return "–"
        if self.aim.slower is not None:
            return f"{1 / self.factor:,.2f} times the peer"
        return ("more than " if self.is_bound else "") + f"{self.factor:,.3g} times faster"

    @property
    def is_met(self) -> bool | None:
        """Whether the aim is reached; None where there is none, or nothing to compare."""
        if self.factor is None or self.aim == Aim():
            return None
        if self.aim.faster is not None:
            return True if self.factor >= self.aim.faster else None if self.is_bound else False
        return self.factor * (self.aim.slower or 0) >= 1

    @property
    def verdict(self) -> str:
        """The aim's outcome in a word, and the note."""
        word = {True: "met", False: "NOT MET", None: ""}[self.is_met]
        return "; ".join(part for part in (word, self.note) if part) or "–"


class TooLong(BaseException):
    """A peer took longer than it was given; a BaseException, because peers catch every other one."""


def seconds(work: Callable[[], Any]) -> float:
    """What one run takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def interleaved(*works: Callable[[], Any], rounds: int = 7, warm: bool = True) -> list[float]:
    """The median of each kind of runs, all taken in turn; one run of each goes before, uncounted, where `warm`.

    What is in memory already, such as what an earlier peer has left, is not searched for garbage meanwhile.
    """
    if warm:
        for work in works:
            work()
    gc.collect()
    gc.freeze()
    taken = [[seconds(work) for work in works] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*taken, strict=True)]


def around(quick: Callable[[], Any], slow: Callable[[], Any], times: int) -> tuple[float, float]:
    """The median of many runs of one way, half before and half after the single run of a slow one."""
    quick()
    before = [seconds(quick) for _ in range(times)]
    beside = seconds(slow)
    return statistics.median(before + [seconds(quick) for _ in range(times)]), beside


def until(limit: float, works: Iterable[Callable[[], Any]]) -> Callable[[], None]:
    """Small works one after another; TooLong when the time is over, in the midst of one too."""

    def over(*_: Any) -> None:
        raise TooLong

    def run() -> None:
        before = signal.signal(signal.SIGALRM, over)
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            for work in works:
                work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    return run


def process(*arguments: str, codes: tuple[int, ...] = (0,)) -> Callable[[], Any]:
    """A whole Python process, to be run; another exit code than these is an error."""

    def run() -> None:
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
        if done.returncode not in codes:
            raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.strip()[-400:]}")

    return run


def is_there(module: str) -> bool:
    """Whether an optional peer is installed; it is not imported."""
    return find_spec(module) is not None
