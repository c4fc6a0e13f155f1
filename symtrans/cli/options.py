"""Options that several commands share: how numbers, formulas and words are written, and where to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from symtrans.cli import completing
from symtrans.errors import UsageError

Command = Callable[..., Any]


def number_options(command: Command) -> Command:
    """`--numbers`, `--digits` and `--full`."""
    command = click.option(
        "--full", is_flag=True, help="Write matrices of more than 12 rows or columns whole, without dots."
    )(command)
    command = click.option(
        "--digits",
        type=click.IntRange(1, 1000),
        default=6,
        show_default=True,
        help="Significant digits of a number that does not terminate.",
    )(command)
    return click.option(
        "--numbers",
        type=click.Choice(["decimal", "fraction"]),
        default="decimal",
        show_default=True,
        help="How numbers are written.",
    )(command)


def page_options(formats: str) -> Callable[[Command], Command]:
    """`--dialect`, `--language`, `--format`, of the formats told, and `-o`."""

    def decorated(command: Command) -> Command:
        command = click.option("-o", "--output", metavar="FILE", help="Write there instead of to stdout.")(command)
        command = click.option(
            "--format",
            "format_name",
            shell_complete=completing.FORMATS,
            help=f"{formats}; by default md, or what the ending of -o says.",
        )(command)
        command = click.option(
            "--language",
            default="en",
            show_default=True,
            shell_complete=completing.LANGUAGES,
            help="The language of the words: en or zh.",
        )(command)
        return click.option(
            "--dialect",
            "dialect_name",
            default="array",
            show_default=True,
            shell_complete=completing.DIALECTS,
            help="How formulas are spelled: array or ams.",
        )(command)

    return decorated


def read_settings(texts: tuple[str, ...], option: str = "--set", example: str = "weights=softmax") -> dict[str, str]:
    """What repeated options KEY=VALUE set; UsageError for one that is not written so."""
    found = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key or not value:
            raise UsageError(f"{option} {text}: a setting is written KEY=VALUE, such as {example}")
        found[key] = value
    return found


def paper_options(command: Command) -> Command:
    """`--standalone` and `--numbered`, which only paper heeds."""
    command = click.option("--numbered", is_flag=True, help="Number the equations of a .tex or .pdf, and label them.")(
        command
    )
    return click.option(
        "--standalone", is_flag=True, help="A whole LaTeX document, not a part that another takes in by \\input."
    )(command)


def plot_option(name: str, what: str) -> Callable[[Command], Command]:
    """`--plot`, of which this command has one picture."""
    return click.option("--plot", metavar="PICTURE", help=f"{name}: draw {what} into the .svg, .png or .pdf of -o.")
