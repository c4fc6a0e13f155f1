"""The report as JSON for programs: every link of every file; `schema` counts its changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from symtrans.check.finding import LinkVerdict, Shown
from symtrans.check.verify import FileResult
from symtrans.language.words import Words
from symtrans.page.report import ReportWriter, sentence

SCHEMA = 1


def write(results: Sequence[FileResult], words: Words) -> str:
    """One JSON object; all values are strings, so that no digit is lost."""
    files = [
        {
            "path": result.report.path,
            "coverage": asdict(result.report.coverage),
            "links": [_link(link, words) for link in result.report.links],
            "remarks": [asdict(remark) for remark in result.report.remarks],
        }
        for result in results
    ]
    return json.dumps({"schema": SCHEMA, "files": files}, ensure_ascii=False, indent=1) + "\n"


def _link(link: LinkVerdict, words: Words) -> dict[str, Any]:
    entries = [
        {"row": e.row, "col": e.col, "stated": e.stated, "exact": e.exact, "decimal": e.decimal} for e in link.entries
    ]
    return {
        "formula": link.formula,
        "step": link.step,
        "line": link.line,
        "column": link.column,
        "lhs": link.lhs,
        "rel": link.rel,
        "rhs": link.rhs,
        "verdict": link.verdict,
        "level": link.level,
        "code": link.code,
        "exact": _value(link.exact),
        "truth": _value(link.truth),
        "entries": entries,
        "root": None if link.root is None else {"formula": link.root.formula, "step": link.root.step},
        "readers": link.readers,
        "slip": link.slip or None,
        "silenced": link.silenced,
        "message": "" if link.verdict in ("HOLDS", "DEFINITION") and not link.entries else sentence(link, words),
    }


def _value(value: Shown | None) -> str | list[list[str]] | None:
    return [list(row) for row in value] if isinstance(value, tuple) else value


REPORT = ReportWriter("json", write, (".json",))
