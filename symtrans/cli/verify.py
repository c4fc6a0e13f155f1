"""`symtrans verify`: every equality of documents judged, and mended where that is wanted."""

from __future__ import annotations

import sys
from typing import Any

import click

EPILOG = """\b
Examples:
  symtrans verify notes.md                     judge a page
  symtrans verify notes/ --format sarif        a folder, for a code host
  symtrans verify notes.md -o report.html      the same as a web page
  symtrans verify notes.md --diff              what mending would change
  symtrans verify notes.md --fix               mend it
  symtrans verify - < notes.md                 from the standard input

\b
Exit codes: 0 nothing is wrong; 1 something fails (with --strict also what is undecided or
unreadable); 2 the call or a file is wrong.
"""


@click.command("verify", epilog=EPILOG, short_help="Judge every equality in documents.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--format", "format_name", help="text, html, json or sarif; by default text, or what the ending of -o says."
)
@click.option(
    "--readers", type=click.IntRange(1, 2), default=2, show_default=True, help="1 leaves out the second reader."
)
@click.option("--select", multiple=True, metavar="CODE", help="Only these codes (ST1 means all ST1xx; repeatable).")
@click.option("--ignore", multiple=True, metavar="CODE", help="Not these codes (repeatable).")
@click.option(
    "--level",
    type=click.Choice(["ok", "explained-by-rounding", "last-digit", "error"]),
    default="ok",
    help="Tell only differences of this level or worse.",
)
@click.option(
    "--strict", is_flag=True, help="Undecided and unreadable count as failures, and so does nothing checkable."
)
@click.option("--fix", is_flag=True, help="Rewrite wrong numbers, and carry the corrections through.")
@click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing.")
@click.option("--against", metavar="EXAMPLE", help="Compare the document's quantities with a derivation's.")
@click.option("--baseline", metavar="FILE", help="Leave out the findings that FILE holds.")
@click.option("--write-baseline", metavar="FILE", help="Write the findings to FILE, to be left out later.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="How many files at a time.")
@click.option("--language", default="en", show_default=True, help="The report's language: en or zh.")
@click.option("-o", "--output", metavar="FILE", help="Write the report there instead of to stdout.")
def command(paths: tuple[str, ...], **options: Any) -> None:
    """Judge every equality in documents, and say where and why one fails.

    PATH is a file (Markdown, LaTeX, notebook, HTML, Typst, plain text, ...), a folder, or - for the
    standard input.
    """
    from symtrans.cli.verify_run import run

    sys.exit(run(paths, **options))
