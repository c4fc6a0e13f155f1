"""The web page: one file in all languages, with MathML, that opens from disk and asks for nothing else."""

from __future__ import annotations

from symtrans.page.page_writer import PageWriter
from symtrans.page.web.solution import solution

WRITER = PageWriter("html", (".html", ".htm"), solution, in_every_language=True)
