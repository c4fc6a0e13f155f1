"""Long statements of a Python script broken into lines that fit, inside brackets."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

WIDTH = 88
GLUE = "\0"  # stands for a space at which no line is broken


def assignment(name: str, expression: str) -> str:
    """`name = expression`, in brackets and broken before its operators where it is too long."""
    line = f"{name} = {expression}"
    return line if len(line) <= WIDTH else f"{name} = (\n{_wrapped(expression)}\n)"


def matrix(rows: Sequence[Sequence[str]], before: str, after: str) -> str:
    """A matrix as nested lists between two texts: on one line, or with a line for each of its rows."""
    told = ["[" + ", ".join(row) + "]" for row in rows]
    line = f"{before}[{', '.join(told)}]{after}"
    if max(len(part) for part in line.split("\n")) <= WIDTH:
        return line
    return "\n".join([f"{before}[", *(_row(row) for row in told), f"]{after}"])


def comment(text: str) -> str:
    """A comment of as many lines as it needs; what is not printable is left out."""
    return "\n".join(f"# {line}" for line in textwrap.wrap(printable(text), WIDTH - 2)) or "#"


def printable(text: str) -> str:
    """A text on one line, without characters that could end it."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _row(row: str) -> str:
    if len(row) + 5 <= WIDTH:
        return f"    {row},"
    return f"    [\n{textwrap.indent(textwrap.fill(row[1:-1] + ',', WIDTH - 8), ' ' * 8)}\n    ],"


def _wrapped(expression: str) -> str:
    """Broken before operators, or at every space where that leaves a line too long."""
    glued = re.sub(r" ([-+*/@]|\*\*) ", rf" \1{GLUE}", re.sub(r"([,:\[(]) ", rf"\1{GLUE}", expression))
    glued = glued.replace(" ** ", f"{GLUE}**{GLUE}").replace(f" **{GLUE}", f"{GLUE}**{GLUE}")
    for text in (glued, expression):
        lines = textwrap.wrap(text, WIDTH - 4, break_long_words=False, break_on_hyphens=False)
        if all(len(line) <= WIDTH - 4 for line in lines):
            break
    return "\n".join("    " + line.replace(GLUE, " ") for line in lines)
