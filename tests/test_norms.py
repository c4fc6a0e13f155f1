"""Norms as chains of steps: their cotangents are the closed forms of the literature and keep the invariants.

The chain is pulled back op by op, as a tape does it; the closed form is computed by mpmath from the inputs alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import mpmath
import pytest
from click.testing import CliRunner

from symtrans.cli.main import main
from symtrans.notation.reader import read_name
from symtrans.ops import find_op
from symtrans.ops.domains.ball import BallAlgebra
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.formulas import member_names, run, vjp_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.proof import cotangent_name
from symtrans.ops.shapes import bind
from symtrans.ops.tensor import Tensor

EPSILON = Fraction(1, 1000)
# norm, what it takes of the spread, and what measures the spread; each takes its mean from row_mean
CHAINS = {
    "deviation": ("layer_norm", "row_deviation"),
    "deviation of a sample": ("layer_norm", "row_deviation_of_sample"),
    "variance": ("layer_norm_of_variance", "row_variance"),
}

Numbers = list[list[Fraction]]


class Chain:
    """Steps carried out one after the other, and pulled back from the last; a quantity used twice adds up."""

    def __init__(self, algebra: Any, **given: Any) -> None:
        self.algebra = algebra
        self.values: dict[str, Tensor[Any]] = {name: self.tensor(numbers) for name, numbers in given.items()}
        self.steps: list[tuple[str, str, tuple[str, ...]]] = []

    def tensor(self, numbers: Any) -> Tensor[Any]:
        make: Callable[[Fraction], Any] = self.algebra.scalars.number
        if not isinstance(numbers, list):
            return Tensor.scalar(make(Fraction(numbers)))
        return Tensor.matrix([[make(Fraction(entry)) for entry in row] for row in numbers])

    def step(self, result: str, op: str, *operands: str) -> None:
        self.values[result] = run(find_op(op), [self.values[name] for name in operands], self.algebra)
        self.steps.append((result, op, operands))

    def pulled_back(self, cotangent: Tensor[Any]) -> dict[str, Tensor[Any]]:
        bars = {self.steps[-1][0]: cotangent}
        for result, op_name, operands in reversed(self.steps):
            op, given = find_op(op_name), [self.values[name] for name in operands]
            names = {n.key: value for n, value in zip(member_names(op, len(given)), given, strict=True)}
            names |= {read_name(op.result.name).key: self.values[result], cotangent_name(op).key: bars[result]}
            lengths = bind(op, [value.shape for value in given])
            for position, name in enumerate(operands):
                part = interpret(vjp_tree(op, position, len(given)), names, self.algebra, lengths)
                bars[name] = self.algebra.add(bars[name], part) if name in bars else part
        return bars

    def inner(self, a: Tensor[Any], b: Tensor[Any]) -> Any:
        return self.algebra.total(self.algebra.odot(a, b)).item


def random_numbers(rows: int, columns: int, seed: int) -> Numbers:
    source = random.Random(seed)
    return [[Fraction(source.randint(-99, 99), source.randint(1, 19)) for _ in range(columns)] for _ in range(rows)]


def layer_norm(kind: str, algebra: Any, seed: int, epsilon: Fraction, width: int = 4) -> tuple[Chain, Tensor[Any]]:
    """The chain of a layer norm on random numbers, and a random cotangent of its result."""
    x, gamma, beta, bar = (random_numbers(n, width, 10 * seed + i) for i, n in enumerate((3, 1, 1, 3)))
    chain = Chain(algebra, x=x, gamma=gamma, beta=beta, epsilon=epsilon)
    norm, spread = CHAINS[kind]
    chain.step("mu", "row_mean", "x")
    chain.step("spread", spread, "x", "mu")
    chain.step("y", norm, "x", "mu", "spread", "gamma", "beta", "epsilon")
    return chain, chain.tensor(bar)


def rms_norm(algebra: Any, seed: int, epsilon: Fraction) -> tuple[Chain, Tensor[Any]]:
    x, gamma, bar = (random_numbers(n, 4, 10 * seed + i) for i, n in enumerate((3, 1, 3)))
    chain = Chain(algebra, x=x, gamma=gamma, epsilon=epsilon)
    chain.step("v", "row_mean_square", "x")
    chain.step("y", "rms_norm", "x", "v", "gamma", "epsilon")
    return chain, chain.tensor(bar)


def mp(number: Fraction) -> Any:
    return mpmath.mpf(number.numerator) / number.denominator


def closed_form(kind: str, row: list[Any], g: list[Any], epsilon: Any) -> list[Any]:
    """The cotangent of one row of the input, from the row and from g, the cotangent times gamma."""
    n = len(row)
    mean_g = mpmath.fsum(g) / n
    if kind == "root mean square":
        s = mpmath.sqrt(mpmath.fsum(e * e for e in row) / n + epsilon)
        return [b / s - e * mpmath.fdot(g, row) / (n * s**3) for b, e in zip(g, row, strict=True)]
    mean = mpmath.fsum(row) / n
    c = [e - mean for e in row]
    variance = mpmath.fsum(e * e for e in c) / (n - 1 if "sample" in kind else n)
    if kind == "variance":
        s = mpmath.sqrt(variance + epsilon)
        hat = [e / s for e in c]
        return [(b - mean_g - h * mpmath.fdot(g, hat) / n) / s for b, h in zip(g, hat, strict=True)]
    sigma = mpmath.sqrt(variance)
    s, count = sigma + epsilon, n - 1 if "sample" in kind else n
    return [(b - mean_g) / s - e * mpmath.fdot(g, c) / (count * sigma * s**2) for b, e in zip(g, c, strict=True)]


@pytest.mark.parametrize("kind", [*CHAINS, "root mean square"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_chain_pulls_back_to_the_closed_form(kind: str, seed: int) -> None:
    algebra = BallAlgebra(256)
    chain, bar = rms_norm(algebra, seed, EPSILON) if kind not in CHAINS else layer_norm(kind, algebra, seed, EPSILON)
    back = chain.pulled_back(bar)["x"]
    places = (0, 1, 2) if kind not in CHAINS else (0, 1, 3)
    x, gamma, cotangent = (random_numbers(n, 4, 10 * seed + i) for i, n in zip(places, (3, 1, 3), strict=True))
    compared = 0
    with mpmath.workdps(70), flint.ctx.workprec(300):
        for place, (row, bars) in enumerate(zip(x, cotangent, strict=True)):
            g = [mp(b * scale) for b, scale in zip(bars, gamma[0], strict=True)]
            expected = closed_form(kind, [mp(e) for e in row], g, mp(EPSILON))
            for ball, number in zip(back.rows()[place], expected, strict=True):
                off = abs(ball - flint.arb(mpmath.nstr(number, 65)))
                assert off < flint.arb(10) ** -55
                assert abs(ball) > flint.arb(10) ** -20
                compared += 1
    assert compared == 12


@pytest.mark.parametrize("kind", CHAINS)
@pytest.mark.parametrize("epsilon", [Fraction(0), EPSILON])
def test_a_layer_norm_does_not_feel_a_shift_and_without_epsilon_no_scale(kind: str, epsilon: Fraction) -> None:
    algebra = ExactAlgebra()
    zero = algebra.number(0).item
    chain, bar = layer_norm(kind, algebra, 7, epsilon)
    bars = chain.pulled_back(bar)
    assert any(entry != zero for entry in bars["x"].entries)
    for row in bars["x"].rows():
        assert algebra.scalars.is_zero(algebra.sum_of(row))
    for x, back in zip(chain.values["x"].rows(), bars["x"].rows(), strict=True):
        along = algebra.sum_of([algebra.scalars.multiply(a, b) for a, b in zip(x, back, strict=True)])
        assert algebra.scalars.is_zero(along) == (epsilon == 0)
    shares = [chain.inner(chain.values[name], bars[name]) for name in ("gamma", "beta")]
    assert algebra.sum_of(shares) == chain.inner(chain.values["y"], bar)


@pytest.mark.parametrize("epsilon", [Fraction(0), EPSILON])
def test_an_rms_norm_without_epsilon_feels_no_scale(epsilon: Fraction) -> None:
    algebra = ExactAlgebra()
    chain, bar = rms_norm(algebra, 7, epsilon)
    bars = chain.pulled_back(bar)
    for x, back in zip(chain.values["x"].rows(), bars["x"].rows(), strict=True):
        along = algebra.sum_of([algebra.scalars.multiply(a, b) for a, b in zip(x, back, strict=True)])
        assert algebra.scalars.is_zero(along) == (epsilon == 0)
        assert not algebra.scalars.is_zero(algebra.sum_of(back))
    assert chain.inner(chain.values["gamma"], bars["gamma"]) == chain.inner(chain.values["y"], bar)


@pytest.mark.parametrize("kind", CHAINS)
def test_in_two_columns_a_layer_norm_without_epsilon_lets_nothing_back(kind: str) -> None:
    algebra = ExactAlgebra()
    chain, bar = layer_norm(kind, algebra, 5, Fraction(0), width=2)
    assert all(algebra.scalars.is_zero(entry) for entry in chain.pulled_back(bar)["x"].entries)


PAGE = r"""
$$X=\begin{bmatrix}1.0&1.0&3.0&3.0\\2.0&4.0&6.0&8.0\end{bmatrix}$$

