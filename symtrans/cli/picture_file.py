"""`--plot`: a picture in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symtrans.cli.output import write_file
from symtrans.errors import UsageError
from symtrans.page.picture import drawn


def write_picture(
    name: str, subject: Any, format_name: str | None, output: str | None, language: str, *, on_paper: bool
) -> None:
    """Draw a derivation or a training into the file of `-o`, as its ending or `--format` says.

    Raises UsageError where there is no file, or options for paper are given, which a picture does not heed.
    """
    if on_paper:
        raise UsageError(f"--plot {name}: --standalone and --numbered are for LaTeX and PDF pages; leave them out")
    if output is None:
        raise UsageError(f"--plot {name}: a picture needs a file; give one with -o FILE.svg, .png or .pdf")
    path = Path(output)
    write_file(path, drawn(name, subject, format_name or path.suffix.lower().removeprefix("."), language))
