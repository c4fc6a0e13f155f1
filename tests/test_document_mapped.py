"""Mapped text: every way of making one from another keeps the way back to the source."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from symtrans.document.mapped import Mapped, Weaver


def test_slices_and_replacements_point_back() -> None:
    source = "x &amp; 12 ½ y"
    mapped = Mapped.whole(source).replace(re.compile("&amp;"), lambda _: "&").slice(2, 8)
    assert mapped.text == "& 12 ½"
    assert [mapped.offset_at(i) for i in range(len(mapped.text))] == [2, 7, 8, 9, 10, 11]
    assert mapped.source_span(0, 4) == (2, 10)
    fraction = mapped.replace(re.compile("½"), lambda _: r"\frac{1}{2}")
    assert fraction.source_span(5, 16) == (11, 12)
    assert fraction.source_span(11, 12) is None  # a digit of ours is no stretch of the source
    assert fraction.offset_at(11) == 11
    assert fraction.offset_at(16) == 12


def test_what_was_left_out_makes_a_gap() -> None:
    whole = Mapped.whole("1.>2")
    weaver = Weaver()
    weaver.copy(whole, 0, 2)
    weaver.copy(whole, 3, 4)
    joined = weaver.done()
    assert joined.text == "1.2"
    assert joined.source_span(0, 3) is None
    assert joined.source_span(2, 3) == (3, 4)


@given(st.text(alphabet="ab1&x", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_copied_characters_are_the_sources(text: str, start: int, end: int) -> None:
    mapped = Mapped.whole(text).replace(re.compile("&"), lambda _: "AND").slice(start, end)
    for index, character in enumerate(mapped.text):
        if mapped.is_copied(index):
            assert text[mapped.offset_at(index)] == character
            assert mapped.source_span(index, index + 1) == (mapped.offset_at(index), mapped.offset_at(index) + 1)
        else:
            assert text[mapped.offset_at(index)] == "&"
    assert len(mapped.strip().text) == len(mapped.text.strip())
