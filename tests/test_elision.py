"""Matrices of more than twelve rows or columns: what is shown of them, what is said, and how that is read again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from symtrans.check.judge import judge
from symtrans.cli.main import main
from symtrans.derive.derivation import Derivation, derive
from symtrans.derive.elision import elided, flipped, framed, has_gaps, is_large, shown
from symtrans.derive.numerals import Style
from symtrans.derive.optimizer import Optimizer
from symtrans.derive.symbolic import Expansion, entry_symbols
from symtrans.derive.training import train
from symtrans.document.read import read
from symtrans.document.source import Source
from symtrans.model.spec_reader import read_spec
from symtrans.notation.dialect import load_dialect
from symtrans.notation.reader import read as read_formula
from symtrans.notation.tree import Dots, Matrix, Node, Number, Product, Sum, Term, walk
from symtrans.notation.writer import Writer
from symtrans.ops.domains.written import UNSEEN
from symtrans.page.page_writer import page_writer
from symtrans.page.story import Layout
from symtrans.page.telling import tell
from symtrans.page.training import tell_training


def cell(i: int, j: int, seed: int) -> Fraction:
    """A number from -0.9 to 0.9."""
    return Fraction((7 * i + 3 * j * j + seed) % 19 - 9, 10)


def spec(positions: int, width: int, weights: str = "uniform") -> str:
    """A head of attention over so many positions, of so many columns."""

    def matrix(rows: int, columns: int, seed: int) -> str:
        told = (", ".join(f'"{float(cell(i, j, seed))}"' for j in range(columns)) for i in range(rows))
        return "[" + ", ".join(f"[{row}]" for row in told) + "]"

    return f"""schema = 1
name = "wide"
architecture = "attention"
title = {{ en = "Wide", zh = "宽" }}
dimensions = {{ positions = {positions}, d_in = {width}, d_model = {width}, d_k = 2, d_v = 2, heads = 1, d_out = 2 }}
switches = {{ weights = "{weights}", scale = "none" }}
inputs = {{ x = {matrix(positions, width, 1)}, y = {matrix(positions, 2, 2)} }}
loss = {{ kind = "half_sum_of_squares" }}
update = {{ of = "y_hat", step = "0.1" }}

