"""The hand calculation's 33 formulas: as printed by hand, but for the entries that are wrong there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import symtrans

PRINTED: dict[str, str] = json.loads((Path(__file__).parent / "data" / "handcalc_printed.json").read_text("utf-8"))

# Worked out by hand from the inputs: (wrong, right), replaced everywhere in the formula.
W_O = r"\left[\begin{array}{cc}1& 0\\ 0& 1" + r"\\ 0& 0" * 10 + r"\end{array}\right]"
HEADS = r"2.75& 3.3& 3.85& 4.4", r"2.7& 3.2& 3.7& 4.2"
PREDICTED = r"2.75& 3.3\\ 2.75& 3.3", r"2.7& 3.2\\ 2.7& 3.2"
CORRECTIONS: dict[str, list[tuple[str, str]]] = {
    "F06": [(PRINTED["F06"].split("=", 1)[1], W_O)],
    "F10": [("3.2& 4.1& 5.0& 5.9", "3.0& 3.7& 4.4& 5.1")],
    "F11": [("3.8& 4.6& 5.4& 6.2", "3.7& 4.4& 5.1& 5.8")],
    "F18": [
        (r"1.4& 3.2\\ 1.7& 4.1\\ 2.0& 5.0\\ 2.3& 5.9", r"1.4& 3.0\\ 1.7& 3.7\\ 2.0& 4.4\\ 2.3& 5.1"),
        (r"12.8& 31.8\\ 28.6& 72.6", r"11.92& 26.16\\ 25.84& 56.72"),
    ],
    "F24": [("3.8& 4.6& 5.4& 6.2", "3.7& 4.4& 5.1& 5.8"), HEADS],
    "F27": [HEADS],
    "F28": [HEADS, PREDICTED],
    "F29": [("2.75", "2.7"), ("3.3", "3.2")],
    "F30": [("3.0625+10.89+7.5625+5.29", "2.89+10.24+7.29+4.84"), ("26.805", "25.26"), ("13.4025", "12.63")],
    "F31": [
        (r"2.75-1& 3.3-0\\ 2.75-0& 3.3-1", r"2.7-1& 3.2-0\\ 2.7-0& 3.2-1"),
        (r"1.75& 3.3\\ 2.75& 2.3", r"1.7& 3.2\\ 2.7& 2.2"),
    ],
    "F32": [PREDICTED, (r"1.75& 3.3\\ 2.75& 2.3", r"1.7& 3.2\\ 2.7& 2.2")],
    "F33": [(r"2.575& 2.97\\ 2.475& 3.07", r"2.53& 2.88\\ 2.43& 2.98")],
}


def right(identity: str) -> str:
    text = PRINTED[identity]
    for wrong, better in CORRECTIONS.get(identity, []):
        assert wrong in text, (identity, wrong)
        text = text.replace(wrong, better)
    return text


def test_thirty_three_formulas_in_order() -> None:
    assert symtrans.load("handcalc").derive().latex("array") == [right(identity) for identity in sorted(PRINTED)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_has_these_displays_and_no_others(language: str) -> None:
    from symtrans.page.telling import tell
    from symtrans.page.writers.markdown import write

    derivation = symtrans.load("handcalc").derive()
    text = write(tell(derivation, "array", language), derivation)
    displays = [line.removeprefix("$$").removesuffix("$$") for line in text.splitlines() if line.startswith("$$")]
    assert displays == [right(identity) for identity in sorted(PRINTED)]
    assert text.count("$$") == 2 * 33
