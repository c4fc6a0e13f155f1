"""Markdown: the title, and every block as it stands."""

from __future__ import annotations

from symtrans.derive.derivation import Derivation
from symtrans.page.markdown_blocks import block, text
from symtrans.page.page_writer import PageWriter
from symtrans.page.story import Story


def write(story: Story, derivation: Derivation) -> str:
    """The page as Markdown."""
    return "\n\n".join([f"# {text(story.title)}", *(block(one) for one in story.blocks)]) + "\n"


WRITER = PageWriter("md", (".md", ".markdown"), write)