[parameters]
W_emb = {matrix(width, width, 3)}
W_Q = {matrix(width, 2, 4)}
W_K = {matrix(width, 2, 5)}
W_V = {matrix(width, 2, 6)}
W_O = {matrix(2, 2, 7)}
"""


def wide(positions: int = 14, width: int = 13, weights: str = "uniform", **options: object) -> Derivation:
    return derive(read_spec(spec(positions, width, weights), "wide.toml"), **options)  # type: ignore[arg-type]


def page(derivation: Derivation, dialect: str = "ams", language: str = "en", kind: str = "md") -> str:
    return page_writer(kind).write(tell(derivation, dialect, language), derivation)


def plain(node: Node) -> str:
    return Writer(load_dialect("ams")).expression(node)


# --- the trees


def test_twelve_are_shown_and_thirteen_are_not() -> None:
    assert shown(12) == tuple(range(12))
    assert shown(13) == (0, 1, 2, 3, 12)
    assert not is_large((12, 12))
    assert is_large((1, 13))
    assert is_large((13, 1))
    assert not is_large(())


def test_the_frame_of_a_matrix() -> None:
    both = framed((13, 14), lambda i, j: Number(f"{i}{j}"))
    assert plain(both) == (
        r"\begin{bmatrix}00 & 01 & 02 & 03 & \cdots & 013 \\ 10 & 11 & 12 & 13 & \cdots & 113 \\ "
        r"20 & 21 & 22 & 23 & \cdots & 213 \\ 30 & 31 & 32 & 33 & \cdots & 313 \\ "
        r"\vdots & \vdots & \vdots & \vdots & \ddots & \vdots \\ 120 & 121 & 122 & 123 & \cdots & 1213\end{bmatrix}"
    )
    row = framed((1, 13), lambda i, j: Number(str(j)))
    assert plain(row) == r"\begin{bmatrix}0 & 1 & 2 & 3 & \cdots & 12\end{bmatrix}"
    column = framed((13, 1), lambda i, j: Number(str(i)))
    assert plain(column) == r"\begin{bmatrix}0 \\ 1 \\ 2 \\ 3 \\ \vdots \\ 12\end{bmatrix}"


def test_a_long_sum_keeps_its_ends_and_signs() -> None:
    terms = tuple(Term(-1 if n % 2 else 1, Number(str(n))) for n in range(14))
    assert plain(elided(Sum(terms))) == r"0-1+2-3+\cdots-13"
    assert elided(Sum(terms[:12])) == Sum(terms[:12])
    inside = Product((Number("2"), Sum(terms)), ("",))
    assert plain(elided(inside)) == r"2(0-1+2-3+\cdots-13)"


def test_dots_turn_with_a_transpose() -> None:
    assert [flipped(Dots(d)) for d in ("center", "vertical", "diagonal", "low")] == [Dots()] * 4
    directions = [flipped(Dots(d)).direction for d in ("center", "vertical", "diagonal", "low")]  # type: ignore[attr-defined]
    assert directions == ["vertical", "center", "diagonal", "low"]
    assert flipped(Number("1")) == Number("1")


@pytest.mark.parametrize("dialect", ["array", "ams"])
def test_dots_are_read_back(dialect: str) -> None:
    matrix = framed((13, 13), lambda i, j: Number(str(i)))
    reading = read_formula(Writer(load_dialect(dialect)).expression(matrix))
    assert reading.troubles == ()
    assert reading.chains[0].sides[0] == matrix


# --- the page


def test_the_entries_shown_are_those_of_the_product() -> None:
    """e = x W_emb: the first four and the last of each row, by fractions."""
    exact = [[sum(cell(i, k, 1) * cell(k, j, 3) for k in range(13)) for j in range(13)] for i in range(14)]
    shown_rows = [*exact[:4], exact[13]]
    expected = [[f"{float(v)}" for v in (*row[:4], row[12])] for row in shown_rows]
    line = next(line for line in wide().lines("ams") if line.step.id == "e")
    value = line.claim.chain.sides[-1]
    assert isinstance(value, Matrix)
    told = [[plain(c) for c in row if not isinstance(c, Dots)] for row in value.rows if not isinstance(row[0], Dots)]
    assert [[Fraction(t) for t in row] for row in told] == [[Fraction(t) for t in row] for row in expected]
    assert [len(row) for row in value.rows] == [6] * 6
    assert line.elided


def test_a_transposed_operand_has_its_dots_in_place() -> None:
    """Q Kᵀ with 14 positions: the second operand is 2×14."""
    line = next(line for line in wide().lines("ams") if line.step.role == "scores")
    operands = line.claim.chain.sides[2]
    assert isinstance(operands, Product)
    keys = operands.factors[1]
    assert isinstance(keys, Matrix)
    assert [len(row) for row in keys.rows] == [6, 6]
    assert [c.direction for row in keys.rows for c in row if isinstance(c, Dots)] == ["center", "center"]


def test_what_is_not_large_is_whole() -> None:
    derivation = wide(12, 12)
    assert not any(line.elided for line in derivation.lines("ams"))
    text = page(derivation)
    assert "dots" not in text
    assert r"\ddots" not in text
    rows = [r for m in re.findall(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", text) for r in m.split(r"\\")]
    assert max(row.count("&") for row in rows) == 11


def test_the_loss_of_a_large_output_is_a_sum_with_dots() -> None:
    lines = [line for line in wide().lines("ams") if line.step.role == "loss"]
    entries = next(side for line in lines for side in line.claim.chain.sides if side is not None and has_gaps(side))
    assert plain(entries).count("^2") == 5
    # The stages behind it have all 28 terms: half the sum of squares, by fractions.
    derivation = wide()
    y_hat = derivation["y_hat"].exact()
    total = sum((Fraction(str(y_hat[i][j])) - cell(i, j, 2)) ** 2 for i in range(14) for j in range(2)) / 2
    assert Fraction(str(derivation["L"].exact()[0][0])) == total


def test_a_large_softmax_is_certified_where_it_is_shown() -> None:
    derivation = wide(13, 3, "softmax")
    line = next(line for line in derivation.lines("ams") if line.step.role == "weights")
    value = line.claim.chain.sides[-1]
    assert isinstance(value, Matrix)
    told = [[plain(c) for c in row if not isinstance(c, Dots)] for row in value.rows if not isinstance(row[0], Dots)]
    whole = derivation["A_1"].decimals(6)
    assert told == [[row[j] for j in (0, 1, 2, 3, 12)] for row in (*whole[:4], whole[12])]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_left_out_is_said(language: str) -> None:
    text = page(wide(), language=language)
    said = {"en": "more than 12 rows or columns", "zh": "行数或列数超过 12"}[language]
    assert text.count(said) == 1
    assert text.index(said) < text.index(r"\cdots")
    shape = {"en": "$ has 14 rows and 13 columns.", "zh": "$ 有 14 行 13 列。"}[language]
    assert text.count(r"$\mathbf{x}" + shape) == 1


@pytest.mark.parametrize(("dialect", "language", "kind"), list(product(("array", "ams"), ("en", "zh"), ("md", "tex"))))
def test_our_own_page_is_undecided_with_a_reason(dialect: str, language: str, kind: str) -> None:
    """Where a name or a side is not shown whole; nothing fails, and nothing is passed over in silence."""
    report = judge(read(Source(f"page.{kind}", page(wide(), dialect, language, kind))))
    wrong = [link for link in report.links if link.verdict in ("FAILS", "UNREADABLE", "INHERITED")]
    assert wrong == []
    undecided = [link for link in report.links if link.verdict == "UNDECIDED"]
    assert len(undecided) > 10
    assert all(link.reason for link in undecided)
    with_dots = [link for link in report.links if "dots" in link.lhs + link.rhs]
    assert with_dots != []
    assert {link.verdict for link in with_dots} <= {"UNDECIDED", "ASSUMED"}


def verdicts(text: str) -> list[tuple[str, str | None, str]]:
    return [(link.verdict, link.code, link.reason) for link in judge(read(Source("page.md", text))).links]


def test_names_that_are_not_shown_whole_are_told() -> None:
    part = r"\begin{bmatrix}1 & \cdots & 2\end{bmatrix}"
    text = f"$$A={part}$$\n\n$$B=A$$\n\n$$C=B+1$$\n\n$$D=E+1$$\n\n$$A=[1, 5, 2]$$\n\n$$F=A+1=[2, 6, 3]$$\n"
    first, second, third, fourth, fifth, *rest = verdicts(text)
    assert first == ("UNDECIDED", "ST902", "an ellipsis has no value")
    assert second[0] == "DEFINITION"
    assert third == ("UNDECIDED", "ST902", "an ellipsis stands for a part of B")
    assert fourth == ("UNDECIDED", "ST301", "not defined: E")
    assert fifth[0] == "DEFINITION"
    assert [verdict for verdict, _, _ in rest] == ["DEFINITION", "HOLDS"]


def test_a_whole_value_beside_an_ellipsis_is_undecided() -> None:
    row = r"\begin{bmatrix}1 & 2 & 3 & 4\end{bmatrix}"
    text = f"$${row}+{row}=" + r"\begin{bmatrix}2 & \cdots & 9\end{bmatrix}$$" + "\n"
    assert verdicts(text) == [("UNDECIDED", "ST902", "an ellipsis has no value")]


def test_full_shows_all_and_is_verified() -> None:
    text = page(wide(style=Style(full=True)))
    assert "dots" not in text
    report = judge(read(Source("page.md", text)))
    assert [link for link in report.links if link.verdict in ("FAILS", "UNREADABLE", "INHERITED")] == []
    assert report.coverage.undecided <= 0.05 * report.coverage.links


def test_symbols_are_elided_as_the_whole_would_be() -> None:
    derivation = wide()
    sides, whole = derivation._sides(), wide(style=Style(full=True))._sides()
    steps = [step for step in derivation.tape if step.op is not None and not step.silent and sides.is_large(step)]
    assert len(steps) > 8
    for step in steps:
        short = sides.symbolic(step, entry_symbols)
        assert short == elided(whole.symbolic(step, entry_symbols))
        assert UNSEEN not in walk(short)


def test_an_entry_that_is_shown_after_all_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a product was carried out for fewer entries than the page shows, it is carried out again."""
    derivation = wide()
    expected = derivation._sides().symbolic(derivation.tape["e"], entry_symbols)
    monkeypatch.setattr("symtrans.derive.sides.shown", lambda length: (0,))
    assert derivation._sides().symbolic(derivation.tape["e"], entry_symbols) == expected


