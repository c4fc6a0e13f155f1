"""The blocks of a page as Markdown: headings, sentences with `$…$`, each formula as `$$…$$` on a line of its own."""

from __future__ import annotations

from symtrans.page.story import Block, Display, Heading, Math, Sentence, Table


def block(one: Block) -> str:
    """A block; headings stand one level below the page's title."""
    match one:
        case Heading(level, words):
            return f"{'#' * (level + 1)} {text(words)}"
        case Sentence(pieces):
            return "".join(f"${_inert(p.latex)}$" if isinstance(p, Math) else text(p) for p in pieces)
        case Display(latex):
            return f"$${latex}$$"
        case Table(header, rows):
            lines = [header, ("---",) * len(header), *rows]
            return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


# A notebook that is trusted carries out the HTML of its Markdown, and so does whoever converts a page.
INERT = str.maketrans({"$": r"\$", "<": "&lt;"})


def text(words: str) -> str:
    """Running text, in which a dollar sign begins no formula, and there are neither tags nor links."""
    return words.translate(INERT).replace("](", "]&#40;").replace("]:", "]&#58;")


def _inert(latex: str) -> str:
    """A formula that holds no tag for a reader who knows of no formulas."""
    return latex.replace("<", r"\lt ")
