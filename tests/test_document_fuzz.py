"""Ten thousand damaged documents a run: every one is answered, none with a traceback, all links accounted for."""

from __future__ import annotations

import random

import pytest

from symtrans.check.judge import judge
from symtrans.document.read import read
from symtrans.document.source import Source

CHUNKS, EACH = 20, 500
ENDINGS = ("md", "tex", "html", "typ", "ipynb", "xml", "mdx", "jsx", "txt", "unknown")
GOOD = (
    "# Title\n\n$$A=\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}$$\n\nthen $A^T A = [[10, 14], [14, 20]]$ and so on.\n",
    "\\[\\left[\\begin{array}{cc}1& 2\\end{array}\\right]"
    "\\left[\\begin{array}{c}3\\\\ 4\\end{array}\\right]=11\\]\n% note\n",
    "1×0.5 + 2×0.7 = 1.9\n\nsoftmax([1, 2]) ≈ [0.27, 0.73]\n\n- x = 3\n- 2 x = 6\n",
    "<p>\\(x=\\frac{1}{3}\\approx 0.33\\)</p><math><mn>1</mn><mo>+</mo><mn>1</mn><mo>=</mo><mn>2</mn></math>",
    '{"cells":[{"cell_type":"markdown","source":["$1+1=2$\\n"]}],"nbformat":4}',
    "$ mat(1, 2; 3, 4) vec(1, 1) = vec(3, 7) $\n\n$ 1/2 dot 4 = 2 $",
    "$$L=\\frac{1}{2}\\sum (\\hat{y}-y{)}^2=\\frac{1}{2}\\times 26.805=13.4025$$\n\n假设 $W\\approx 0.5$\n",
)
PIECES = (
    "$", "$$", "\\", "{", "}", "[", "]", "(", ")", "=", "≈", "&", "\\\\", "^", "_", "\\frac", "\\sqrt", "\\sum", "9",
    "0.", "1e9", "\\begin{array}{c}", "\\end{array}", "\\left", "\\right", "<", ">", "`", "\n", "\n\n", "|", "½",
    "ᵀ", "√", "−", "\0", "\ud7ff", "^{9^{9^9}}", "/0", "softmax", "\\infty", "%", "#", "- ", "T",
)  # fmt: skip


def damaged(chance: random.Random) -> str:
    """A good document with a few pieces put in, taken out, repeated or exchanged."""
    text = chance.choice(GOOD)
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(text) + 1)
        match chance.randrange(4):
            case 0:
                text = text[:place] + chance.choice(PIECES) + text[place:]
            case 1:
                text = text[:place] + text[place + chance.randint(1, 8) :]
            case 2:
                text = text[:place] + text[place : place + chance.randint(1, 20)] * 2 + text[place:]
            case _:
                text = text[:place] + chance.choice(GOOD)[: chance.randint(1, 40)] + text[place:]
    return text


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_damaged_documents_are_answered(chunk: int) -> None:
    chance = random.Random(chunk)
    for number in range(EACH):
        path = f"{number}.{chance.choice(ENDINGS)}"
        text = damaged(chance)
        report = judge(read(Source(path, text)), readers=1)
        counts = report.coverage
        assert counts.links == len(report.links), text
        assert counts.read <= counts.formulas, text
    assert CHUNKS * EACH == 10_000