def test_pages_of_symbols_and_expanded_ones() -> None:
    text = page(wide(symbolic=True))
    assert r"x_{11}w_{11}^{(emb)}+x_{12}w_{21}^{(emb)}+x_{13}w_{31}^{(emb)}+x_{14}w_{41}^{(emb)}+\cdots+" in text
    derivation = wide(13, 1)
    scores = next(step for step in derivation.tape if step.role == "scores")
    told = plain(derivation._sides().told(scores, Expansion(derivation.tape).of(scores)))
    assert told.count(r"\ddots") == 1
    assert "x_{13,1}" in told
    assert "x_{51}" not in told


def test_the_values_stay_whole() -> None:
    derivation = wide()
    data = json.loads(page_writer("json").write(tell(derivation), derivation))
    e = next(step for step in data["steps"] if step["id"] == "e")
    assert e["shape"] == [14, 13]
    assert [len(row) for row in e["decimal"]] == [13] * 14
    assert Fraction(e["exact"][7][6]) == sum(cell(7, k, 1) * cell(k, 6, 3) for k in range(13))
    assert r"\cdots" not in derivation["e"].latex()
    assert derivation["e"].latex().count("&") == 14 * 12
    assert r"\cdots" in derivation["e"]._repr_latex_()


def test_reading_back_tells_what_it_does_not_read() -> None:
    result = wide().read_back("ams")
    assert result.disagreed == []
    assert "a matrix or a sum that is not shown whole" in {why for _, why in result.cannot}
    assert result.agreed > 10


