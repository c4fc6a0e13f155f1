"""The 25 formulas proven: each as read equals its op, each vjp is the derivative, each derivation holds."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import pytest
import sympy

from symtrans.derive.backward import gradient_id, with_gradients
from symtrans.derive.values import Values
from symtrans.exact.rounding import certify
from symtrans.model.formula import Formula, find_formula, formulas
from symtrans.model.formula_tape import formula_tape, indexed, vjp_steps
from symtrans.model.tape import Tape
from symtrans.notation import tree as t
from symtrans.notation.name import Name, Script
from symtrans.notation.reader import read, read_name
from symtrans.ops import find_op
from symtrans.ops.algebra import Algebra
from symtrans.ops.domains.symbols import SympyAlgebra, SympyScalars
from symtrans.ops.interpret import interpret
from symtrans.ops.tensor import Tensor

DATA = Path(__file__).parent / "data"
# Tests are no package: this one's other half is a file of data.
PROGRAM_FILE = runpy.run_path(str(DATA / "formula_programs.py"))
Run, SympyKit, TorchKit, PROGRAMS, words = (
    PROGRAM_FILE[name] for name in ("Run", "SympyKit", "TorchKit", "PROGRAMS", "words")
)

ALL = pytest.mark.parametrize("formula", formulas(), ids=lambda formula: str(formula.number))
DIGITS = 50
Program = dict[str, Any]


# --- our side: the example's tape, and what its numbers are ------------------------------------------


@cache
def derived(formula: Formula) -> Values:
    return Values(formula_tape(formula))


def rational(cell: Any) -> Any:
    return -sympy.oo if cell is None else sympy.Rational(cell.value)


def given(tape: Tape) -> Program:
    """The inputs as SymPy matrices, without the cotangents."""
    return {
        step.id: sympy.Matrix([[rational(cell) for cell in row] for row in step.literal])
        for step in tape
        if step.literal is not None and not step.id.startswith("bar ")
    }


def cotangents(tape: Tape) -> Program:
    """The results' cotangents, by the results' names."""
    return {
        step.id.removeprefix("bar "): sympy.Matrix([[rational(cell) for cell in row] for row in step.literal])
        for step in tape
        if step.literal is not None and step.id.startswith("bar ")
    }


def lines(tape: Tape) -> Iterator[str]:
    """The quantities whose cotangents the vjp tells."""
    return (s.id.removeprefix("bar ") for s in tape if s.part == "backward" and s.id.startswith("bar "))


def agree(values: Values, step_id: str, expected: Any) -> int:
    """How many entries of a step were compared with SymPy's: rationals exactly, others to 50 proven digits."""
    entries = values.tensor(step_id).entries
    assert len(entries) == len(expected)
    for entry, other in zip(entries, expected, strict=True):
        if entry.infinite:
            assert other == -sympy.oo
        elif entry.is_rational and other.is_rational:
            assert entry.fraction == Fraction(int(other.p), int(other.q)), step_id
        else:
            near(certify(entry, DIGITS).plain, other, step_id)
    return len(entries)


def near(one: Any, other: Any, what: str) -> None:
    with mpmath.workdps(DIGITS + 20):
        number = mpmath.mpf(str(sympy.N(other, DIGITS + 15)))
        assert abs(mpmath.mpf(str(one)) - number) < mpmath.mpf(10) ** (5 - DIGITS), what


# --- the formula as it is read -----------------------------------------------------------------------


def tensor(matrix: Any) -> Tensor[Any]:
    return Tensor(tuple(matrix.shape), tuple(matrix))


def matrix(value: Tensor[Any]) -> Any:
    return sympy.Matrix(value.rows())


def meaning(node: t.Node, names: dict[str, Tensor[Any]], run: Any, lengths: dict[str, int]) -> Any:
    """A formula's value by our reader and SymPy, each word in it replaced by its definition here."""
    bound, known = dict(names), words(run)

    def value(part: t.Node) -> Any:
        return matrix(interpret(part, bound, Algebra(SympyScalars(), broadcast=True), lengths))

    def told(part: t.Node) -> t.Node:
        part = t.rebuild(part, told)
        if not isinstance(part, t.Apply) or part.function not in known:
            return part
        name = Name("w", subscript=(Script(str(len(bound))),))
        bound[name.key] = tensor(known[part.function](*map(value, part.arguments)))
        return t.Symbol(name)

    return value(told(node))


