"""Running text in LaTeX: what must be escaped, and letters that an English font does not have."""

from __future__ import annotations

from symtrans.page.story import Math, Sentence, Story

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

LAST_LATIN = 0x24F
FIRST_CJK = 0x2E80
TYPOGRAPHIC = "–—‘’“”„†‡•…€™"


def text(words: str) -> str:
    """Running text, escaped."""
    return "".join(ESCAPES.get(character, character) for character in words)


def sentence(pieces: tuple[str | Math, ...]) -> str:
    """Running text with its formulas."""
    return "".join(f"${p.latex}$" if isinstance(p, Math) else text(p) for p in pieces)


def strange_letters(story: Story) -> list[str]:
    """The letters of a page's text that a Latin font does not have, sorted."""
    texts = [story.title]
    for block in story.blocks:
        if isinstance(block, Sentence):
            texts.extend(piece for piece in block.pieces if isinstance(piece, str))
    return sorted({c for c in "".join(texts) if ord(c) > LAST_LATIN and c not in ESCAPES and c not in TYPOGRAPHIC})
