"""A derivation as a page: headings, sentences and formulas in order, in one language, apart from any format."""

from __future__ import annotations

from dataclasses import dataclass

from symtrans.derive.lines import Line
from symtrans.notation.writer import Writer

WIDTH = 100  # of a line of plain text, where no terminal tells another


@dataclass(frozen=True, slots=True)
class Math:
    """LaTeX inside a sentence."""

    latex: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is a part of the solution, 2 an item of a part, 3 a head."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """Running text with mathematics in it."""

    pieces: tuple[str | Math, ...]


@dataclass(frozen=True, slots=True)
class Display:
    """A formula on a line of its own: its LaTeX whole, and cut at its relations for a narrow page."""

    latex: str
    sides: tuple[str, ...]
    relations: tuple[str, ...]
    line: Line


def display(line: Line, writer: Writer) -> Display:
    """A line's formula as the writer spells it."""
    chain = line.claim.chain
    sides = tuple("" if side is None else writer.expression(side) for side in chain.sides)
    relations = tuple(writer.dialect.relations[link.relation] for link in chain.links)
    return Display(writer.chain(chain), sides, relations, line)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text or of numbers, below a row that says what they are.

    `plotted`: the two columns that a picture draws against each other, across and up, or None.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    plotted: tuple[int, int] | None = None


Block = Heading | Sentence | Display | Table


@dataclass(frozen=True, slots=True)
class Layout:
    """How a paper is laid out: a whole document or a part to be put into one, and whether equations have numbers."""

    standalone: bool = False
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """A whole page.

    `width` is how many characters a line takes in a format that has lines, `layout` is for paper;
    `others` are the same page in the other languages, for a format that holds them all.
    """

    title: str
    language: str
    dialect: str
    blocks: tuple[Block, ...]
    width: int = WIDTH
    layout: Layout = Layout()
    others: tuple[Story, ...] = ()
