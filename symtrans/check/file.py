"""One file judged, within a deadline."""

from __future__ import annotations

from symtrans.check.finding import FileReport
from symtrans.check.judge import judge
from symtrans.document.read import read
from symtrans.document.source import Source


def check_file(path: str, readers: int = 2) -> FileReport:
    """The report on a file; raises what `Source.load` raises."""
    return judge(read(Source.load(path)), readers)
