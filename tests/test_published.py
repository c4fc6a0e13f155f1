"""Numbers that others have printed about Transformers, computed again: every digit, or what is wrong with it.

A file of data/published is one source: what it gives, what it prints, and under `off` each printed number that
is not the value's, with the right digits, which were worked out in mpmath. Why it is off: `float32`, so many `steps`
of single precision from the nearest such number; `carried on`, from an earlier slip; or plainly `wrong`.

`inputs = "exact"`: the printed number must be a right rounding of the exact value; with `digits = "float32"` it may
name the single-precision number nearest to it instead. `inputs = "rounded"`: the inputs are prints too, so each is
taken with half a unit of its last digit, and what is printed must meet the enclosure. `decimals`: how many of them
NumPy shows in the whole array, last zeros cut.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import flint
import pytest

from symtrans.exact.enclosure import enclose
from symtrans.exact.rounding import Agreement, decide
from symtrans.exact.written import Written
from symtrans.notation.reader import read_expression
from symtrans.ops import find_op
from symtrans.ops.algebra import Algebra
from symtrans.ops.domains.ball import BallAlgebra
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.formulas import run
from symtrans.ops.interpret import interpret
from symtrans.ops.tensor import Tensor

SOURCES = sorted((Path(__file__).parent / "data" / "published").glob("*.toml"))
EXACT = [path for path in SOURCES if tomllib.loads(path.read_text("utf-8"))["inputs"] == "exact"]
ROUNDED = [path for path in SOURCES if path not in EXACT]
RIGHT = (Agreement.EXACT, Agreement.ROUNDED)
BITS = 200
SINGLE = 24  # bits of a single-precision significand
WIDEST = 20  # units of the last digit that an enclosure from rounded inputs may be wide to either side


def name_of(path: Path) -> str:
    return path.stem


def table(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


@dataclass
class Figure:
    """One printed number: where it stands, what is true, and what the data tells of it if the two differ."""

    where: str
    text: str
    true: Any
    step: dict[str, Any]
    off: dict[str, Any] = field(default_factory=dict)

    def read(self, text: str) -> Written:
        """The numeral with the zeros that NumPy has cut."""
        written = Written.parse(text)
        missing = self.step.get("decimals", 0) - (written.decimals or 0)
        return Written.parse(f"{text}{'' if '.' in text else '.'}{'0' * missing}") if missing > 0 else written

    def holds(self, text: str) -> bool:
        """Whether a numeral is what a right print of the exact value shows."""
        if text == "-inf":
            return bool(self.true.infinite < 0)
        return self.shows(self.read(text))

    def shows(self, written: Written) -> bool:
        """Whether the written number is a right rounding or, where single precision is printed, names the same one."""
        same = self.step.get("digits") == "float32" and single(written.value) == single(self.true)
        return same or decide(self.true, written) in RIGHT


def step_of(size: Fraction) -> Fraction:
    """The distance of single-precision numbers of this size."""
    power = 0
    while Fraction(2) ** power > size:
        power -= 1
    while Fraction(2) ** (power + 1) <= size:
        power += 1
    return Fraction(2) ** (power + 1 - SINGLE)


def single(value: Any) -> Fraction:
    """The single-precision number nearest to a fraction or to an exact element, which no tie is near."""
    if not isinstance(value, Fraction):
        if value.is_rational:
            return single(value.fraction)
        ball = enclose(value, BITS)
        ends = {single(fraction(end)) for end in (ball.lower(), ball.upper())}
        assert len(ends) == 1
        return ends.pop()
    unit = step_of(abs(value)) if value else Fraction(1)
    return round(value / unit) * unit


def fraction(point: Any) -> Fraction:
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def entry(text: str, algebra: Algebra[Any], rounded: bool) -> Any:
    """A printed input; a decimal that is itself rounded is as wide as its last digit allows."""
    if text == "-inf":
        return algebra.scalars.minus_infinity()
    written = Written.parse(text)
    number = algebra.scalars.number(written.value)
    if not rounded or "." not in text:
        return number
    with flint.ctx.workprec(BITS):
        return number + flint.arb(0, flint.arb(1) / (2 * flint.arb(10) ** written.decimals))


def tensor(text: str, algebra: Algebra[Any], rounded: bool) -> Tensor[Any]:
    rows = [[entry(item, algebra, rounded) for item in row] for row in table(text)]
    return Tensor.scalar(rows[0][0]) if len(rows) == len(rows[0]) == 1 else Tensor.matrix(rows)


def values(
    source: dict[str, Any], algebra: Algebra[Any], rounded: bool
) -> Iterator[tuple[dict[str, Any], Tensor[Any]]]:
    """Each step with its value; a step that `keeps` its print hands that on instead."""
    names = {name: tensor(text, algebra, rounded) for name, text in source["given"].items()}
    for step in source["step"]:
        if "op" in step:
            operands = [names[operand] for operand in step["operands"]]
            value = run(find_op(step["op"]), operands, algebra, step.get("settings"))
        else:
            value = interpret(read_expression(step["formula"]), names, algebra)
        yield step, value
        names[step["name"]] = tensor(step["printed"], algebra, rounded) if "keeps" in step else value


@lru_cache
def figures(path: Path) -> list[Figure]:
    source = tomllib.loads(path.read_text("utf-8"))
    rounded = source["inputs"] == "rounded"
    algebra: Algebra[Any] = BallAlgebra(BITS, broadcast=True) if rounded else ExactAlgebra(broadcast=True)
    found = []
    for step, value in values(source, algebra, rounded):
        if "printed" not in step:
            continue
        told = {tuple(off["at"]): off for off in step.get("off", [])}
        rows = zip(table(step["printed"]), value.rows(), strict=True)
        for i, (texts, entries) in enumerate(rows, 1):
            for j, (text, true) in enumerate(zip(texts, entries, strict=True), 1):
                where = f"{path.stem} {step['name']} {i},{j}"
                found.append(Figure(where, text, true, step, told.pop((i, j), {})))
        assert not told, (path.stem, step["name"])
    return found


def test_each_source_is_told() -> None:
    told = [tomllib.loads(path.read_text("utf-8")) for path in SOURCES]
    assert len(told) >= 10
    for source in told:
        assert {"title", "author", "year", "where", "inputs", "given", "step"} <= set(source)
        assert source["inputs"] in ("exact", "rounded")


@pytest.mark.parametrize("path", EXACT, ids=name_of)
def test_every_digit_printed_from_exact_inputs(path: Path) -> None:
    for figure in figures(path):
        assert figure.holds(figure.text) is not bool(figure.off), figure.where


@pytest.mark.parametrize("path", EXACT, ids=name_of)
def test_what_is_printed_wrong_is_told_with_the_right_digits(path: Path) -> None:
    for figure in figures(path):
        if not figure.off:
            continue
        assert figure.holds(figure.off["right"]), figure.where
        wrong, right = figure.read(figure.text), figure.read(figure.off["right"])
        if figure.off["why"] == "float32":
            near = single(figure.true)
            assert abs(single(wrong.value) - near) == figure.off["steps"] * step_of(abs(near)), figure.where
        else:
            assert figure.off["why"] in ("wrong", "carried on"), figure.where
            assert wrong.decimals is not None
            assert abs(wrong.value - right.value) >= Fraction(1, 10**wrong.decimals), figure.where


@pytest.mark.parametrize("path", EXACT, ids=name_of)
def test_a_last_digit_off_by_one_would_be_seen(path: Path) -> None:
    for figure in figures(path):
        if figure.off or figure.text == "-inf":
            continue
        written = figure.read(figure.text)
        assert written.decimals is not None
        unit = Fraction(10) ** -written.decimals
        if figure.step.get("digits") == "float32":
            unit += 2 * step_of(abs(written.value) or unit)
        for other in (written.value + unit, written.value - unit):
            assert not figure.shows(Written(figure.text, other, written.decimals)), figure.where


@pytest.mark.parametrize("path", EXACT, ids=name_of)
def test_enclosures_agree_with_the_exact_values(path: Path) -> None:
    source = tomllib.loads(path.read_text("utf-8"))
    exact, balls = ExactAlgebra(broadcast=True), BallAlgebra(BITS, broadcast=True)
    for (step, value), (_, ball) in zip(values(source, exact, False), values(source, balls, False), strict=True):
        for one, other in zip(value.entries, ball.entries, strict=True):
            assert one.infinite or enclose(one, BITS).overlaps(other), (path.stem, step["name"])


@pytest.mark.parametrize("path", ROUNDED, ids=name_of)
def test_every_number_printed_from_rounded_inputs_meets_its_enclosure(path: Path) -> None:
    algebra = BallAlgebra(BITS)
    for figure in figures(path):
        written = Written.parse(figure.text)
        assert written.decimals is not None
        assert entry(figure.text, algebra, True).overlaps(figure.true), figure.where
        assert figure.true.rad() * 10**written.decimals < WIDEST, figure.where


def test_the_seeded_weights_are_what_the_seed_gives() -> None:
    numpy = pytest.importorskip("numpy")
    source = tomllib.loads((SOURCES[0].parent / "attention_from_scratch.toml").read_text("utf-8"))
    generator = numpy.random.RandomState(42)
    for name in "qkv":
        assert generator.randint(3, size=(3, 3)).tolist() == [[int(x) for x in r] for r in table(source["given"][name])]


def test_how_many_figures_are_right() -> None:
    count = Counter(figure.off.get("why", "right") for path in SOURCES for figure in figures(path))
    print(dict(count))
    assert count["right"] >= 650
    assert count["wrong"] >= 10
