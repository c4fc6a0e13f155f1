"""Every number on a derived page, changed in one digit: the checker finds each of these slips.

A result's digit is a wrong result; an operand's digit contradicts what is stated elsewhere. All
digits of all numbers of all displays are changed: on a small page to each of the nine other digits,
on the large one to one other digit, and a sample to all others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

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
SAMPLE = 120
SMALL = """
schema = 1
name = "small"
architecture = "attention"

[dimensions]
positions = 2
d_in = 1
d_model = 2
d_k = 1
d_v = 1
heads = 1
d_out = 1

[switches]
weights = "uniform"
scale = "none"

[inputs]
x = [["2"], ["5"]]
y = [["1"], ["0"]]

[parameters]
W_emb = [["1", "3"]]
W_Q = [["2"], ["3"]]
W_K = [["4"], ["7"]]
W_V = [["5"], ["6"]]
W_O = [["9"]]

[loss]
kind = "half_sum_of_squares"

[update]
of = "y_hat"
step = "0.1"
"""


@dataclass(frozen=True)
class Mutant:
    """A page with one digit changed, and what was changed."""

    text: str
    before: str
    after: str
    formula: str


@cache
def page(example: str = "handcalc") -> str:
    derivation = symtrans.load(example).derive()
    return write(tell(derivation, "array", "en"), derivation)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("spec") / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    return page(str(file))


def one_other(digit: int) -> tuple[int, ...]:
    """The next digit where that is odd, else 0: every digit is changed once, the zeros to 1."""
    return ((digit + 1) % 10 if digit % 2 == 0 else 0,)


def all_others(digit: int) -> tuple[int, ...]:
    return tuple(other for other in range(10) if other != digit)


def mutants(text: str, changes: Callable[[int], tuple[int, ...]]) -> Iterator[Mutant]:
    """All of them; another digit is always another number."""
    for display in re.finditer(r"\$\$(.*?)\$\$", text):
        for number in NUMBER.finditer(text, display.start(1), display.end(1)):
            for place, digit in enumerate(number[0]):
                for other in changes(int(digit)) if digit.isdigit() else ():
                    after = f"{number[0][:place]}{other}{number[0][place + 1 :]}"
                    changed = text[: number.start()] + after + text[number.end() :]
                    assert Fraction(after) != Fraction(number[0])
                    yield Mutant(changed, number[0], after, display[1][:60])


def faults(text: str) -> set[tuple[int, int, str]]:
    """The links that are told as wrong: new faults of value, shape or name, and what inherits them."""

    def is_fault(link: LinkVerdict) -> bool:
        if link.verdict == "FAILS":
            return (link.code or "")[:3] in ("ST1", "ST2", "ST3") and link.level in (None, "error")
        return link.verdict == "INHERITED" and link.level == "error"

    report = judge(read(Source("page.md", text)), readers=1)
    return {(link.formula, link.step, link.verdict) for link in report.links if is_fault(link)}


def missed(changed: list[Mutant]) -> list[tuple[str, str, str]]:
    return [(m.before, m.after, m.formula) for m in changed if not faults(m.text)]


def numbers(text: str) -> list[str]:
    displays = re.findall(r"\$\$(.*?)\$\$", text)
    return [number for display in displays for number in NUMBER.findall(display)]


def test_the_page_itself_has_no_fault() -> None:
    assert faults(page()) == set()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_mutant_is_found(chunk: int) -> None:
    changed = list(mutants(page(), one_other))
    assert len(changed) == sum(len(number.replace(".", "")) for number in numbers(page())) > 450
    assert missed(changed[chunk::CHUNKS]) == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_sample_of_the_other_digits_is_found(chunk: int) -> None:
    others = list(mutants(page(), all_others))
    chosen = Random(20_17).sample(others, SAMPLE)
    print(f"{len(chosen)} of {len(others)} changes of one digit")
    assert missed(chosen[chunk::CHUNKS]) == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_digit_as_every_other_one_is_found(small: str, chunk: int) -> None:
    assert faults(small) == set()
    changed = list(mutants(small, all_others))
    digits = sum(number.count("") - 1 - number.count(".") for number in numbers(small))
    print(f"{len(changed)} changes of one digit, nine for each of {digits}")
    assert len(changed) == 9 * digits > 1000
    assert missed(changed[chunk::CHUNKS]) == []
