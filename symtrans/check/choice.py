"""Which findings are wanted: codes selected or ignored, a lowest level, and a baseline of known ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from symtrans.check.finding import LEVELS, FileReport, LinkVerdict
from symtrans.errors import UsageError


@dataclass(frozen=True, slots=True)
class Choice:
    """Codes to select (all, where there are none) and to ignore, by prefix; the lowest level; known findings."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    level: str = "ok"
    known: frozenset[str] = frozenset()


def chosen(report: FileReport, choice: Choice) -> tuple[LinkVerdict, ...]:
    """The links, those that are not wanted marked as silenced."""
    return tuple(
        link if link.silenced or _is_wanted(report, link, choice) else replace(link, silenced=True)
        for link in report.links
    )


def _is_wanted(report: FileReport, link: LinkVerdict, choice: Choice) -> bool:
    code = link.code or ""
    if choice.select and not code.startswith(choice.select):
        return False
    if choice.ignore and code and code.startswith(choice.ignore):
        return False
    if link.level is not None and LEVELS.index(link.level) < LEVELS.index(choice.level):
        return False
    return fingerprint(report, link) not in choice.known


def fingerprint(report: FileReport, link: LinkVerdict) -> str:
    """What a finding is known by: its file, code and mathematics, not its place, which other edits move."""
    return "\t".join((report.path, link.code or link.verdict, link.lhs, link.rel, link.rhs))


def written_baseline(reports: Iterable[FileReport]) -> str:
    """The findings as a baseline file."""
    found = sorted({fingerprint(r, link) for r in reports for link in r.links if link.code and not link.silenced})
    return json.dumps({"schema": 1, "findings": found}, ensure_ascii=False, indent=1) + "\n"


def read_baseline(path: str) -> frozenset[str]:
    """The findings that a baseline file holds; UsageError where it is none."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        findings = data["findings"]
        if not isinstance(findings, list) or not all(isinstance(one, str) for one in findings):
            raise TypeError
    except OSError as fault:
        raise UsageError(f"{path}: cannot be read ({fault.strerror or fault}); --write-baseline writes one") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"{path}: is no baseline; --write-baseline writes one") from None
    return frozenset(findings)
