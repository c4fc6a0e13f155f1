"""A page as plain text: headings underlined, sentences filled, every formula drawn, tables in columns."""

from __future__ import annotations

import re
import unicodedata

from symtrans.notation.reader import read
from symtrans.page.drawing import draw
from symtrans.page.report import plain
from symtrans.page.story import Block, Display, Heading, Math, Sentence, Story, Table

UNDERLINES = ("═", "─", "┄")  # by level; below these a heading stands alone


def drawn_page(story: Story) -> str:
    """The page, no line wider than it may be, except for a word that is."""
    return "\n\n".join([_heading(story.title, 0), *(_block(block, story.width) for block in story.blocks)]) + "\n"


def _block(block: Block, width: int) -> str:
    match block:
        case Heading(level, text):
            return _heading(text, level)
        case Sentence(pieces):
            text = "".join(_line(piece.latex) if isinstance(piece, Math) else piece for piece in pieces)
            return filled(text, width)
        case Display():
            return "\n".join(draw(block.line.claim.chain, width))
        case Table(header, rows):
            widths = [max(cells(row[j]) for row in (header, *rows)) for j in range(len(header))]
            lines = [
                "  ".join(" " * (width - cells(cell)) + cell for cell, width in zip(row, widths, strict=True))
                for row in (header, *rows)
            ]
            return "\n".join([lines[0], "─" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]])


def filled(text: str, width: int) -> str:
    """Running text in lines, broken at spaces, and anywhere between Chinese characters."""
    lines = [""]
    for word in re.findall(r"[ -\u2e7f]*? |[ -\u2e7f]+|.", text):
        if lines[-1] and cells(lines[-1] + word.rstrip()) > width:
            lines.append("")
        lines[-1] += word
    return "\n".join(line.rstrip() for line in lines)


def cells(text: str) -> int:
    """How many cells of a terminal a text takes: a Chinese character takes two, a combining mark none."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def _heading(text: str, level: int) -> str:
    """A heading, with a line below that is the stronger the more it holds together."""
    return f"{text}\n{UNDERLINES[level] * cells(text)}" if level < len(UNDERLINES) else text


def _line(latex: str) -> str:
    """A formula within a sentence: drawn where it takes one line, else its LaTeX made lighter."""
    reading = read(latex)
    if reading.troubles or len(reading.chains) != 1:
        return plain(latex)
    lines = draw(reading.chains[0], 1000)
    return lines[0] if len(lines) == 1 else plain(latex)
