"""A report on documents: what was found in each file, in one language, apart from any format."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from symtrans.check.finding import Coverage, Entry, LinkVerdict, Shown
from symtrans.check.verify import FileResult
from symtrans.errors import UsageError
from symtrans.language.words import Words
from symtrans.registry import members

MOST_ENTRIES = 6  # differing entries that a sentence names


@dataclass(frozen=True, slots=True)
class ReportWriter:
    """A format of a report: `write` gets the results in order and the words; `endings` of files choose it."""

    name: str
    write: Callable[[Sequence[FileResult], Words], str]
    endings: tuple[str, ...] = ()


def report_writers() -> dict[str, ReportWriter]:
    """All formats by name."""
    return members("symtrans.page.reports", "REPORT")


def report_writer(name: str) -> ReportWriter:
    """The format called `name`; UsageError, which names the formats there are, for another."""
    found = report_writers()
    if name not in found:
        raise UsageError(f"no report format {name}: there are {', '.join(found)}")
    return found[name]


def report_format_of(path: str | None) -> str:
    """The format that a file's ending chooses, text without a file; UsageError for an ending of no format."""
    if path is None:
        return "text"
    name = PurePath(path).name.lower()
    told = {ending: writer.name for writer in report_writers().values() for ending in writer.endings}
    fitting = [ending for ending in told if name.endswith(ending)]
    if not fitting:
        endings = ", ".join(told)
        raise UsageError(f"{path}: its ending tells no format; endings are {endings}, or give --format")
    return told[max(fitting, key=len)]


def sentence(link: LinkVerdict, words: Words) -> str:
    """What is to be said of a link, in one line without its place."""
    phrases = words.report
    if link.entries:
        told = "; ".join(_entry(entry, link, words) for entry in link.entries[:MOST_ENTRIES])
        if len(link.entries) > MOST_ENTRIES:
            told += phrases["more"].format(count=len(link.entries) - MOST_ENTRIES)
    else:
        told = link.reason
    slight = link.verdict == "FAILS" and link.level in ("explained-by-rounding", "last-digit")
    pieces = [
        phrases["slight" if slight else link.verdict].format(lhs=short(link.lhs), rel=link.rel, rhs=short(link.rhs)),
        told,
    ]
    if link.level in ("explained-by-rounding", "last-digit"):
        pieces.append(phrases[link.level])
    if link.root is not None:
        pieces.append(phrases["root"].format(formula=link.root.formula, step=link.root.step))
    if link.slip:
        pieces.append(phrases["slip"].format(slip=phrases.get(f"slip.{link.slip}", link.slip)))
    if link.verdict == "ASSUMED" and link.truth is not None:
        pieces.append(phrases["assumed_truth"].format(truth=flat(link.truth)))
    pieces.extend([link.note, *link.readings])
    return "; ".join(piece for piece in pieces if piece)


def _entry(entry: Entry, link: LinkVerdict, words: Words) -> str:
    scalar = len(link.entries) == 1 and not isinstance(link.exact, tuple)
    key = "scalar" if scalar else "entry"
    right = entry.exact if entry.exact in (entry.decimal, f"≈ {entry.decimal}") else f"{entry.exact} ≈ {entry.decimal}"
    if "/" in entry.exact and _terminates(entry):
        right = entry.decimal
    return words.report[key].format(row=entry.row, col=entry.col, stated=entry.stated, right=right)


def _terminates(entry: Entry) -> bool:
    """Whether the decimal is the exact value."""
    from fractions import Fraction

    try:
        return Fraction(entry.exact) == Fraction(entry.decimal)
    except ValueError:
        return False


def flat(value: Shown) -> str:
    """A value in one line: rows parted by semicolons."""
    return value if isinstance(value, str) else "[" + "; ".join(" ".join(row) for row in value) + "]"


def short(text: str, most: int = 60) -> str:
    """Mathematics in one line, cut in its middle where it is long."""
    line = plain(" ".join(text.split()))
    return line if len(line) <= most else f"{line[: most // 2]} … {line[-most // 3 :]}"


def plain(latex: str) -> str:
    """LaTeX made lighter for a line of text: matrices as `[1 2; 3 4]`, fonts and sizes left out."""

    def matrix(found: re.Match[str]) -> str:
        rows = re.split(r"\\\\|\\cr", found[1])
        return "[" + "; ".join(" ".join(cell.strip() for cell in row.split("&")) for row in rows if row.strip()) + "]"

    names = r"array|[pbBvV]?matrix|smallmatrix"
    pattern = (
        rf"(?:\\left)?[\[(]?\\begin\{{(?:{names})\}}(?:\{{[clr|]+\}})?(.*?)\\end\{{(?:{names})\}}(?:\\right)?[\])]?"
    )
    latex = re.sub(pattern, matrix, latex, flags=re.S)
    latex = re.sub(r"\\(?:left|right|displaystyle)(?![A-Za-z])", "", latex)
    latex = re.sub(r"\\(?:mathbf|mathrm|text|operatorname|boldsymbol)\s*\{([^{}]*)\}", r"\1", latex)
    return re.sub(r"\{([^{}\\]{1,30})\}(?=[_^])", r"\1", latex)


def total(results: Sequence[FileResult]) -> Coverage:
    """The coverage of all files together."""
    counts = [result.report.coverage for result in results]
    return Coverage(
        formulas=sum(c.formulas for c in counts),
        read=sum(c.read for c in counts),
        links=sum(c.links for c in counts),
        checked=sum(c.checked for c in counts),
        undecided=sum(c.undecided for c in counts),
        unreadable=sum(c.unreadable for c in counts),
        read_twice=sum(c.read_twice for c in counts),
    )


def covered(counts: Coverage, words: Words, results: Sequence[FileResult]) -> str:
    """How much was seen, read and judged, in one line."""
    text = words.report["coverage"].format(
        files=len(results),
        formulas=counts.formulas,
        read=counts.read,
        links=counts.links,
        checked=counts.checked,
        undecided=counts.undecided,
        unreadable=counts.unreadable,
        read_twice=counts.read_twice,
    )
    if results and all(result.readers == 1 for result in results):
        text += words.report["one_reader"]
    return short(text, 400)


def worth_telling(link: LinkVerdict) -> bool:
    """Whether a link has a line of its own: everything that does not simply hold or define."""
    if link.silenced:
        return False
    return link.verdict not in ("HOLDS", "DEFINITION") or link.level not in (None, "ok")
