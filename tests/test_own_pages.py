"""What `derive` writes, `verify` accepts: every dialect, language and format that can be read back."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

import symtrans
from symtrans.check.judge import judge
from symtrans.derive.derivation import Derivation
from symtrans.document.read import read
from symtrans.document.source import Source
from symtrans.page.page_writer import page_writer
from symtrans.page.story import Layout
from symtrans.page.telling import tell

VARIANTS: dict[str, dict[str, object]] = {
    "handcalc": {},
    "head1": {"head": 1},
    "softmax": {"settings": {"weights": "softmax"}},
    "scaled": {"settings": {"weights": "softmax", "scale": "sqrt"}},
    "gradients": {"wrt": ["all"]},
    "softmax-gradients": {"settings": {"weights": "softmax", "scale": "sqrt"}, "wrt": ["all"]},
}


def written(derivation: Derivation, dialect: str, language: str, kind: str, layout: Layout) -> str:
    return page_writer(kind).write(replace(tell(derivation, dialect, language), layout=layout), derivation)


LAYOUTS = {"md": Layout(), "tex": Layout(standalone=True), "fragment": Layout(), "numbered": Layout(numbered=True)}


@pytest.mark.parametrize(
    ("variant", "dialect", "language", "kind"),
    [
        *product(VARIANTS, ("array", "ams"), ("en", "zh"), ("md", "tex")),
        *(
            ("softmax-gradients", *words, kind)
            for words in (("array", "en"), ("ams", "zh"))
            for kind in ("fragment", "numbered")
        ),
    ],
)
def test_our_own_page_holds(variant: str, dialect: str, language: str, kind: str) -> None:
    derivation = symtrans.load("handcalc").derive(**VARIANTS[variant])
    ending = "md" if kind == "md" else "tex"
    text = written(derivation, dialect, language, ending, LAYOUTS[kind])
    report = judge(read(Source(f"page.{ending}", text)))
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
    text = written(derivation, dialect, language, kind, Layout())
    report = judge(read(Source(f"page.{kind}", text)))
    odd = [link for link in report.links if link.verdict not in ("HOLDS", "DEFINITION", "FAILS", "UNDECIDED")]
    assert odd == []
    assert [link for link in report.links if link.verdict == "FAILS" and link.level != "explained-by-rounding"] == []
    assert report.coverage.checked >= 150
    assert report.coverage.undecided <= 0.05 * report.coverage.links