# --- the commands


def run(tmp_path: Path, *arguments: str) -> str:
    file = tmp_path / "wide.toml"
    file.write_text(spec(14, 13), "utf-8")
    result = CliRunner().invoke(main, [arguments[0], str(file), *arguments[1:]])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_derive_and_train_have_the_option(tmp_path: Path) -> None:
    assert r"\ddots" in run(tmp_path, "derive", "--no-save")
    assert "dots" not in run(tmp_path, "derive", "--full", "--no-save")
    training = run(tmp_path, "train", "--of", "W_emb")
    assert training.count("more than 12 rows or columns") == 1
    assert "dots" not in run(tmp_path, "train", "--of", "W_emb", "--full")
    assert "not expressible" in run(tmp_path, "derive", "--check")


def test_a_training_tells_what_is_left_out() -> None:
    training = train(read_spec(spec(14, 13), "x"), Optimizer.of("sgd", "0.1", {}), 1, only=["W_emb"])
    for language, said in (("en", "more than 12 rows or columns"), ("zh", "行数或列数超过 12")):
        text = page_writer("md").write(tell_training(training, "ams", language), training.derivation)
        assert text.count(said) == 1
        assert text.index(said) < text.index(r"\cdots")


# --- TeX


def test_tex_is_told_of_very_wide_matrices() -> None:
    allowed = r"\\setcounter\{MaxMatrixCols\}\{(\d+)\}"
    narrow = re.search(allowed, page(wide(), kind="tex"))
    assert narrow is not None
    assert narrow[1] == "40"
    whole = re.search(allowed, page(wide(2, 45, style=Style(full=True)), kind="tex"))
    assert whole is not None
    assert int(whole[1]) >= 45


@pytest.mark.tex
@pytest.mark.parametrize(
    ("dialect", "language", "full"), [("array", "en", False), ("ams", "zh", False), ("ams", "en", True)]
)
def test_the_pages_compile(
    dialect: str, language: str, full: bool, tmp_path: Path, compiles: Callable[[Path, str, Path], str]
) -> None:
    file = tmp_path / "page.tex"
    derivation = wide(3, 45, style=Style(full=True)) if full else wide()
    whole = replace(tell(derivation, dialect, language), layout=Layout(standalone=True))
    file.write_text(page_writer("tex").write(whole, derivation), "utf-8")
    too_wide = re.findall(r"Overfull \\hbox \((.*?)pt", compiles(file, "xelatex", tmp_path))
    assert all(float(width) < 12 for width in too_wide)
