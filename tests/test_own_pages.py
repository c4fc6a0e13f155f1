"""What `derive` writes, `verify` accepts: every dialect, language and format that can be read back."""

from __future__ import annotations

from itertools import product

import pytest

import symtrans
from symtrans.check.judge import judge
from symtrans.document.read import read
from symtrans.document.source import Source
from symtrans.page.page_writer import page_writer
from symtrans.page.telling import tell

VARIANTS: dict[str, dict[str, object]] = {
    "handcalc": {},
    "head1": {"head": 1},
    "softmax": {"settings": {"weights": "softmax"}},
    "scaled": {"settings": {"weights": "softmax", "scale": "sqrt"}},
    "gradients": {"wrt": ["all"]},
    "softmax-gradients": {"settings": {"weights": "softmax", "scale": "sqrt"}, "wrt": ["all"]},
}


@pytest.mark.parametrize(
    ("variant", "dialect", "language", "kind"), list(product(VARIANTS, ("array", "ams"), ("en", "zh"), ("md", "tex")))
)
def test_our_own_page_holds(variant: str, dialect: str, language: str, kind: str) -> None:
    derivation = symtrans.load("handcalc").derive(**VARIANTS[variant])
    text = page_writer(kind).write(tell(derivation, dialect, language), derivation)
    report = judge(read(Source(f"page.{kind}", text)))
    wrong = [link for link in report.links if link.verdict in ("FAILS", "UNREADABLE", "INHERITED")]
    assert wrong == []
    assert report.coverage.checked >= 10
    assert report.coverage.undecided <= 0.05 * report.coverage.links


@pytest.mark.parametrize(
    ("example", "dialect", "language", "kind"),
    [
        ("encoder", "array", "en", "md"),
        ("encoder-decoder", "ams", "zh", "tex"),
        ("gpt", "array", "zh", "tex"),
        ("llama", "ams", "en", "md"),
        ("bert", "ams", "en", "tex"),
    ],
)
def test_the_page_of_a_transformer_holds(example: str, dialect: str, language: str, kind: str) -> None:
    """Every gradient included: nothing is wrong, and what rounded operands give otherwise is explained by rounding."""
    derivation = symtrans.load(example).derive()
    text = page_writer(kind).write(tell(derivation, dialect, language), derivation)
    report = judge(read(Source(f"page.{kind}", text)))
    odd = [link for link in report.links if link.verdict not in ("HOLDS", "DEFINITION", "FAILS", "UNDECIDED")]
    assert odd == []
    assert [link for link in report.links if link.verdict == "FAILS" and link.level != "explained-by-rounding"] == []
    assert report.coverage.checked >= 150
    assert report.coverage.undecided <= 0.05 * report.coverage.links