$$\gamma=\begin{bmatrix}1.0&2.0&0.5&1.0\end{bmatrix}$$

$$\beta=\begin{bmatrix}0.0&0.1&0.0&1.0\end{bmatrix}$$

$$\epsilon=0.00001$$

$$\mu=MEAN=\begin{bmatrix}2.0\\5.0\end{bmatrix}$$

$$\sigma=DEVIATION\approx\begin{bmatrix}1.0\\2.2361\end{bmatrix}$$

$$Y=NORM\approx\begin{bmatrix}-1.0000&-1.9000&0.5000&2.0000\\-1.3416&-0.7944&0.2236&2.3416\end{bmatrix}$$
"""  # The second row's deviation is √5, its norm (-3, -1, 1, 3)/√5 and the scale and shift of each column.


@pytest.mark.parametrize(("wrong", "code"), [("", 0), ("-0.7944", 1), ("2.2361", 1)])
def test_a_page_that_states_a_layer_norm_is_verified(wrong: str, code: int, tmp_path: Path) -> None:
    page = PAGE if not wrong else PAGE.replace(wrong, wrong.replace("4", "5").replace("6", "7"))
    for word, op in (("MEAN", "row_mean"), ("DEVIATION", "row_deviation"), ("NORM", "layer_norm")):
        rule = find_op(op).rule.replace("_{m}", "_{4}").replace("_{n}", "_{2}").replace(r"\frac{1}{m}", r"\frac{1}{4}")
        page = page.replace(f"={word}", f"={rule}")
    path = tmp_path / "page.md"
    path.write_text(page, encoding="utf-8")
    done = CliRunner().invoke(main, ["verify", str(path)])
    assert done.exit_code == code, done.output
    assert "0 undecided, 0 unreadable" in done.output
