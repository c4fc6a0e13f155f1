r"""LaTeX that compiles as it stands: under pdfLaTeX and XeLaTeX in English, under XeLaTeX in Chinese."""

from __future__ import annotations

import re

from symtrans.derive.derivation import Derivation
from symtrans.page.page_writer import PageWriter
from symtrans.page.story import Block, Display, Heading, Math, Sentence, Story, Table

ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "≈": r"$\approx$",
    "½": r"$\frac{1}{2}$",
    "×": r"$\times$",
    "ŷ": r"$\hat{y}$",
    "-": "{-}",
}

ROOM = 62  # characters of print, at text size, that fit between the margins
LANDSCAPE = 1.6  # how many more fit on a page turned sideways
TURN = 1.85  # and how many times as wide a display may be before the page is turned
SIZES = ((1.0, ""), (1.25, r"\small"), (1.5, r"\footnotesize"))
SHRINK = (  # what no size makes room for is measured by TeX, and set as much smaller as it must be
    r"\usepackage{graphicx}",
    r"\newsavebox{\wide}",
    r"\newcommand{\shrink}[1]{\sbox{\wide}{#1}\centerline"
    r"{\ifdim\wd\wide>\linewidth\resizebox{\linewidth}{!}{\usebox{\wide}}\else\usebox{\wide}\fi}}",
)

MATRIX_COLUMNS = 40  # that amsmath's matrices are allowed in any case
LAST_LATIN = 0x24F
FIRST_CJK = 0x2E80
TYPOGRAPHIC = "–—‘’“”„†‡•…€™"


def write(story: Story, derivation: Derivation) -> str:
    """The page as a standalone document."""
    turned = any(isinstance(block, Display) and _least(block) > ROOM * TURN for block in story.blocks)
    room = ROOM * LANDSCAPE if turned else ROOM
    body = "\n\n".join(_block(block, room) for block in story.blocks)
    return f"{_preamble(story, turned, room)}\n\\begin{{document}}\n\\maketitle\n\n{body}\n\n\\end{{document}}\n"


def _preamble(story: Story, turned: bool, room: float) -> str:
    chinese = story.language == "zh"
    lines = [
        r"\documentclass[a4paper,11pt]{article}",
        r"\usepackage{ifxetex}",
        r"\usepackage{amsmath,amssymb}",
        r"\usepackage[margin=15mm,landscape]{geometry}" if turned else r"\usepackage[margin=22mm]{geometry}",
        r"\usepackage[fontset=fandol]{ctex}"
        if chinese
        else r"\ifxetex\else\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\fi",
        rf"\setcounter{{MaxMatrixCols}}{{{max(MATRIX_COLUMNS, _most_columns(story))}}}",
        r"\setlength{\arraycolsep}{3pt}",
        r"\setlength{\parindent}{0pt}",
        r"\setlength{\parskip}{\smallskipamount}",
        r"\emergencystretch=4em",
        r"\allowdisplaybreaks",
        f"\\title{{{_text(story.title)}}}",
        r"\author{}\date{}",
    ]
    if not chinese:
        lines[5:5] = _strange_letters(story)
    if any(isinstance(block, Display) and _is_shrunk(block, room) for block in story.blocks):
        lines[3:3] = SHRINK
    return "\n".join(lines)


def _most_columns(story: Story) -> int:
    """At least the columns of the widest matrix."""
    rows = (row for b in story.blocks if isinstance(b, Display) for row in b.latex.split(r"\\"))
    return max((row.count("&") + 1 for row in rows), default=0)


