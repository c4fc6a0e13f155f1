"""Benchmarks: the same work done by symtrans and by a peer, each pair measured in turn in one run.

    python tests/benchmarks [--quick] [--only GROUP] [--json FILE] [--before FILE]

prints a Markdown table of ratios. Peers are optional (`pip install symtrans[benchmarks]`); one that is not installed
is named as absent. Times belong to the machine and its load, ratios carry over.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import groups
from measuring import Row

SLOWER = 0.8  # of the ratio before: a fifth is what two runs on a busy machine differ by anyway
COLUMNS = ("group", "work", "ours", "peer", "ours took", "peer took", "ratio", "aim", "outcome")


def names() -> list[str]:
    """The groups, one file each."""
    return sorted(module.name for module in pkgutil.iter_modules(groups.__path__))


def measured(chosen: list[str], quick: bool) -> Iterator[tuple[str, Row]]:
    """Every row of the chosen groups, as it is measured."""
    for name in chosen:
        for row in importlib.import_module(f"groups.{name}").rows(quick):
            yield name, row


def amount(value: float | None, unit: str) -> str:
    """A figure with its unit."""
    if value is None:
        return "–"
    if unit == "s" and value < 0.1:
        value, unit = value * 1000, "ms"
    return f"{value:,.3g} {unit}"


def cells(group: str, row: Row, before: dict[str, Any] | None) -> list[str]:
    """The row as a table shows it; with a table from before, its ratio and how this one stands to it."""
    told = [group, row.work, row.ours, row.peer, amount(row.taken, row.unit), amount(row.beside, row.unit)]
    told += [row.ratio, str(row.aim), row.verdict]
    return told if before is None else [*told, *compared(row, before.get((group, row.work, row.ours, row.peer)))]


def compared(row: Row, earlier: dict[str, Any] | None) -> tuple[str, str]:
    """The earlier ratio, and whether this one is worse by more than chance."""
    if earlier is None or not earlier["factor"] or not row.factor:
        return ("–", "new" if earlier is None else "–")
    change = row.factor / earlier["factor"]
    return earlier["ratio"], "SLOWER" if change < SLOWER else f"{change:.2g} times the factor before"


def line(told: list[str]) -> str:
    """One line of the Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in told) + " |"


def main() -> int:
    """Measure, and print the table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, and none of the peers that take a minute")
    parser.add_argument("--only", action="append", choices=names(), metavar="GROUP", help=", ".join(names()))
    parser.add_argument("--json", metavar="FILE", help="write the table there, too")
    parser.add_argument("--before", metavar="FILE", help="an earlier table of --json, to be shown beside this one")
    options = parser.parse_args()
    before = None
    if options.before:
        stored = json.loads(Path(options.before).read_text("utf-8"))
        before = {tuple(row[key] for key in ("group", "work", "ours", "peer")): row for row in stored["rows"]}
    head = [*COLUMNS, *(() if before is None else ("ratio before", "change"))]
    print(line(head), line(["---"] * len(head)), sep="\n", flush=True)
    kept = []
    for group, row in measured(options.only or names(), options.quick):
        print(line(cells(group, row, before)), flush=True)
        kept.append({"group": group, **asdict(row), "factor": row.factor, "ratio": row.ratio, "met": row.is_met})
    if options.json:
        machine = {"python": platform.python_version(), "cores": os.cpu_count(), "quick": options.quick}
        table = json.dumps({"machine": machine, "rows": kept}, indent=1, ensure_ascii=False)
        Path(options.json).write_text(table + "\n", "utf-8")
    return int(any(row["met"] is False for row in kept))


if __name__ == "__main__":
    sys.exit(main())
