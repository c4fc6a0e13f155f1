"""What a converter is: it makes a file that is no text, a PDF or a Word document, from what a writer wrote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symtrans.page.page_writer import PageWriter, page_writer
from symtrans.page.story import Story
from symtrans.registry import members


@dataclass(frozen=True, slots=True)
class Converter:
    """A format made from another: `convert` gets what the writer called `source` wrote, and the page it tells.

    `convert` raises ConversionError where the program that it drives is not installed or fails.
    `is_paper` where the page's layout matters; what is converted is always a whole document.
    """

    name: str
    endings: tuple[str, ...]
    source: str
    convert: Callable[[str, Story], bytes]
    is_paper: bool = False

    @property
    def writer(self) -> PageWriter:
        """The writer of the text that it starts from."""
        return page_writer(self.source)


def converters() -> dict[str, Converter]:
    """All converters by the name of their format."""
    return members("symtrans.page.converters", "CONVERTER")