def _strange_letters(story: Story) -> list[str]:
    """What an English page needs for letters of other scripts: a font under XeLaTeX, their number under pdfLaTeX."""
    texts = [story.title]
    for block in story.blocks:
        if isinstance(block, Sentence):
            texts.extend(piece for piece in block.pieces if isinstance(piece, str))
    strange = sorted({c for c in "".join(texts) if ord(c) > LAST_LATIN and c not in ESCAPES and c not in TYPOGRAPHIC})
    declared = "".join(rf"\DeclareUnicodeCharacter{{{ord(c):04X}}}{{\fbox{{\tiny {ord(c):04X}}}}}" for c in strange)
    lines = [rf"\ifxetex\else{declared}\fi"] if strange else []
    if any(ord(c) >= FIRST_CJK for c in strange):
        lines.append(r"\ifxetex\usepackage{xeCJK}\setCJKmainfont{FandolSong-Regular.otf}\fi")
    return lines


def _block(block: Block, room: float) -> str:
    match block:
        case Heading(level, text):
            return f"\\{('section', 'subsection', 'subsubsection', 'paragraph')[level - 1]}*{{{_text(text)}}}"
        case Sentence(pieces):
            return "".join(f"${p.latex}$" if isinstance(p, Math) else _text(p) for p in pieces)
        case Display():
            return _display(block, room)
        case Table(header, rows):
            lines = [" & ".join(_text(cell) for cell in cells) + r" \\" for cells in (header, *rows)]
            body = "\n".join([lines[0], r"\hline", *lines[1:]])
            columns = "r" * len(header)
            table = f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}"
            return f"\\begin{{center}}\n{table}\n\\end{{center}}"


def _display(block: Display, room: float) -> str:
    """A display, cut at its relations where it is wider than the page, and set smaller where a side still is."""
    if width(block.latex) <= room:
        return f"\\[{block.latex}\\]"
    first = block.sides[0]
    rest = [f"&{relation}{side}" for relation, side in zip(block.relations, block.sides[1:], strict=True)]
    lines = [f"{first}{rest[0]}", *rest[1:]]
    aligned = "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"
    if _is_shrunk(block, room):
        return f"{{{SIZES[-1][1]}\n\\shrink{{$\\displaystyle {aligned}$}}\n}}"
    size = next(command for factor, command in SIZES if _least(block) <= room * factor)
    return f"{{{size}\n\\[{aligned}\\]\n}}" if size else f"\\[{aligned}\\]"


def _is_shrunk(block: Display, room: float) -> bool:
    """Whether a display is wider than the page in the smallest size, cut as it may be."""
    return _least(block) > room * SIZES[-1][0]


def _least(block: Display) -> float:
    """The width of a display that is cut at its relations."""
    return width(block.sides[0]) + max((width(side) for side in block.sides[1:]), default=0)


def width(latex: str) -> float:
    """About how many characters wide a formula prints: a matrix is as wide as its widest cells together."""

    def matrix(found: re.Match[str]) -> str:
        rows = [row.split("&") for row in re.split(r"\\\\", found[1])]
        columns = max(len(row) for row in rows)
        cells = [max((len(_plain(row[i])) for row in rows if i < len(row)), default=0) for i in range(columns)]
        return "[" + "x" * int(sum(cells) + 0.9 * columns) + "]"

    text = re.sub(r"\\begin\{array\}\{c+\}(.*?)\\end\{array\}", matrix, latex, flags=re.S)
    text = re.sub(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", matrix, text, flags=re.S)
    return len(_plain(text))


def _plain(latex: str) -> str:
    """The characters that a formula prints, roughly."""
    text = re.sub(
        r"\\frac\{((?:[^{}]|\{[^{}]*\})*)\}\{((?:[^{}]|\{[^{}]*\})*)\}", lambda m: max(m[1], m[2], key=len), latex
    )
    text = re.sub(r"\\(?:left|right|mathbf|text|hat|displaystyle)\b", "", text)
    text = re.sub(r"\\[cd]dots", "xxx", text)
    text = re.sub(r"\\[a-zA-Z]+ ?", "x", text)
    return re.sub(r"[{}_^\\ ]", "", text)


def _text(text: str) -> str:
    return "".join(ESCAPES.get(character, character) for character in text)


WRITER = PageWriter("tex", (".tex",), write)
