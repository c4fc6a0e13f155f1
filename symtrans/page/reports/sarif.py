"""The report as SARIF 2.1.0, which code hosts show beside the lines; rule ids are stable and sorted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import symtrans
from symtrans.check.finding import LinkVerdict
from symtrans.check.rule import rules
from symtrans.check.verify import FileResult
from symtrans.language.words import Words
from symtrans.page.report import ReportWriter, sentence, worth_telling

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"FAILS": "error", "INHERITED": "warning", "ASSUMED": "note", "UNDECIDED": "note", "UNREADABLE": "note"}


def write(results: Sequence[FileResult], words: Words) -> str:
    """One run with all findings in document order."""
    known = rules()
    order = {code: index for index, code in enumerate(known)}
    findings = [
        _result(result.report.path, link, order, words)
        for result in results
        for link in result.report.links
        if worth_telling(link) and link.code in order
    ]
    driver = {
        "name": "symtrans",
        "version": symtrans.__version__,
        "rules": [
            {"id": code, "shortDescription": {"text": rule.title}, "fullDescription": {"text": rule.help}}
            for code, rule in known.items()
        ],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": findings}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _result(path: str, link: LinkVerdict, order: dict[str, int], words: Words) -> dict[str, Any]:
    assert link.code is not None
    level = LEVELS.get(link.verdict, "note")
    if link.verdict == "FAILS" and link.level != "error" and link.level is not None:
        level = "note"
    region = {"startLine": max(link.line, 1), "startColumn": max(link.column, 1)}
    return {
        "ruleId": link.code,
        "ruleIndex": order[link.code],
        "level": level,
        "message": {"text": sentence(link, words)},
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": quote(PurePath(path).as_posix())}, "region": region}}
        ],
        "partialFingerprints": {
            "symtrans/v1": f"{link.code}:{link.formula}:{link.step}:{link.lhs}{link.rel}{link.rhs}"
        },
    }


REPORT = ReportWriter("sarif", write, (".sarif", ".sarif.json"))
