"""`symtrans verify --against EXAMPLE`: a document's named quantities beside a derivation's."""

from __future__ import annotations

from collections.abc import Iterable

from symtrans.check.against import Difference, compare
from symtrans.document.source import Source
from symtrans.language.words import Words


def compared(paths: Iterable[str], example: str, words: Words) -> str:
    """What differs, a line each, for every file in turn; and how many quantities agree."""
    lines: list[str] = []
    for path in paths:
        source = Source.load(path)
        found = compare(source, example)
        lines.append(words.report["against"].format(path=source.path, example=example, same=found.same, all=found.all))
        lines.extend("  " + _line(one, words) for one in found.differences)
        lines.extend("  " + words.report[f"against.{remark}"] for remark in found.remarks)
    return "\n".join(lines) + "\n"


def _line(one: Difference, words: Words) -> str:
    return words.report["against.difference"].format(name=one.name, stated=one.stated, right=one.right, step=one.step)
