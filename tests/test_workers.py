"""Children that judge: a slow statement is left undecided and the rest is judged; a child that dies is replaced."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from symtrans.check import workers
from symtrans.check.verify import FileResult, Order, verify

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the slow judge is handed to the child by a fork")

TEXT = "$1+1=2$\n\n$2+2=5$\n\n$3+3=6$\n"


def slow_at(statement: int, behave: Callable[[], None]) -> Callable[..., FileResult]:
    """A judge that misbehaves at one statement unless that is to be skipped."""

    def judge(order: Order, progress: Callable[[int], None]) -> FileResult:
        def heard(index: int) -> None:
            progress(index)
            if index == statement and index not in order.skip and order.path.endswith("slow.md"):
                behave()

        return verify(order, heard)

    return judge


@pytest.mark.parametrize("behave", [lambda: time.sleep(60), lambda: os._exit(1)], ids=["hangs", "dies"])
def test_one_statement_is_left_out_and_the_rest_is_judged(
    behave: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "STATEMENT_SECONDS", 1)
    monkeypatch.setattr(workers, "verify", slow_at(1, behave))
    for name in ("a.md", "slow.md", "z.md"):
        (tmp_path / name).write_text(TEXT)
    orders = [Order(str(tmp_path / name), readers=1) for name in ("a.md", "slow.md", "z.md")]
    results = list(workers.verify_all(orders))
    told = [[(link.verdict, link.code) for link in result.report.links] for result in results]
    usual = [("HOLDS", None), ("FAILS", "ST101"), ("HOLDS", None)]
    assert told == [usual, [("HOLDS", None), ("UNDECIDED", "ST901"), ("HOLDS", None)], usual]


def test_a_file_that_takes_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "FILE_SECONDS", 1)
    monkeypatch.setattr(workers, "verify", slow_at(0, lambda: time.sleep(60)))
    (tmp_path / "slow.md").write_text(TEXT)
    (result,) = workers.verify_all([Order(str(tmp_path / "slow.md"))])
    assert result.report.links == ()
    assert [remark.text for remark in result.report.remarks] == ["undecided: limit, more than 1 seconds for one file"]


def test_a_mistake_of_ours_is_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(order: Order, progress: object) -> FileResult:
        raise KeyError("x")

    monkeypatch.setattr(workers, "verify", broken)
    (result,) = workers.verify_all([Order("notes.md")])
    assert result.failed
    assert "internal fault (KeyError)" in result.report.remarks[0].text


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_the_order_of_files_is_kept(jobs: int, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.md" for number in range(6)]
    for number, path in enumerate(paths):
        path.write_text(f"${number}+1={number + 1}$\n")
    results = workers.verify_all([Order(str(path), readers=1) for path in paths], jobs)
    assert [result.report.links[0].lhs for result in results] == [f"{number}+1" for number in range(6)]


def test_the_time_of_a_file_is_counted_over_all_its_beginnings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements that are stopped one after the other do not give a file its whole time again each."""

    def judge(order: Order, progress: Callable[[int], None]) -> FileResult:
        progress(len(order.skip))
        time.sleep(60)
        return verify(order, progress)

    monkeypatch.setattr(workers, "STATEMENT_SECONDS", 1)
    monkeypatch.setattr(workers, "FILE_SECONDS", 3)
    monkeypatch.setattr(workers, "verify", judge)
    (tmp_path / "slow.md").write_text(TEXT * 10)
    begun = time.monotonic()
    (result,) = workers.verify_all([Order(str(tmp_path / "slow.md"))])
    assert time.monotonic() - begun < 10
    assert [remark.text for remark in result.report.remarks] == ["undecided: limit, more than 3 seconds for one file"]


def test_what_comes_too_late_is_left_undecided(tmp_path: Path) -> None:
    (tmp_path / "late.md").write_text(TEXT)
    report = verify(Order(str(tmp_path / "late.md"), readers=1, late_at=0)).report
    assert [(link.verdict, link.code) for link in report.links] == [("UNDECIDED", "ST901")] * 3


@pytest.mark.parametrize(
    ("jobs", "files", "readers", "times"), [(2, 3, 2, 1), (2, 3, 1, 0), (1, 3, 2, 0), (2, 2, 2, 0), (3, 4, 2, 1)]
)
def test_what_all_children_need_is_loaded_before_there_are_any(
    jobs: int, files: int, readers: int, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(workers, "prepare", lambda: calls.append(1))
    monkeypatch.setattr(workers, "FORKS", True)
    paths = [tmp_path / f"{number}.md" for number in range(files)]
    for path in paths:
        path.write_text(TEXT)
    results = list(workers.verify_all([Order(str(path), readers) for path in paths], jobs))
    assert len(calls) == times
    assert len(results) == files


def test_any_number_of_children_finds_the_same(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.md" for number in range(7)]
    for number, path in enumerate(paths):
        path.write_text(f"$$\\frac{{{number}}}{{2}}+1={number}$$\n\n" + TEXT * (number % 3))
    orders = [Order(str(path)) for path in paths]
    alone = list(workers.verify_all(orders, 1))
    assert [list(workers.verify_all(orders, jobs)) for jobs in (2, 3, 8)] == [alone] * 3


def test_a_child_that_dies_between_two_files_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(order: Order, progress: Callable[[int], None]) -> FileResult:
        if order.path.endswith("a.md"):
            threading.Timer(0.1, os._exit, (1,)).start()
        return verify(order, progress)

    monkeypatch.setattr(workers, "verify", judge)
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text(TEXT)
    told = []
    for result in workers.verify_all([Order(str(tmp_path / name), readers=1) for name in ("b.md", "a.md", "c.md")]):
        told.append([link.verdict for link in result.report.links])
        time.sleep(0.3)
    assert told == [["HOLDS", "FAILS", "HOLDS"]] * 3


PARENT = """
import sys, time
from symtrans.check import workers
from symtrans.check.verify import Order

def judge(order, progress):
    print("begun", flush=True)
    time.sleep(60)

workers.verify = judge
list(workers.verify_all([Order("a.md"), Order("b.md")], 2))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_children_end_with_their_parent_and_say_nothing(number: signal.Signals) -> None:
    # Their output ends when the last process that holds it does.
    with subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as parent:
        assert parent.stdout is not None
        assert [parent.stdout.readline() for _ in range(2)] == ["begun\n"] * 2
        if number == signal.SIGINT:
            os.killpg(parent.pid, number)  # as a terminal does for Ctrl-C
        else:
            parent.send_signal(number)
        try:
            _, said = parent.communicate(timeout=20)
        finally:
            os.killpg(parent.pid, signal.SIGKILL) if parent.returncode is None else None
    assert said.count("KeyboardInterrupt") == (number == signal.SIGINT)
