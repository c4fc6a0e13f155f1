"""What `symtrans verify` does once its options are read."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from symtrans.check.choice import Choice, chosen, read_baseline, written_baseline
from symtrans.check.verify import FileResult, Order, unread
from symtrans.check.workers import verify_all
from symtrans.cli.output import write_bytes, write_file
from symtrans.document.collect import collect
from symtrans.errors import UsageError
from symtrans.language.words import words
from symtrans.page.report import report_format_of, report_writer


def run(
    paths: tuple[str, ...],
    *,
    format_name: str | None,
    readers: int,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    level: str,
    strict: bool,
    fix: bool,
    diff: bool,
    against: str | None,
    baseline: str | None,
    write_baseline: str | None,
    jobs: int,
    language: str,
    output: str | None,
) -> int:
    """Judge, report or mend; the exit code."""
    writer = report_writer(format_name or report_format_of(output))
    told = words(language)
    if fix and "-" in paths:
        raise UsageError("--fix cannot rewrite the standard input; --diff prints the change, or give a file")
    if fix and diff:
        raise UsageError("--fix and --diff exclude each other; --diff only prints what --fix would change")
    known = read_baseline(baseline) if baseline else frozenset()
    if against and writer.name != "text":
        given = f"leave out --format {writer.name}" if format_name else f"take another ending than {output} has"
        raise UsageError(f"--against tells its comparison in text; {given}")
    choice = Choice(select, ignore, level, known)
    results = _results(paths, readers, fix or diff, jobs)
    results = [replace(r, report=replace(r.report, links=chosen(r.report, choice))) for r in results]
    if write_baseline:
        write_file(Path(write_baseline), written_baseline(r.report for r in results))
    if diff:
        click.echo("".join(_difference(result) for result in results), nl=False)
        return max(_exit_code(results, strict), int(any(result.mended is not None for result in results)))
    if fix:
        for result in results:
            if result.mended is not None:
                write_bytes(Path(result.report.path), result.mended.encode(result.encoding))
                click.echo(f"symtrans: mended {result.report.path}", err=True)
    text = writer.write(results, told)
    if against:
        from symtrans.cli.verify_against import compared

        text += compared(paths, against, told)
    if output:
        write_file(Path(output), text)
    else:
        click.echo(text, nl=False)
    return _exit_code(results, strict)


def _results(paths: tuple[str, ...], readers: int, mend: bool, jobs: int) -> list[FileResult]:
    """The result of every file, in order; a file that is passed over is told."""
    found = collect(paths)
    orders = [
        Order(one.path, readers, mend, source=one.load() if one.path == "-" else None)
        for one in found
        if not one.skipped
    ]
    with _progress(len(orders)) as advance:
        judged = iter(list(verify_all(orders, jobs, advance)))
    return [unread(one.path, f"passed over: {one.skipped}") if one.skipped else next(judged) for one in found]


class _progress:
    """A bar on stderr for many files, when it is a terminal."""

    def __init__(self, count: int) -> None:
        self.shown = count > 1 and sys.stderr.isatty()
        self.count = count

    def __enter__(self) -> _progress:
        return self

    def __call__(self, done: int) -> None:
        """Show how many files are done."""
        if self.shown:
            click.echo(f"\r{done}/{self.count} files", nl=False, err=True)

    def __exit__(self, *_: object) -> None:
        if self.shown:
            click.echo("\r" + " " * 30 + "\r", nl=False, err=True)


def _difference(result: FileResult) -> str:
    """A unified difference of a file before and after mending."""
    if result.mended is None:
        return ""
    before, after = (text.splitlines(keepends=True) for text in (result.before, result.mended))
    lines = difflib.unified_diff(before, after, result.report.path, result.report.path)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _exit_code(results: Iterable[FileResult], strict: bool) -> int:
    code = 0
    for result in results:
        if result.failed:
            return 2
        links = result.report.links
        if any(link.is_failure for link in links):
            code = 1
        coverage = result.report.coverage
        open_ends = any(link.verdict in ("UNDECIDED", "UNREADABLE") and not link.silenced for link in links)
        if strict and (open_ends or coverage.unreadable or not coverage.checked):
            code = 1
    return code
