"""The vjp of the 25 formulas as identities: on symbols for every entry, each line is SymPy's derivative."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
import sympy

from symtrans.model.formula import Formula, formulas
from symtrans.model.formula_tape import formula_tape
from symtrans.model.tape import Step, Tape
from symtrans.ops.algebra import Algebra
from symtrans.ops.domains.symbols import SympyScalars
from symtrans.ops.formulas import run
from symtrans.ops.tensor import Tensor
from symtrans.ops.vanishing import is_zero

# The multi-head formulas beside number 6, which is proven whole. Here the heads' queries, keys and values are symbols
# themselves: what comes before them is a product or a sum of these, takes minutes when it is composed with the
# softmax, and is proven on exact numbers elsewhere.
UP_TO_HEADS = {14, 19, 21}
OF_A_HEAD = re.compile(r"[QKV]_\d")

PROGRAMS = runpy.run_path(str(Path(__file__).parent / "data" / "formula_programs.py"))


class Symbols(SympyScalars):
    """SymPy's scalars, with the step of a ReLU as the function that the programs know."""

    def function(self, name: Any, argument: Any) -> Any:
        return PROGRAMS["Step"](argument) if name == "positive" else super().function(name, argument)


def symbols(step: Step, mark: str) -> Any:
    rows, columns = step.shape or (1, 1)
    letter = step.id.replace("bar ", "bar") + mark
    return sympy.Matrix(rows, columns, lambda i, j: sympy.Symbol(f"{letter}_{i}_{j}", real=True))


def as_tensor(step: Step, value: Any) -> Tensor[Any]:
    return Tensor(step.shape, tuple(value))


def told(formula: Formula, tape: Tape, known: dict[str, Any]) -> dict[str, Tensor[Any]]:
    """Every quantity of the example on symbols: by the program, and by the lines of the vjp after that."""
    found: dict[str, Tensor[Any]] = {}
    for step in tape:
        if step.part == "backward":
            assert step.op is not None
            found[step.id] = run(step.op, [found[i] for i in step.operands], Algebra(Symbols()), step.settings)
        elif step.id.startswith("bar "):
            found[step.id] = as_tensor(step, symbols(step, ""))
        elif step.id in known:
            found[step.id] = as_tensor(step, known[step.id])
    return found


def carried_out(formula: Formula, tape: Tape, changed: str = "") -> Any:
    """The program on symbols; with a symbol added to each entry of one quantity."""

    def change(key: str, value: Any) -> Any:
        if formula.number in UP_TO_HEADS and OF_A_HEAD.fullmatch(key):
            value = symbols(tape[key], "")
        return value + symbols(tape[key], "t") if key == changed else value

    given = {
        step.id: symbols(step, "") if step.id not in ("p", "M") else exact(step)
        for step in tape
        if step.part == "inputs" and not step.id.startswith("bar ")
    }
    done = PROGRAMS["Run"](PROGRAMS["SymbolKit"](), given, change)
    PROGRAMS["PROGRAMS"][formula.number](done)
    return done.known


def exact(step: Step) -> Any:
    assert step.literal is not None
    return sympy.Matrix([[-sympy.oo if c is None else sympy.Rational(c.value) for c in row] for row in step.literal])


@pytest.mark.slow
@pytest.mark.parametrize("formula", [f for f in formulas() if f.vjp], ids=lambda formula: str(formula.number))
def test_every_line_of_the_vjp_is_an_identity(formula: Formula) -> None:
    tape = formula_tape(formula)
    found = told(formula, tape, carried_out(formula, tape))
    results = [step.id.removeprefix("bar ") for step in tape if step.part == "inputs" and step.id.startswith("bar ")]
    compared = 0
    for step in tape:
        key = step.id.removeprefix("bar ")
        if step.part != "backward" or key == step.id:
            continue
        if formula.number in UP_TO_HEADS and tape[key].part == "inputs" and key != "W_O":
            continue
        known, changes = carried_out(formula, tape, key), symbols(tape[key], "t")
        total = sympy.Add(*(c * y for r in results for c, y in zip(found[f"bar {r}"].entries, known[r], strict=True)))
        for line, change in zip(found[step.id].entries, changes, strict=True):
            assert is_zero(line - total.diff(change).xreplace(dict.fromkeys(changes, sympy.Integer(0)))), step.id
            compared += 1
    assert compared > 0
