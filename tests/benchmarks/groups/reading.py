"""Reading: our reader beside latex2sympy2, the checker cold and warm, and a folder on two cores."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from measuring import Aim, Row, interleaved, process, seconds

DATA = Path(__file__).parent.parent.parent / "data"


def rows(quick: bool) -> Iterator[Row]:
    """Sides, a page, folders."""
    printed = json.loads((DATA / "handcalc_printed.json").read_text("utf-8"))
    yield sides(printed)
    yield from page(printed)
    yield published(quick)
    yield folder(printed, 40 if quick else 200)


def sides(printed: dict[str, str]) -> Row:
    """The numeric sides of the hand calculation, in the spelling that latex2sympy2 knows."""
    from symtrans.notation.reader import read

    sys.modules.setdefault("typing.io", sys.modules["typing"])  # its antlr asks for it, Python 3.13 has it no more
    import latex2sympy2

    matrices = [
        side for text in printed.values() for side in text.split("=") if side.startswith(r"\left[\begin{array}")
    ]
    plain = [bracketed(side) for side in matrices if "text" not in side and "-" not in side]
    chosen = [side for side in plain if side.count("begin") <= 2][:30]
    ours, theirs = interleaved(
        lambda: [read(side) for side in chosen], lambda: [latex2sympy2.latex2sympy(side) for side in chosen], rounds=5
    )
    return Row(f"reading {len(chosen)} numeric sides", "our reader", "latex2sympy2", ours, theirs, Aim(faster=10))


def bracketed(side: str) -> str:
    """A side of arrays in the spelling that latex2sympy2 knows."""
    return re.sub(r"\\left\[\\begin\{array\}\{c+\}", r"\\begin{bmatrix}", side).replace(
        r"\end{array}\right]", r"\end{bmatrix}"
    )


def page(printed: dict[str, str]) -> Iterator[Row]:
    """The checker on one page: the first time in this process, and then again and again."""
    from symtrans.check.judge import judge
    from symtrans.document.read import read
    from symtrans.document.source import Source

    text = "\n\n".join(f"$${formula}$$" for formula in printed.values())

    def check(readers: int) -> Callable[[], Any]:
        return lambda: judge(read(Source("printed.md", text)), readers)

    cold = seconds(check(2))
    both, alone = interleaved(check(2), check(1), rounds=7)
    work = f"judging the hand calculation's {len(printed)} formulas"
    yield Row(work, "both readers, warm", "both readers, cold", both, cold)
    yield Row(work, "our reader alone", "both readers, warm", alone, both)


def published(quick: bool) -> Row:
    """The folder of published pages in one process."""
    work = "judging the folder of published pages in one process"
    both = process("-m", "symtrans", "verify", str(DATA / "published"), codes=(0, 1))
    alone = process("-m", "symtrans", "verify", "--readers", "1", str(DATA / "published"), codes=(0, 1))
    if quick:
        return Row(work, "our reader alone", "both readers", None, None, note="left out by --quick")
    return Row(work, "our reader alone", "both readers", *interleaved(alone, both, rounds=1, warm=False))


def folder(printed: dict[str, str], count: int) -> Row:
    """Documents that differ, so that no cache helps, judged by one process and by two."""
    with tempfile.TemporaryDirectory() as place:
        for number in range(count):
            shift = [text.replace("0.3", f"0.{number + 301}") for text in printed.values()]
            formulas = "\n\n".join(f"$$\n{text}\n$$" for text in shift)
            Path(place, f"page{number:03}.md").write_text(f"# Page {number}\n\n{formulas}\n", "utf-8")

        def verify(jobs: int) -> Callable[[], Any]:
            return process("-m", "symtrans", "verify", "--jobs", str(jobs), place, codes=(0, 1))

        two, one = interleaved(verify(2), verify(1), rounds=1 if count > 50 else 3, warm=False)
    return Row(f"judging {count} documents", "--jobs 2", "--jobs 1", two, one, Aim(faster=1.6))
