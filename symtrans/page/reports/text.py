"""The report for a terminal: place, code, sentence, the source line with a caret, and what inherits the fault."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from symtrans.check.finding import LinkVerdict
from symtrans.check.verify import FileResult
from symtrans.language.words import Words
from symtrans.page.report import ReportWriter, covered, sentence, total, worth_telling

WIDEST = 110  # columns of a source line that are shown


def write(results: Sequence[FileResult], words: Words) -> str:
    """All findings in order, remarks, and the coverage in the last line."""
    lines: list[str] = []
    for result in results:
        lines.extend(_file(result, words))
    lines.append(covered(total(results), words, results))
    return "\n".join(lines) + "\n"


def _file(result: FileResult, words: Words) -> Iterator[str]:
    report = result.report
    for remark in report.remarks:
        place = f"{report.path}:{remark.line}" if remark.line else report.path
        yield f"{place}: {words.report['remark']} {remark.text}"
    for link in report.links:
        if not worth_telling(link):
            continue
        yield f"{report.path}:{link.line}:{link.column}: {link.code or link.verdict} {sentence(link, words)}"
        yield from _quoted(result.line(link.line), link.column)
        for working in result.workings.get((link.formula, link.step), ()):
            yield f"    {working}"
        heirs = [
            other
            for other in report.links
            if other.root is not None and (other.root.formula, other.root.step) == (link.formula, link.step)
        ]
        if heirs and link.verdict == "FAILS":
            yield "    " + words.report["heirs"].format(places=_places(heirs))
    if report.coverage.links == 0 or report.coverage.checked == 0:
        yield f"{report.path}: {words.report['nothing']}"


def _places(links: Sequence[LinkVerdict]) -> str:
    """Formula numbers with their lines, each once."""
    seen = dict.fromkeys((link.formula, link.line) for link in links)
    return ", ".join(f"{formula} (line {line})" for formula, line in seen)


def _quoted(line: str, column: int) -> Iterator[str]:
    """The source line around a column, and a caret below it."""
    start = max(0, column - 1 - WIDEST // 2) if len(line) > WIDEST else 0
    shown = line[start : start + WIDEST].replace("\t", " ")
    if not shown.strip():
        return
    before = shown[: max(column - 1 - start, 0)]
    yield f"    {shown}"
    yield "    " + " " * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in before) + "^"


REPORT = ReportWriter("text", write, (".txt",))