def as_read(formula: Formula, run: Any) -> list[Any]:
    """The right side of each of the formula's equations, on the example's numbers."""
    names = {key: tensor(value) for key, value in run.known.items()}
    if "P" in run.known:
        names["Attention Weights"] = names["P"]
    lengths = dict(formula.evaluation.lengths)
    right = [chain.sides[1] for chain in read(formula.latex).chains]
    assert None not in right
    if formula.number == 6:
        for i in (1, 2):
            head = t.substitute(right[1], lambda symbol, i=i: t.Symbol(indexed(symbol.name, i)))
            names[f"head_{i}"] = tensor(meaning(head, names, run, lengths))
        heads = tuple(t.Symbol(Name("head", "text", subscript=(Script(str(i)),))) for i in (1, 2))
        concat = t.rebuild(right[0], lambda n: t.Apply("Concat", heads) if isinstance(n, t.Apply) else n)
        return [meaning(concat, names, run, lengths)]
    if formula.number in (9, 10, 11):
        return [row_by_row(formula.number, run)]
    if formula.number == 12:
        width, columns = lengths["d"], range(lengths["d"])
        cells = [
            [meaning(right[j % 2], {"pos": Tensor.scalar(p)}, run, {"i": j // 2, "d_model": width})[0] for j in columns]
            for p in run["p"]
        ]
        return [sympy.Matrix(cells)]
    return [meaning(side, names, run, lengths) for side in right if side is not None]


def row_by_row(number: int, run: Any) -> Any:
    """Formulas 10, 11 and 9 on each row, each with what the one before it gives."""
    result = []
    for place in range(run["z"].rows):
        row = run["z"].row(place)
        names = {f"z_{i}": Tensor.scalar(x) for i, x in enumerate(row, 1)} | {"z": tensor(row)}
        names |= {key: tensor(run[key]) for key in ("gamma", "beta") if key in run.known}
        names |= {"epsilon": Tensor.scalar(run["epsilon"][0])} if "epsilon" in run.known else {}
        for each, key in ((10, "mu"), (11, "sigma"), (9, "y")):
            # The dot before gamma stands between two rows: feature by feature.
            side = read(find_formula(each).latex.replace(r"\cdot", r"\odot")).chains[0].sides[1]
            assert side is not None
            value = meaning(side, names, run, {"N": row.cols})
            if each == number:
                result.append(value)
                break
            names[key] = Tensor.scalar(value[0])
    return sympy.Matrix.vstack(*result)


@ALL
def test_the_formula_as_read_is_what_the_op_computes(formula: Formula) -> None:
    values = derived(formula)
    run = Run(SympyKit(), given(values.tape))
    equations = as_read(formula, run)
    assert len(equations) == len(formula.evaluation.results)
    results = [read_name(text).key for text in formula.evaluation.results]
    compared = [agree(values, key, value) for key, value in zip(results, equations, strict=True)]
    PROGRAMS[formula.number](run)  # and the program by which the vjp is judged is the same thing
    assert [agree(values, key, run[key]) for key in results] == compared
    assert min(compared) > 0


# --- the vjp -------------------------------------------------------------------------------------------


@cache
def derivative(formula: Formula, key: str) -> Any:
    """The derivative of <cotangent, result> by a quantity, by SymPy: its entries symbols, the rest the numbers."""
    tape = derived(formula).tape
    rows, columns = tape[key].shape
    changes = sympy.Matrix(rows, columns, lambda i, j: sympy.Symbol(f"t_{i}_{j}", real=True))
    run = Run(SympyKit(), given(tape), lambda name, value: value + changes if name == key else value)
    PROGRAMS[formula.number](run)
    total = sympy.Add(*(x for name, c in cotangents(tape).items() for x in c.multiply_elementwise(run[name])))
    return changes.applyfunc(lambda change: total.diff(change).xreplace(dict.fromkeys(changes, 0)))


def with_loss(formula: Formula) -> tuple[Tape, list[str]]:
    """The example's tape with <cotangent, result> as its loss, and the gradients that the ops' own rules give."""
    tape = formula_tape(formula)
    keys = list(cotangents(tape))
    for key in keys:
        tape.add(
            id=f"{key} times", name=tape[key].name, part="forward", role="formula", kind="plain",
            op=find_op("multiply"), operands=(key, f"bar {key}"),
        )  # fmt: skip
    operands = tuple(f"{key} times" for key in keys)
    tape.add(
        id="all", name=Name("C"), part="forward", role="formula", kind="plain", op=find_op("concat"), operands=operands
    )
    tape.add(id="L", name=Name("L"), part="loss", role="loss", kind="loss", op=find_op("total"), operands=("all",))
    told = list(lines(tape))
    return with_gradients(tape, told), told


def compared_with_sympy(formula: Formula) -> int:
    """How many entries of the vjp's lines are what SymPy's derivative is; AssertionError where one is not."""
    values = derived(formula)
    return sum(agree(values, f"bar {key}", derivative(find_formula(formula.number), key)) for key in lines(values.tape))


@ALL
def test_every_line_of_the_vjp_is_the_derivative(formula: Formula) -> None:
    tape = derived(formula).tape
    told = list(lines(tape))
    assert compared_with_sympy(formula) == sum(tape[key].shape[0] * tape[key].shape[1] for key in told)
    assert bool(told) == bool(formula.vjp)


@ALL
def test_the_vjp_leaves_no_input_out(formula: Formula) -> None:
    tape = derived(formula).tape
    inputs = {s.id for s in tape if s.part == "inputs" and not s.constant and not s.id.startswith("bar ")}
    assert inputs <= set(lines(tape))
    assert inputs or formula.number == 12


@ALL
def test_the_vjp_is_what_the_rules_of_the_ops_give(formula: Formula) -> None:
    if not formula.vjp:
        assert formula.number == 12
        return
    tape, told = with_loss(formula)
    values = Values(tape)
    for key in told:
        pairs = zip(values.tensor(f"bar {key}").entries, values.tensor(gradient_id(key)).entries, strict=True)
        for one, other in pairs:
            near(certify(one, DIGITS).plain, sympy.Float(certify(other, DIGITS).plain, DIGITS + 10), key)


@ALL
def test_the_vjp_is_what_pytorch_computes(formula: Formula) -> None:
    torch = pytest.importorskip("torch")
    values = derived(formula)

    def numbers(rows: Any) -> Any:
        return torch.tensor([[float(x) for x in row] for row in rows.tolist()], dtype=torch.float64)

    def watched(key: str, value: Any) -> Any:
        return value.requires_grad_() if value.is_leaf else value

    run = Run(TorchKit(torch), {key: numbers(value) for key, value in given(values.tape).items()}, watched)
    PROGRAMS[formula.number](run)
    told = list(lines(values.tape))
    if not told:
        return
    total = sum((numbers(c) * run[key]).sum() for key, c in cotangents(values.tape).items())
    for key, gradient in zip(told, torch.autograd.grad(total, [run[key] for key in told]), strict=True):
        ours = [[float(certify(entry, 17).plain) for entry in row] for row in values.tensor(f"bar {key}").rows()]
        assert torch.allclose(torch.tensor(ours, dtype=torch.float64), gradient, rtol=0, atol=1e-10), key


@ALL
def test_a_wrong_line_is_found(formula: Formula) -> None:
    """Every line with its sign turned, and every one with a factor of 2, is told from the derivative."""
    found = 0
    for place, line in enumerate(formula.vjp):
        if not line.startswith(r"\bar"):
            continue
        left, _, right = line.partition("=")
        for wrong in (rf"{left}=-\left({right}\right)", rf"{left}=2\left({right}\right)"):
            mutant = replace(formula, vjp=(*formula.vjp[:place], wrong, *formula.vjp[place + 1 :]))
            with pytest.raises(AssertionError):
                compared_with_sympy(mutant)
            found += 1
    assert found == 2 * sum(line.startswith(r"\bar") for line in formula.vjp)


def test_the_checks_are_counted() -> None:
    told = [key for formula in formulas() for key in lines(derived(formula).tape)]
    assert (len(formulas()), sum(bool(formula.vjp) for formula in formulas())) == (25, 24)
    assert len(told) == sum(
        len(ids) for formula in formulas() for line, ids in vjp_steps(formula) if line[:4] == r"\bar"
    )


# --- derivations and invariants --------------------------------------------------------------------------


def tangents(formula: Formula) -> Program:
    """Every quantity's differential along one direction of the inputs, by SymPy, to 70 digits."""
    tape = derived(formula).tape
    step = sympy.Symbol("t", real=True)
    moving = {s.id for s in tape if s.part == "inputs" and not s.constant}

    def moved(key: str, value: Any) -> Any:
        if key not in moving:
            return value
        way = sympy.Matrix(value.rows, value.cols, lambda i, j: sympy.Rational(2 * i - 3 * j + len(key) % 5 + 1, 7))
        return value + step * way

    run = Run(SympyKit(), given(tape), moved)
    PROGRAMS[formula.number](run)
    return {
        key: tensor(value.applyfunc(lambda x: sympy.N(x.diff(step).subs(step, 0), 70)))
        for key, value in run.known.items()
    }


def dotted(formula: Formula, text: str) -> str:
    """A line in what our reader knows: `dX` as a dotted name, an inner product as the sum that it is."""
    example = formula.evaluation
    for name in sorted({*example.numbers, *(step[0] for step in example.steps), "c", "L"}, key=len, reverse=True):
        nucleus, rest = re.fullmatch(r"(\\[a-z]+|[A-Za-z])(.*)", name).groups()  # type: ignore[union-attr]
        told = rf"\dot{{{nucleus}}}{rest}"
        text = re.sub(rf"(?<![A-Za-z\\])d{re.escape(name)}(?![A-Za-z])", lambda _, told=told: told, text)
    inner = re.compile(r"\\langle((?:(?!\\rangle).)*?),((?:(?!\\rangle).)*?)\\rangle")
    while found := inner.search(text):
        # The comma between two factors, not one in a script.
        body = found.group(0)[len(r"\langle") : -len(r"\rangle")]
        cut = next(
            k
            for k, sign in enumerate(body)
            if sign == "," and body[:k].count("{") == body[:k].count("}") and body[k - 1] != "\\"
        )
        both = rf"\left(\left({body[:cut]}\right)\odot\left({body[cut + 1 :]}\right)\right)"
        text = text[: found.start()] + r"\sum" + both + text[found.end() :]
    return text


def holds(formula: Formula, line: str) -> int:
    """How many equations of numbers a line of a derivation or an invariant is, each of which holds."""
    values = derived(formula)
    names = {
        step.id: values.tensor(step.id).map(
            lambda x: -sympy.oo if x.infinite else sympy.Float(certify(x, DIGITS + 10).plain, DIGITS + 10)
        )
        for step in values.tape
    }
    moving = tangents(formula)
    names |= {f"dot {key}": value for key, value in moving.items()}
    pairs = [(names[f"bar {key}"], moving[key]) for key in cotangents(values.tape)]
    names["dot L"] = Tensor.scalar(sum(x * y for a, b in pairs for x, y in zip(a.entries, b.entries, strict=True)))
    reading = read(dotted(formula, line))
    assert reading.troubles == (), (line, dotted(formula, line))
    lengths, count = dict(formula.evaluation.lengths), 0
    summed = r"\sum_{i" in line
    for place in range(1, lengths.get("h", 1) + 1) if "i" in re.sub(r"\\[a-z]+", "", line) and not summed else (1,):

        def at(symbol: t.Symbol, place: int = place) -> t.Node:
            return t.Number(str(place)) if symbol.name.key == "i" else t.Symbol(indexed(symbol.name, place))

        for chain in reading.chains:
            trees = [side if summed else t.substitute(side, at) for side in chain.sides if side is not None]
            told = [interpret(tree, names, SympyAlgebra(), lengths).entries for tree in trees]
            assert len(told) == len(chain.sides) > 1
            for side in told[1:]:
                for one, other in zip(told[0], side, strict=True):
                    near(one, other, line)
                    count += 1
    return count


@ALL
def test_every_line_of_the_derivation_holds(formula: Formula) -> None:
    assert [line for line in formula.derivation if not holds(formula, line)] == []
    assert bool(formula.derivation) == bool(formula.vjp)


@ALL
def test_every_invariant_holds(formula: Formula) -> None:
    assert formula.invariants
    assert [line for line in formula.invariants if not holds(formula, line)] == []
