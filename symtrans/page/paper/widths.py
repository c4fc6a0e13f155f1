"""About how wide a formula prints: enough to decide where a display is cut, before TeX measures it."""

from __future__ import annotations

import re

from symtrans.page.story import Display


def least(block: Display) -> int:
    """The width of a display that is cut at its relations."""
    return width(block.sides[0]) + max((width(side) for side in block.sides[1:]), default=0)


def width(latex: str) -> int:
    """About how many characters wide a formula prints: a matrix is as wide as its widest cells together."""

    def matrix(found: re.Match[str]) -> str:
        rows = [row.split("&") for row in re.split(r"\\\\", found[1])]
        columns = max(len(row) for row in rows)
        cells = [max((len(_plain(row[i])) for row in rows if i < len(row)), default=0) for i in range(columns)]
        return "[" + "x" * (sum(cells) + 9 * columns // 10) + "]"

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
