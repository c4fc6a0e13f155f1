"""Plain text for a terminal: sentences, and every formula drawn in Unicode, no line wider than the page's width."""

from __future__ import annotations

from symtrans.derive.derivation import Derivation
from symtrans.page.drawn import drawn_page
from symtrans.page.page_writer import PageWriter
from symtrans.page.story import Story


def write(story: Story, derivation: Derivation) -> str:
    """The page as text."""
    return drawn_page(story)


WRITER = PageWriter("text", (".txt",), write)
