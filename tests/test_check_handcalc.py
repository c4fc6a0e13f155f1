"""The hand calculation as it was printed, with its slips: what is a new fault, what inherits, what is mended."""

from __future__ import annotations

import pytest

from symtrans.check.finding import FileReport, Root
from symtrans.check.judge import judge
from symtrans.check.mend import mended
from symtrans.document.read import read
from symtrans.document.source import Source

K, V, SCORES = Root(10, 3), Root(11, 3), Root(18, 3)


def page(formulas: dict[str, str]) -> str:
    """The formulas as displays, in order, with the words that an assumption needs."""
    words = {"F21": "Assume equal weights; the softmax is left out.", "F24": "Then:"}
    lines = [
        f"{words[number]}\n\n$${text}$$" if number in words else f"$${text}$$" for number, text in formulas.items()
    ]
    return "\n\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def report(hand_printed: dict[str, str]) -> FileReport:
    return judge(read(Source("page.md", page(hand_printed))))


def test_three_values_do_not_follow_from_their_operands(report: FileReport) -> None:
    wrong = {
        (x.formula, x.step): [(e.row, e.col, e.exact) for e in x.entries] for x in report.fails if x.code == "ST101"
    }
    assert wrong == {
        (10, 3): [(2, 1, "3"), (2, 2, "37/10"), (2, 3, "22/5"), (2, 4, "51/10")],
        (11, 3): [(2, 1, "37/10"), (2, 2, "22/5"), (2, 3, "51/10"), (2, 4, "29/5")],
        (18, 3): [(1, 1, "298/25"), (1, 2, "739/25"), (2, 1, "646/25"), (2, 2, "1603/25")],
    }


def test_the_output_weights_have_another_shape_than_declared(report: FileReport) -> None:
    assert [(x.formula, x.level) for x in report.fails if (x.code or "").startswith("ST2")] == [(28, "error")]
    assert len(report.fails) == 4


def test_the_other_heads_inherit_the_scores(report: FileReport) -> None:
    errors = [(x.formula, x.step, x.root) for x in report.links if (x.verdict, x.level) == ("INHERITED", "error")]
    assert errors == [(19, 2, SCORES), (20, 2, SCORES)]


def test_nineteen_formulas_are_wrong_in_truth_each_with_its_root(report: FileReport) -> None:
    wrong: dict[int, set[Root]] = {}
    for link in report.links:
        own = Root(link.formula, link.step) if link.verdict == "FAILS" and link.code == "ST101" else link.root
        if own is not None:
            wrong.setdefault(link.formula, set()).add(own)
    assert sorted(wrong) == [10, 11, 13, 14, *range(16, 21), *range(24, 34)]
    assert set().union(*wrong.values()) == {K, V, SCORES}


def test_names_that_are_never_defined_are_said(report: FileReport) -> None:
    names = {name for link in report.links if link.verdict == "UNDECIDED" for name in link.names}
    assert names == {"W_Q2", "W_K2", "W_V2", "W_Q3", "W_K3", "W_V3", "Attention Output"}


def test_the_equal_weights_are_an_assumption_and_the_softmax_is_told(report: FileReport) -> None:
    assumed = [link for link in report.links if link.verdict == "ASSUMED"]
    assert [link.formula for link in assumed] == [21, 22, 23]
    # Row 1 of the true scores is 11.92 26.16.
    assert {link.truth[0][0] for link in assumed if isinstance(link.truth, tuple)} == {
        "exp(298/25)/(exp(298/25) + exp(654/25))"
    }


def test_no_link_is_read_differently_by_the_two_readers(report: FileReport) -> None:
    assert [link for link in report.links if link.code in ("ST001", "ST002")] == []
    assert report.coverage.read_twice >= 15


def test_mending_gives_what_was_worked_out_by_hand(
    report: FileReport, hand_printed: dict[str, str], hand_right: dict[str, str]
) -> None:
    text, _ = mended(report)
    expected = {number: hand_printed[number] if number == "F06" else formula for number, formula in hand_right.items()}
    assert text == page(expected)
    assert {link.code for link in judge(read(Source("page.md", text)), 1).fails} == {"ST201"}
