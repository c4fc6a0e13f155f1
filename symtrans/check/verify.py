"""One file from its path to its result: read, judged, worked out and, if wanted, mended."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from symtrans.check.finding import Coverage, FileReport
from symtrans.check.judge import judge
from symtrans.check.mend import mended
from symtrans.check.working import workings
from symtrans.document.read import read
from symtrans.document.source import Remark, Source

ROUNDS = 5  # a mended number can uncover the next one


@dataclass(frozen=True, slots=True)
class Order:
    """What to do with a file: how many readers, whether to mend, and which statements to leave undecided.

    From `late_at` on, in seconds of the clock that never goes back, statements are left undecided.
    `source` is given where the text was read already (the standard input, which a child process has not).
    """

    path: str
    readers: int = 2
    mend: bool = False
    skip: frozenset[int] = frozenset()
    source: Source | None = None
    late_at: int | None = None

    def is_late(self) -> bool:
        """Whether no more statements are to be judged."""
        return self.late_at is not None and time.monotonic_ns() > self.late_at * 1_000_000_000


@dataclass(frozen=True, slots=True)
class FileResult:
    """What came of a file, plain enough to be sent between processes.

    `lines` are the source lines of its links; `mended` is its text after mending, or None where
    nothing was changed, and `before` the text as it was; `encoding` is the file's own.
    """

    report: FileReport
    readers: int = 2
    workings: Mapping[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[int, str] = field(default_factory=dict)
    before: str = ""
    mended: str | None = None
    encoding: str = "utf-8"
    failed: bool = False

    def line(self, number: int) -> str:
        """The text of a source line, or nothing."""
        return self.lines.get(number, "")


def verify(order: Order, progress: Callable[[int], None] | None = None) -> FileResult:
    """Do what is ordered. Raises UsageError or LimitError for a file that cannot be read."""
    source = order.source or Source.load(order.path)
    report = judge(read(source), order.readers, order.skip, progress, order.is_late)
    text = source.text
    if order.mend:
        for _ in range(ROUNDS):
            new, changes = mended(report)
            if not changes:
                break
            text = new
            report = judge(read(replace(source, text=text)), order.readers, order.skip, progress, order.is_late)
    return FileResult(
        report=replace(report, literals=(), source=None, statements=(), quantities={}),
        readers=order.readers,
        workings=workings(report),
        lines={link.line: report.source.line_text(link.line) for link in report.links if report.source},
        before=source.text,
        mended=text if text != source.text else None,
        encoding=source.encoding,
    )


def unread(path: str, reason: str, failed: bool = False) -> FileResult:
    """The result of a file that was not judged, which is said and counted."""
    empty = Coverage(0, 0, 0, 0, 0, 0, 0)
    return FileResult(FileReport(path, empty, (), remarks=(Remark(reason),)), failed=failed)
