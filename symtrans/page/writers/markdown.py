"""Markdown: headings, sentences with `$…$`, and each formula as `$$…$$` on a line of its own."""

from __future__ import annotations

from symtrans.derive.derivation import Derivation
from symtrans.page.page_writer import PageWriter
from symtrans.page.story import Block, Display, Heading, Math, Sentence, Story, Table


def write(story: Story, derivation: Derivation) -> str:
    """The page as Markdown."""
    return "\n\n".join([f"# {_text(story.title)}", *(_block(block) for block in story.blocks)]) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * (level + 1)} {_text(text)}"
        case Sentence(pieces):
            return "".join(f"${p.latex}$" if isinstance(p, Math) else _text(p) for p in pieces)
        case Display(latex):
            return f"$${latex}$$"
        case Table(header, rows):
            lines = [header, ("---",) * len(header), *rows]
            return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _text(text: str) -> str:
    """Running text, in which a dollar sign begins no formula."""
    return text.replace("$", r"\$")


WRITER = PageWriter("md", (".md", ".markdown"), write)
