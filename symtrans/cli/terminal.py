"""What a terminal is given: lines as wide as it is, and colours, unless NO_COLOR asks for none."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace

import click

from symtrans.page.story import WIDTH, Story

LEAST = 40  # characters in which a small matrix has room
HEADINGS = {"═": ("bright_cyan", True), "─": ("cyan", True), "┄": ("cyan", False)}


def fitted(story: Story, output: str | None) -> Story:
    """The page with lines as wide as the terminal that it is printed on; a file's are always the same."""
    if output is not None or not sys.stdout.isatty():
        return story
    return replace(story, width=max(LEAST, shutil.get_terminal_size((WIDTH, 24)).columns))


def show(text: str) -> None:
    """Print a page; on a terminal the underlined headings of plain text have colours."""
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        text = "\n".join(_coloured(text.split("\n")))
    click.echo(text, nl=False)


def _coloured(lines: list[str]) -> Iterator[str]:
    """A line is a heading where the next one is its underline."""
    below = ""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        mark = following[:1]
        is_heading = mark in HEADINGS and set(following) == {mark} and line.strip() and not line.startswith(" ")
        if is_heading or (below and set(line) == {below}):
            colour, bold = HEADINGS[below if not is_heading else mark]
            yield click.style(line, fg=colour, bold=bold)
        else:
            yield line
        below = mark if is_heading else ""
