"""A Word document, by pandoc, which makes real equations of the Markdown's formulas."""

from __future__ import annotations

import tempfile
from pathlib import Path

from symtrans.errors import ConversionError
from symtrans.page.converter import Converter
from symtrans.page.external import installed, run
from symtrans.page.story import Story

# A page's text is no program: no HTML and no TeX outside formulas, and no picture that would be fetched.
READ_AS = "markdown-raw_html-raw_tex-yaml_metadata_block-pandoc_title_block-citations"
NO_PICTURES = "function Image (picture) return picture.caption end\n"
ABSENT = "pandoc is not installed, which makes the Word document; on Debian: apt install pandoc, elsewhere: pandoc.org"


def convert(text: str, story: Story) -> bytes:
    """The .docx of a Markdown page; ConversionError where pandoc is not installed or cannot read a formula."""
    if installed("pandoc") is None:
        raise ConversionError(ABSENT)
    with tempfile.TemporaryDirectory(prefix="symtrans-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "page.md").write_text(text, "utf-8")
        (folder / "pictures.lua").write_text(NO_PICTURES, "utf-8")
        # A formula that it cannot convert is a warning to pandoc, and would stand as TeX on the page.
        options = ("--lua-filter=pictures.lua", "--fail-if-warnings", f"--metadata=lang:{story.language}")
        run(("pandoc", "page.md", f"--from={READ_AS}", "--to=docx", "--output=page.docx", *options), folder)
        made = folder / "page.docx"
        if not made.is_file():
            raise ConversionError("pandoc ended without a Word document")
        return made.read_bytes()


CONVERTER = Converter("docx", (".docx",), "md", convert)
