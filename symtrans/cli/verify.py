"""`symtrans verify PATH…`: judge every equality of documents."""

from __future__ import annotations

import click

from symtrans.check.finding import FileReport
from symtrans.cli.verify_json import as_json


@click.command("verify")
@click.argument("paths", nargs=-1, required=True)
@click.option("--format", "kind", type=click.Choice(["json"]), default="json", show_default=True)
@click.option("--readers", type=click.IntRange(1, 2), default=2, show_default=True, help="1 leaves the second reader out.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], kind: str, readers: int) -> None:
    """Read documents, judge every equality in them, say where and why."""
    from symtrans.check.file import check_file
    from symtrans.document.collect import collect

    reports: list[FileReport] = [check_file(found.path, readers) for found in collect(paths) if not found.skipped]
    click.echo(as_json(reports))
    wrong = any(link.level == "error" and not link.silenced for report in reports for link in report.fails)
    ctx.exit(1 if wrong else 0)
