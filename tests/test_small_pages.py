"""Small documents in the styles that people write: right numbers raise no alarm, and each wrong one is found.

The numbers of `data/small_pages` were computed with NumPy.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symtrans.check.finding import LinkVerdict
from symtrans.check.judge import judge
from symtrans.document.read import read
from symtrans.document.source import Source

PAGES = sorted((Path(__file__).parent / "data" / "small_pages").glob("*.md"))
NUMBER = re.compile(r"\d+(?:\.\d+)?")
PLAIN = re.compile(r"[\s\d.,\[\]&$()\\-]|begin|end|[bp]matrix|[{}]|approx")


def links(text: str) -> tuple[LinkVerdict, ...]:
    return judge(read(Source("page.md", text))).links


def is_fault(link: LinkVerdict) -> bool:
    return link.verdict in ("FAILS", "INHERITED", "UNREADABLE") and link.level in (None, "error")


def wrong(number: str) -> str:
    """The number with its first digit that counts raised by one."""
    place = next(k for k, c in enumerate(number) if c in "123456789") if re.search("[1-9]", number) else 0
    return f"{number[:place]}{int(number[place]) % 9 + 1}{number[place + 1 :]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_right_numbers_raise_no_alarm(page: Path) -> None:
    told = links(page.read_text("utf-8"))
    assert [link for link in told if is_fault(link) or link.level == "last-digit"] == []
    assert [link for link in told if link.verdict == "UNDECIDED"] == []
    assert any(link.verdict in ("HOLDS", "FAILS") for link in told)


def results(text: str) -> list[tuple[int, int]]:
    """Where the results stand that some link states as numbers: each line's offset and its length."""
    begins = [0, *(m.end() for m in re.finditer("\n", text))]
    found = []
    for link in links(text):
        if link.verdict in ("HOLDS", "FAILS") and not PLAIN.sub("", link.rhs):
            start = begins[link.line - 1] + link.column
            line_end = text.find("\n", start)
            found.append((start, line_end if line_end > 0 else len(text)))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_wrong_result_is_found(page: Path) -> None:
    text = page.read_text("utf-8")
    places = results(text)
    assert places
    for start, end in places:
        number = NUMBER.search(text, start, end)
        assert number is not None
        planted = text[: number.start()] + wrong(number[0]) + text[number.end() :]
        line = text.count("\n", 0, start) + 1
        assert any(is_fault(link) and link.line == line for link in links(planted)), (line, number[0])
