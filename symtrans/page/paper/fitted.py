r"""Displays for a line of unknown width: TeX measures them where they stand, and shrinks what is wider than the line.

The commands are defined in the text itself, under names of its own, and only where they are not yet
there, so that several fragments stand in one document.
"""

from __future__ import annotations

from symtrans.page.paper.widths import width
from symtrans.page.story import Display

ROOM = 50  # characters of print on a line of LaTeX's article as it comes, where a longer chain is cut
LONG_NAME = 10  # characters of a chain's first side below which the relations do not stand in a column
NARROW = 30  # characters that fit even a column of two
COMMANDS = r"""\ifdefined\symtransbox\else\newsavebox{\symtransbox}\fi
\providecommand{\symtranswithin}[1]{\ifdim\wd\symtransbox>\dimexpr#1\relax
  \resizebox{\dimexpr#1\relax}{!}{\usebox{\symtransbox}}\else\usebox{\symtransbox}\fi}
\providecommand{\symtransfit}[2][]{\sbox{\symtransbox}{#2}\if\relax\detokenize{#1}\relax
  \[\symtranswithin{\linewidth}\]\else
  \begin{equation}\label{#1}\symtranswithin{\linewidth-4em}\end{equation}\fi}"""


def is_measured(block: Display, numbered: bool) -> bool:
    """Whether a display may be wider than a line, so that TeX must measure it; a number takes room too."""
    return width(block.latex) > (NARROW * 2 // 3 if numbered else NARROW)


def fitted(block: Display, label: str | None, room: int = ROOM) -> str:
    """A display, cut at its relations where it is wider than the room; with a number where it has a label."""
    formula = block.latex if width(block.latex) <= room else _hung(block) if _is_hung(block) else cut(block)
    if is_measured(block, label is not None):
        return f"\\symtransfit{f'[{label}]' if label else ''}{{$\\displaystyle {formula}$}}"
    if label:
        return f"\\begin{{equation}}\\label{{{label}}}\n{formula}\n\\end{{equation}}"
    return f"\\[{formula}\\]"


def cut(block: Display) -> str:
    """A chain with each relation but the first on a line of its own."""
    if len(block.sides) == 1:
        return block.latex
    rest = [f"&{relation}{side}" for relation, side in zip(block.relations, block.sides[1:], strict=True)]
    lines = [f"{block.sides[0]}{rest[0]}", *rest[1:]]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def _is_hung(block: Display) -> bool:
    """Whether a chain begins with a long name, behind which there would be little room for the rest."""
    return len(block.sides) > 2 and width(block.sides[0]) > LONG_NAME


def _hung(block: Display) -> str:
    """A chain whose later sides stand on lines of their own, a little indented."""
    later = [rf"&\quad {r}{side}" for r, side in zip(block.relations[1:], block.sides[2:], strict=True)]
    lines = [f"&{block.sides[0]}{block.relations[0]}{block.sides[1]}", *later]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"
