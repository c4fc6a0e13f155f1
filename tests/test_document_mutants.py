"""Every number on a derived page, changed in one digit: the checker finds each of these slips.

A result's digit is a wrong result; an operand's digit contradicts what is stated elsewhere. All
digits of all numbers of all displays are changed, to the next digit and to 0, not a sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import pytest

import symtrans
from symtrans.check.finding import LinkVerdict
from symtrans.check.judge import judge
from symtrans.document.read import read
from symtrans.document.source import Source
from symtrans.page.telling import tell
from symtrans.page.writers.markdown import write

NUMBER = re.compile(r"(?<![A-Za-z_\d.])\d+(?:\.\d+)?")  # not a subscript's
CHUNKS = 12


@dataclass(frozen=True)
class Mutant:
    """A page with one digit changed, and what was changed."""

    text: str
    before: str
    after: str
    formula: str


@cache
def page() -> str:
    derivation = symtrans.load("handcalc").derive()
    return write(tell(derivation, "array", "en"), derivation)


def mutants() -> Iterator[Mutant | None]:
    """All of them; None for a change that keeps the number."""
    text = page()
    for display in re.finditer(r"\$\$(.*?)\$\$", text):
        for number in NUMBER.finditer(text, display.start(1), display.end(1)):
            for place, digit in enumerate(number[0]):
                for other in (int(digit) + 1, 0) if digit.isdigit() else ():
                    after = f"{number[0][:place]}{other % 10}{number[0][place + 1 :]}"
                    changed = text[: number.start()] + after + text[number.end() :]
                    same = Fraction(after) == Fraction(number[0])
                    yield None if same else Mutant(changed, number[0], after, display[1][:60])


def faults(text: str) -> set[tuple[int, int, str]]:
    """The links that are told as wrong: new faults of value, shape or name, and what inherits them."""

    def is_fault(link: LinkVerdict) -> bool:
        if link.verdict == "FAILS":
            return (link.code or "")[:3] in ("ST1", "ST2", "ST3") and link.level in (None, "error")
        return link.verdict == "INHERITED" and link.level == "error"

    report = judge(read(Source("page.md", text)), readers=1)
    return {(link.formula, link.step, link.verdict) for link in report.links if is_fault(link)}


def test_the_page_itself_has_no_fault() -> None:
    assert faults(page()) == set()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_mutant_is_found(chunk: int) -> None:
    changed = [mutant for mutant in mutants() if mutant is not None]
    assert len(changed) > 700
    missed = [(m.before, m.after, m.formula) for m in changed[chunk::CHUNKS] if not faults(m.text)]
    assert missed == []


def test_changes_that_keep_a_number_are_counted() -> None:
    """They are the zeros that became zeros."""
    displays = re.findall(r"\$\$(.*?)\$\$", page())
    zeros = sum(number.count("0") for display in displays for number in NUMBER.findall(display))
    assert sum(mutant is None for mutant in mutants()) == zeros
