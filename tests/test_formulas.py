"""The 25 formulas: all are there as they were given, and the command tells all that is known of each."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symtrans.cli.main import main
from symtrans.derive.values import Values
from symtrans.document.read import read as read_document
from symtrans.document.source import Source
from symtrans.language.words import words
from symtrans.model.build import build
from symtrans.model.formula import Formula, find_formula, formulas
from symtrans.model.formula_tape import formula_tape, sides
from symtrans.model.load import load_spec
from symtrans.notation.reader import read, read_name
from symtrans.ops import all_ops
from symtrans.page.formula_sheet import sheet

GIVEN = json.loads((Path(__file__).parent / "data" / "formulas25.json").read_text(encoding="utf-8"))
ALL = pytest.mark.parametrize("formula", formulas(), ids=lambda formula: str(formula.number))
BOTH = pytest.mark.parametrize("language", ["en", "zh"])
# The commands that the formulas are written with; anything else would be a slip such as `\langleP`.
COMMANDS = {"bar", "dot", "text", "mathbf", "frac", "sqrt", "sum", "left", "right", "langle", "rangle", "odot", "cdot"}
COMMANDS |= {"quad", "ldots", "sin", "cos", "mu", "sigma", "gamma", "beta", "epsilon"}


def told(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["formulas", *arguments])


@BOTH
def test_json_gives_the_25_as_they_are(language: str) -> None:
    rows = json.loads(told("--format", "json", "--language", language).output)
    assert [{"number": row["number"], "latex": row["latex"]} for row in rows] == GIVEN
    assert all(row.keys() >= {"number", "section", "latex", "status", "shapes", "vjp", "op"} for row in rows)


def test_json_of_one() -> None:
    row = json.loads(told("9", "--format", "json").output)
    assert (row["number"], row["latex"]) == (9, GIVEN[8]["latex"])
    assert row["vjp"] == list(find_formula(9).vjp)


@BOTH
@pytest.mark.parametrize("form", ["text", "md"])
def test_the_list_has_all_25_under_their_sections(form: str, language: str) -> None:
    output = told("--format", form, "--language", language).output
    assert [row["latex"] for row in GIVEN if row["latex"] not in output] == []
    for formula in formulas():
        assert output.count(formula.section[language]) >= 1
    assert len(re.findall(r"^ *\d+\. ", output, re.MULTILINE)) == 25


@pytest.mark.parametrize("number", ["26", "0", "-- -1"])
def test_there_is_no_26th(number: str) -> None:
    done = told(*number.split())
    assert (done.exit_code, done.output) == (2, f"symtrans: no formula {number.split()[-1]}: there are 1 to 25\n")


@BOTH
@ALL
def test_one_is_shown_whole(formula: Formula, language: str) -> None:
    say = words(language).formulas
    headings = [part.heading for part in sheet(formula, words(language))]
    wanted = ["shapes", "status", "symbols", "numbers", "vjp", "invariants", "pitfall", "source"]
    wanted += ["derivation", "vjp_numbers"] if formula.vjp else []
    assert {say[key] for key in wanted} <= set(headings)
    output = told(str(formula.number), "--language", language).output
    page = told(str(formula.number), "--language", language, "--format", "md").output
    for text in (formula.latex, *formula.vjp, *formula.derivation, *formula.invariants):
        assert f"  {text}\n" in output
        assert f"$${text}$$\n" in page
    assert formula.pitfall[language] in output
    assert formula.evidence[language] in output
    assert formula.shapes[language] in output
    assert say[f"status.{formula.standing}"] in output
    assert (say["no_gradient"] in output) == (formula.number == 12)


@ALL
def test_the_markdown_has_only_formulas_that_can_be_read(formula: Formula, tmp_path: Path) -> None:
    page = tmp_path / "sheet.md"
    page.write_text(told(str(formula.number), "--format", "md").output, encoding="utf-8")
    document = read_document(Source.load(page))
    shown = [line for line in page.read_text("utf-8").splitlines() if line.startswith("$$")]
    assert len(document.blocks) >= len(shown) > 4


@pytest.mark.tex
def test_every_formula_of_every_sheet_compiles(tmp_path: Path) -> None:
    """The formulas are the same in both languages, so one run of TeX tells of all."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    shown = {
        item.latex
        for formula in formulas()
        for part in sheet(formula, words("en"))
        for item in part.items
        if not isinstance(item, str)
    }
    assert len(shown) > 600
    told = [r"\documentclass{article}\usepackage{amsmath}\begin{document}"]
    told += [f"$${latex}$$" for latex in sorted(shown | {formula.latex for formula in formulas()})]
    (tmp_path / "all.tex").write_text("\n\n".join([*told, r"\end{document}"]), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=tmp_path, timeout=120)
    assert run.returncode == 0, run.stdout[-1500:]


def test_an_op_that_is_named_exists() -> None:
    assert {formula.op for formula in formulas()} <= all_ops().keys()


def test_only_the_positional_encoding_has_no_vjp() -> None:
    assert [formula.number for formula in formulas() if not formula.vjp] == [12]


@ALL
def test_every_line_is_read(formula: Formula) -> None:
    assert read(formula.latex).troubles == ()
    for line in formula.vjp:
        sides(line)
    for line in (*formula.vjp, *formula.derivation, *formula.invariants):
        assert set(re.findall(r"\\([A-Za-z]+)", line)) <= COMMANDS, line


def test_a_name_that_occurs_twice_is_scoped() -> None:
    """Every scoped id is on the tape of the bundled example, and the result is computed there by the same op."""
    tape = build(load_spec("encoder-decoder"))
    scoped = {formula.number: formula.names for formula in formulas() if formula.names}
    assert list(scoped) == list(range(13, 26))
    assert [one for names in scoped.values() for one in names.values() if one not in tape] == []
    results = [scoped[number][find_formula(number).evaluation.results[0]] for number in scoped]
    assert len(set(results)) == 13
    assert scoped[15][r"Z_{add\_norm\_1}"] == "enc.Z_add_norm_1" != scoped[20][r"Z_{add\_norm\_1}"]
    other = [
        (one, op.name, find_formula(number).op)
        for number, one in zip(scoped, results, strict=True)
        if (op := tape[one].op) is not None and op.name != find_formula(number).op
    ]
    # There a bias is a column and part of one op; here it is the row that the article adds.
    assert {pair[1:] for pair in other} == {("linear", "add_row")}


@pytest.mark.parametrize(
    ("number", "rows"),
    [
        (1, ["3 2", "7 4"]),  # Q only
        (2, ["17 23", "39 53"]),
        (3, ["17/2 21/2", "41/2 53/2"]),
        (5, ["4 6", "5 7"]),
        (7, ["6 5", "2 0"]),
        (10, ["2", "2"]),
    ],
)
def test_the_example_gives_the_values_worked_out_by_hand(number: int, rows: list[str]) -> None:
    formula = find_formula(number)
    values = Values(formula_tape(formula))
    result = values.tensor(read_name(formula.evaluation.results[0]).key)
    assert [[entry.fraction for entry in row] for row in result.rows()] == [
        list(map(Fraction, r.split())) for r in rows
    ]
