"""A report as JSON, by the published schema."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from symtrans.check.finding import FileReport, LinkVerdict, Shown

SCHEMA = 1


def as_json(reports: Iterable[FileReport]) -> str:
    """The reports as one JSON document."""
    return json.dumps({"schema": SCHEMA, "files": [_file(report) for report in reports]}, ensure_ascii=False, indent=1)


def _file(report: FileReport) -> dict[str, object]:
    return {"path": report.path, "coverage": asdict(report.coverage), "links": [_link(link) for link in report.links]}


def _link(link: LinkVerdict) -> dict[str, object]:
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
        "entries": [
            {"row": e.row, "col": e.col, "stated": e.stated, "exact": e.exact, "decimal": e.decimal}
            for e in link.entries
        ],
        "root": None if link.root is None else {"formula": link.root.formula, "step": link.root.step},
        "readers": link.readers,
        "reason": link.reason,
        "names": list(link.names),
        "slip": link.slip,
    }


def _value(value: Shown | None) -> object:
    return value if value is None or isinstance(value, str) else [list(row) for row in value]
