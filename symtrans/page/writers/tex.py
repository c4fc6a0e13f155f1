r"""LaTeX: a fragment that a paper takes in by `\input`, or a document that compiles as it stands.

Under pdfLaTeX and XeLaTeX in English, under XeLaTeX in Chinese.
"""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.derive.derivation import Derivation
from symtrans.language.words import words
from symtrans.page.page_writer import PageWriter
from symtrans.page.paper.fitted import COMMANDS, cut, fitted, is_measured
from symtrans.page.paper.labels import labels
from symtrans.page.paper.text import FIRST_CJK, sentence, strange_letters, text
from symtrans.page.paper.widths import least, width
from symtrans.page.story import Block, Display, Heading, Sentence, Story, Table

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
NUMBER = 6  # characters that the number of an equation takes
MATRIX_COLUMNS = 40  # that amsmath's matrices, which have ten unless told otherwise, are allowed in any case
LETTER = r"""\providecommand{\symtransletter}[2]{\ifdefined\XeTeXversion#1\else\ifdefined\directlua#1\else
  \fbox{\tiny#2}\fi\fi}"""  # pdfLaTeX has no font for it, and shows its number


def write(story: Story, derivation: Derivation) -> str:
    """The page in its layout."""
    return _document(story) if story.layout.standalone else _fragment(story)


def _fragment(story: Story) -> str:
    """The page for another document, which it leaves as it was but for commands under names of its own."""
    label_of = labels(story.blocks) if story.layout.numbered else {}
    displays = [block for block in story.blocks if isinstance(block, Display)]
    measured = any(is_measured(block, story.layout.numbered) for block in displays)
    packages = ["amsmath", "amssymb"]
    packages += ["graphicx"] if measured else []
    packages += ["booktabs"] if any(isinstance(block, Table) for block in story.blocks) else []
    packages += ["ctex"] if story.language == "zh" else []
    strange = strange_letters(story) if story.language != "zh" else []
    lines = [
        f"% {words(story.language).phrases['fragment']}",
        f"% \\usepackage{{{','.join(packages)}}}",
        *([COMMANDS] if measured else []),
        *([LETTER] if strange else []),
        f"\\ifnum\\value{{MaxMatrixCols}}<{_columns(story)} \\setcounter{{MaxMatrixCols}}{{{_columns(story)}}}\\fi",
        "\\begingroup",
        "\\setlength{\\arraycolsep}{3pt}\\emergencystretch=3em",
    ]
    body = "".join(_joined(story, label_of, strange))
    return "\n".join(lines) + "\n" + body + "\n\\par\\endgroup\n"


def _joined(story: Story, label_of: dict[int, str], strange: list[str]) -> Iterator[str]:
    """The blocks of a fragment: a display belongs to the paragraph before it, whatever else begins one."""
    boxed = {ord(c): f"\\symtransletter{{{c}}}{{{ord(c):04X}}}" for c in strange}
    for place, block in enumerate(story.blocks):
        if isinstance(block, Display):
            yield "\n" + fitted(block, label_of.get(place))
        else:
            yield "\n\n" + _block(block, ROOM).translate(boxed)


def _document(story: Story) -> str:
    """The page as a whole document, on a page turned sideways where displays are very wide."""
    turned = any(isinstance(block, Display) and least(block) > ROOM * TURN for block in story.blocks)
    room = ROOM * LANDSCAPE if turned else ROOM
    if story.layout.numbered:
        label_of = labels(story.blocks)
        blocks = [
            fitted(b, label_of[i], int(room) - NUMBER) if isinstance(b, Display) else _block(b, room)
            for i, b in enumerate(story.blocks)
        ]
    else:
        blocks = [_block(block, room) for block in story.blocks]
    body = "\n\n".join(blocks)
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
        rf"\setcounter{{MaxMatrixCols}}{{{_columns(story)}}}",
        r"\setlength{\arraycolsep}{3pt}",
        r"\setlength{\parindent}{0pt}",
        r"\setlength{\parskip}{\smallskipamount}",
        r"\emergencystretch=4em",
        r"\allowdisplaybreaks",
        f"\\title{{{text(story.title)}}}",
        r"\author{}\date{}",
    ]
    if not chinese:
        lines[5:5] = _fonts(story)
    if any(isinstance(block, Table) for block in story.blocks):
        lines[3:3] = [r"\usepackage{booktabs}"]
    if story.layout.numbered:
        lines[3:3] = [r"\usepackage{graphicx}", COMMANDS]
    elif any(isinstance(block, Display) and _is_shrunk(block, room) for block in story.blocks):
        lines[3:3] = SHRINK
    return "\n".join(lines)


def _columns(story: Story) -> int:
    """At least the columns of the widest matrix."""
    rows = (row for b in story.blocks if isinstance(b, Display) for row in b.latex.split(r"\\"))
    return max(MATRIX_COLUMNS, *(row.count("&") + 1 for row in rows), 0)


def _fonts(story: Story) -> list[str]:
    """What an English page needs for letters of other scripts: a font under XeLaTeX, their number under pdfLaTeX."""
    strange = strange_letters(story)
    declared = "".join(rf"\DeclareUnicodeCharacter{{{ord(c):04X}}}{{\fbox{{\tiny {ord(c):04X}}}}}" for c in strange)
    lines = [rf"\ifxetex\else{declared}\fi"] if strange else []
    if any(ord(c) >= FIRST_CJK for c in strange):
        lines.append(r"\ifxetex\usepackage{xeCJK}\setCJKmainfont{FandolSong-Regular.otf}\fi")
    return lines


def _block(block: Block, room: float) -> str:
    match block:
        case Heading(level, words_told):
            return f"\\{('section', 'subsection', 'subsubsection', 'paragraph')[level - 1]}*{{{text(words_told)}}}"
        case Sentence(pieces):
            return sentence(pieces)
        case Display():
            return _display(block, room)
        case Table(header, rows):
            lines = [" & ".join(text(cell) for cell in cells) + r" \\" for cells in (header, *rows)]
            body = "\n".join([r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"])
            table = f"\\begin{{tabular}}{{{'r' * len(header)}}}\n{body}\n\\end{{tabular}}"
            return f"\\begin{{center}}\n{table}\n\\end{{center}}"


def _display(block: Display, room: float) -> str:
    """A display, cut at its relations where it is wider than the page, and set smaller where a side still is."""
    if width(block.latex) <= room:
        return f"\\[{block.latex}\\]"
    aligned = cut(block)
    if _is_shrunk(block, room):
        return f"{{{SIZES[-1][1]}\n\\shrink{{$\\displaystyle {aligned}$}}\n}}"
    size = next(command for factor, command in SIZES if least(block) <= room * factor)
    return f"{{{size}\n\\[{aligned}\\]\n}}" if size else f"\\[{aligned}\\]"


def _is_shrunk(block: Display, room: float) -> bool:
    """Whether a display is wider than the page in the smallest size, cut as it may be."""
    return least(block) > room * SIZES[-1][0]


WRITER = PageWriter("tex", (".tex",), write, is_paper=True)
