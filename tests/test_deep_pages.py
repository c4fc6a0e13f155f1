"""A page of a whole Transformer layer: every link is judged, soon, and a wrong digit anywhere is found."""

from __future__ import annotations

import re
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import symtrans
from symtrans.check.finding import FileReport
from symtrans.check.judge import judge
from symtrans.derive.derivation import Derivation
from symtrans.document.read import read
from symtrans.document.source import Source
from symtrans.page.telling import tell
from symtrans.page.writers.markdown import write

SPEC = Path(__file__).parent / "data" / "encoder_layer.toml"
SECONDS = 60  # on a busy machine; alone it takes a tenth of that
WHOLE = r"\frac{\partial L}{\partial \mathbf{W}_{K1}}="
DECIMAL = r"(?<![A-Za-z_\d.])-?\d+\.\d{4,}"


@cache
def derivation() -> Derivation:
    return symtrans.load(str(SPEC)).derive(wrt=["all"])


@cache
def page() -> str:
    return write(tell(derivation(), "ams", "en"), derivation())


def judged(text: str, readers: int = 1) -> FileReport:
    return judge(read(Source("page.md", text)), readers)


def test_every_link_of_a_layer_is_judged_soon() -> None:
    begun = time.monotonic()
    report = judged(page(), readers=2)
    assert time.monotonic() - begun < SECONDS
    told = Counter((link.verdict, link.level) for link in report.links)
    assert told.keys() <= {("HOLDS", "ok"), ("FAILS", "explained-by-rounding"), ("DEFINITION", None)}
    assert report.coverage.links >= 300
    assert report.coverage.read_twice >= 100


def test_every_side_is_read_back() -> None:
    result = derivation().read_back("ams")
    assert result.disagreed == []
    assert result.agreed >= 0.85 * result.sides


def changed(number: str, how: str) -> str:
    """The number with its sign, its first or its third digit that counts changed."""
    if how == "sign":
        return number[1:] if number.startswith("-") else f"-{number}"
    counting = [k for k, c in enumerate(number) if c.isdigit() and number[: k + 1].strip("-0.")]
    place = counting[0 if how == "first" else 2]
    return f"{number[:place]}{int(number[place]) % 9 + 1}{number[place + 1 :]}"


@pytest.mark.parametrize(
    ("name", "how"),
    [
        (r"\mathbf{Q}_1=", "third"),
        (r"\text{Attention Output}_2=", "first"),
        (r"\mathbf{Z}_{\text{add\_norm\_1}}=", "sign"),
        (r"\mathbf{F}=", "third"),
        (r"\frac{\partial L}{\partial \mathbf{W}_2}=", "first"),
        (WHOLE, "third"),
    ],
)
def test_a_wrong_digit_is_found_where_it_stands(name: str, how: str) -> None:
    """The last result of a formula is changed: that formula fails, and nothing above it is told.

    The page is judged up to that formula, and the one with the last name whole.
    """
    text = page()
    begin = text.index(f"$${name}")
    end = text.index("$$", begin + 2)
    number = list(re.finditer(DECIMAL, text[begin:end]))[-1]
    start = begin + number.start()
    wrong = text[:start] + changed(number[0], how) + text[start + len(number[0]) :]
    line = text.count("\n", 0, begin) + 1
    if name != WHOLE:
        wrong = wrong[: wrong.index("$$", start) + 2]
    faults = [link for link in judged(wrong).links if link.level == "error"]
    assert any(link.line == line and link.verdict == "FAILS" for link in faults)
    assert min(link.line for link in faults) == line


def test_a_wrong_operand_is_found_where_it_is_copied() -> None:
    text = page()
    begin = text.index(r"$$\mathbf{U}=")
    number = next(re.finditer(DECIMAL, text[begin:]))
    start = begin + number.start()
    wrong = text[:start] + changed(number[0], "third") + text[start + len(number[0]) :]
    line = text.count("\n", 0, begin) + 1
    links = judged(wrong[: wrong.index("$$", start) + 2]).links
    assert any(link.line == line and link.verdict == "FAILS" and link.level == "error" for link in links)


def test_a_name_that_is_known_rounded_explains_a_result() -> None:
    """3000 times 0.841471 and 20 times 12.3457 are 2771.327 in all, and half a unit of x is up to 0.0025 of y."""
    given = (
        r"$$x\approx\begin{bmatrix}0.841471&12.3457\end{bmatrix}$$" "\n\n" r"$$w=\begin{bmatrix}3000\\20\end{bmatrix}$$"
    )
    results = ("2771.327", "2771.328", "2771.350")
    told = [judged(f"{given}\n\n$$y=xw\\approx {stated}$$").links[-1].level for stated in results]
    assert told == ["ok", "explained-by-rounding", "error"]
