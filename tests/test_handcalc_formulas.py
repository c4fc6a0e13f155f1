"""The hand calculation's 33 formulas: as printed by hand, but for the entries that are wrong there."""

from __future__ import annotations

import pytest

import symtrans


def test_thirty_three_formulas_in_order(hand_right: dict[str, str]) -> None:
    assert symtrans.load("handcalc").derive().latex("array") == [
        hand_right[identity] for identity in sorted(hand_right)
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_has_these_displays_and_no_others(language: str, hand_right: dict[str, str]) -> None:
    from symtrans.page.telling import tell
    from symtrans.page.writers.markdown import write

    derivation = symtrans.load("handcalc").derive()
    text = write(tell(derivation, "array", language), derivation)
    displays = [line.removeprefix("$$").removesuffix("$$") for line in text.splitlines() if line.startswith("$$")]
    assert displays == [hand_right[identity] for identity in sorted(hand_right)]
    assert text.count("$$") == 2 * 33
