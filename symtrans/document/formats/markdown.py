"""Markdown, and every text that is nothing else."""

from symtrans.document.format import Format
from symtrans.document.markdown import events

FORMAT = Format(
    name="markdown",
    endings=("md", "markdown", "mdown", "mkd", "txt", "text", "rst", "rmd", "qmd", "org", "adoc"),
    sniff=lambda text: 10,
    read=events,
)
