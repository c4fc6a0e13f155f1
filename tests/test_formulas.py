"""The 25 formulas: all are there as they were given, and the command tells them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from symtrans.cli.main import main
from symtrans.exact.field import Element
from symtrans.model.formula import Formula, find_formula, formulas
from symtrans.notation.reader import read, read_expression
from symtrans.ops import all_ops, find_op
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.formulas import run
from symtrans.ops.proof import prove
from symtrans.ops.tensor import Tensor

GIVEN = json.loads((Path(__file__).parent / "data" / "formulas25.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_json_gives_the_25_as_they_are(language: str) -> None:
    done = CliRunner().invoke(main, ["formulas", "--format", "json", "--language", language])
    rows = json.loads(done.output)
    assert [{"number": row["number"], "latex": row["latex"]} for row in rows] == GIVEN
    assert all(row.keys() >= {"number", "section", "latex", "status", "shapes", "vjp", "op"} for row in rows)


def test_one_is_shown_and_there_is_no_26th() -> None:
    assert GIVEN[8]["latex"] in CliRunner().invoke(main, ["formulas", "9"]).output
    done = CliRunner().invoke(main, ["formulas", "26"])
    assert (done.exit_code, done.output) == (2, "symtrans: no formula 26: there are 1 to 25\n")


def test_an_op_that_is_named_exists() -> None:
    assert {formula.op for formula in formulas() if formula.op} <= all_ops().keys()


def test_only_the_positional_encoding_has_no_vjp() -> None:
    assert [formula.number for formula in formulas() if not formula.vjp] == [12]


@pytest.mark.parametrize("formula", formulas(), ids=lambda formula: str(formula.number))
def test_every_line_is_read(formula: Formula) -> None:
    for line in (formula.latex, *formula.vjp):
        assert read(line).troubles == (), line


@pytest.mark.parametrize(
    ("number", "line", "op", "position", "renamed"),
    [
        (2, 0, "scores", 0, {}),
        (2, 1, "scores", 1, {}),
        (1, 0, "matmul", 1, {"Q": "Y"}),
        (5, 0, "matmul", 0, {"O": "Y", "V": "W"}),
        (5, 1, "matmul", 1, {"O": "Y", "P": "X"}),
        (3, 0, "scale_by_root", 0, {"d_k": "d"}),
        (4, 0, "softmax", 0, {"P": "A", r"\mathbf{1}": r"\mathbf{1}_{m}"}),
    ],
)
def test_the_vjp_is_the_derivative_of_the_op(
    number: int, line: int, op: str, position: int, renamed: dict[str, str]
) -> None:
    side = find_formula(number).vjp[line].split("=")[1]
    for old, new in renamed.items():
        side = side.replace(old, new)
    proof = prove(find_op(op), position, read_expression(side))
    assert proof.compared > 0
    assert proof.faults == ()


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_the_op_gives_the_values_worked_out_by_hand(number: int) -> None:
    formula = find_formula(number)
    assert formula.evaluation is not None
    assert formula.op is not None
    algebra = ExactAlgebra()

    def tensor(rows: list[list[str]]) -> Tensor[Element]:
        return Tensor.matrix([[algebra.exact.number(Fraction(entry)) for entry in row] for row in rows])

    operands = [tensor(rows) for rows in formula.evaluation["operands"]]
    result = run(find_op(formula.op), operands, algebra, formula.evaluation["settings"])
    assert result == tensor(formula.evaluation["result"])
