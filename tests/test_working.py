"""Workings as plain text: what a person would jot down."""

from __future__ import annotations

import pytest

from symtrans.check.working import plain
from symtrans.page.verification import verify


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"3\times 0.2+4\times 0.6", "3·0.2 + 4·0.6"),
        (r"\frac{1}{2}", "1/2"),
        (r"\frac{e^{5.96}}{e^{5.96}+e^{13.08}}", "e^5.96/(e^5.96 + e^13.08)"),
        (r"-\frac{\log(0.67)}{\log(2)}", "-log(0.67)/log(2)"),
        (r"\sqrt{1.25}", "√1.25"),
        (r"\frac{1-2.5}{\sqrt{1.25}}", "(1-2.5)/√1.25"),
        (r"e^{-2}", "e^(-2)"),
        (r"\left(2.7-1\right)^2", "(2.7-1)^2"),
        (r"\operatorname{ReLU}(-3)", "ReLU(-3)"),
    ],
)
def test_a_working_reads_as_on_paper(latex: str, text: str) -> None:
    assert plain(latex) == text


@pytest.mark.parametrize(
    ("equality", "working"),
    [
        (r"$\frac{1}{3}=0.34$", "1/3 ≈ 0.3333333333"),
        (r"$\sqrt{2}\times 2=2.81$", "√2(2) ≈ 2.828427125"),
        (r"$\frac{1}{4}=0.24$", "1/4 = 0.25"),
        (r"$3\times 0.2+4\times 0.6=3.2$", "3·0.2 + 4·0.6 = 3"),
    ],
)
def test_a_working_is_an_equality_only_where_its_decimal_is_the_value(equality: str, working: str) -> None:
    assert list(verify(equality).result.workings.values()) == [(working,)]
