"""The hand calculation as it was printed, with its slips: what the checker must say of each formula, and mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtrans.check.finding import FileReport, LinkVerdict
from symtrans.check.judge import judge
from symtrans.check.verify import Order, verify
from symtrans.document.read import read
from symtrans.document.source import Source


@pytest.fixture(scope="module")
def report(hand_document: str) -> FileReport:
    return judge(read(Source("printed.md", hand_document)))


def links(report: FileReport, identity: str) -> list[LinkVerdict]:
    return [link for link in report.links if f"F{link.formula:02d}" == identity]


def test_three_values_are_wrong_from_their_own_operands(report: FileReport) -> None:
    wrong = [(link.formula, link.step) for link in report.links if link.verdict == "FAILS" and link.code == "ST101"]
    assert wrong == [(10, 3), (11, 3), (18, 3)]
    entries = {link.formula: [(e.row, e.col, e.stated, e.exact) for e in link.entries] for link in report.fails}
    assert entries[10] == [(2, 1, "3.2", "3"), (2, 2, "4.1", "37/10"), (2, 3, "5.0", "22/5"), (2, 4, "5.9", "51/10")]
    assert entries[11] == [(2, 1, "3.8", "37/10"), (2, 2, "4.6", "22/5"), (2, 3, "5.4", "51/10"), (2, 4, "6.2", "29/5")]
    assert [exact for *_, exact in entries[18]] == ["298/25", "739/25", "646/25", "1603/25"]


def test_the_scores_of_heads_2_and_3_inherit(report: FileReport) -> None:
    for identity in ("F19", "F20"):
        last = links(report, identity)[-1]
        assert (last.verdict, last.level) == ("INHERITED", "error")
        assert last.root is not None
        assert last.root.formula == 18


def test_the_weights_are_assumed_and_the_truth_is_told(report: FileReport) -> None:
    for identity in ("F21", "F22", "F23"):
        assert links(report, identity)[0].verdict == "ASSUMED"
    truth = links(report, "F21")[0].truth
    assert truth is not None
    assert "exp(" in truth[0][0]


def test_the_declared_output_matrix_does_not_fit(report: FileReport) -> None:
    shapes = [link for link in report.links if link.verdict == "FAILS" and (link.code or "").startswith("ST2")]
    assert [(link.formula, link.level) for link in shapes] == [(28, "error")]


def test_weights_of_heads_that_are_never_defined_stay_open(report: FileReport) -> None:
    for identity, names in {"F12": "W_Q2", "F13": "W_K2", "F17": "W_V3"}.items():
        told = {name for link in links(report, identity) for name in link.names if link.verdict == "UNDECIDED"}
        assert names in told


def test_every_formula_that_is_wrong_in_truth_is_tied_to_a_root(report: FileReport) -> None:
    wrong = {10, 11, 13, 14, *range(16, 21), *range(24, 34)}
    said = {link.formula for link in report.links if link.verdict in ("FAILS", "INHERITED") and link.code != "ST201"}
    assert said == wrong
    roots = {(link.root.formula, link.root.step) for link in report.links if link.root is not None}
    assert roots <= {(10, 3), (11, 3), (18, 3)}


def test_mending_gives_the_right_formulas_and_changes_digits_only(
    tmp_path: Path, hand_document: str, hand_printed: dict[str, str], hand_right: dict[str, str]
) -> None:
    path = tmp_path / "printed.md"
    path.write_text(hand_document, encoding="utf-8")
    result = verify(Order(str(path), mend=True))
    assert result.mended is not None
    formulas = [line[2:-2] for line in result.mended.splitlines() if line.startswith("$$")]
    wanted = {**hand_right, "F06": hand_printed["F06"]}
    assert formulas == [wanted[identity] for identity in sorted(wanted)]
    assert [c for c in result.mended if not c.isdigit() and c != "."] == [
        c for c in hand_document if not c.isdigit() and c != "."
    ]
    assert not [link for link in result.report.links if link.verdict == "FAILS" and link.code == "ST101"]
