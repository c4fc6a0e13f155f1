"""PDF, by the TeX that is installed: latexmk, tectonic, XeLaTeX or pdfLaTeX, the first that is found."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from symtrans.errors import ConversionError
from symtrans.page.converter import Converter
from symtrans.page.external import SAME_DAY, run
from symtrans.page.story import Story

PAGE = "page.tex"
QUIET = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")
# A page of ours reads and writes nothing outside its folder, and TeX is told so.
CONFINED = {**SAME_DAY, "openin_any": "p", "openout_any": "p"}
ABSENT = (
    "no {engines} is installed, which makes the PDF; TeX Live has them (on Debian: apt install "
    "texlive-latex-extra texlive-xetex latexmk), or install tectonic"
)
CHINESE = "; Chinese needs texlive-lang-chinese too"


def convert(text: str, story: Story) -> bytes:
    """The PDF of a whole LaTeX document; ConversionError where no engine is installed or none accepts it."""
    chinese = story.language == "zh"
    command = next(commands(chinese), None)
    if command is None:
        engines = "XeLaTeX" if chinese else "TeX engine"
        raise ConversionError(ABSENT.format(engines=engines) + (CHINESE if chinese else ""))
    with tempfile.TemporaryDirectory(prefix="symtrans-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / PAGE).write_text(text, "utf-8")
        run(command, folder, CONFINED)
        made = folder / "page.pdf"
        if not made.is_file():
            raise ConversionError(f"{command[0]} ended without a PDF")
        return made.read_bytes()


def commands(chinese: bool) -> Iterator[tuple[str, ...]]:
    """The commands that can make the PDF here, the best first; Chinese fonts need XeTeX."""
    engines = ["xelatex"] if chinese else ["pdflatex", "xelatex"]
    found = [engine for engine in engines if shutil.which(engine)]
    if shutil.which("latexmk") and found:  # without anybody's settings, which may run programs
        yield ("latexmk", "-norc", "-xelatex" if found[0] == "xelatex" else "-pdf", *QUIET, PAGE)
    if shutil.which("tectonic"):
        yield ("tectonic", "--untrusted", PAGE)
    for engine in reversed(found):
        yield (engine, *QUIET, PAGE)


CONVERTER = Converter("pdf", (".pdf",), "tex", convert, is_paper=True)
