"""Every operation as NumPy source: run, it gives what the enclosures contain, and it reads as a person writes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from symtrans.errors import ShapeError
from symtrans.notation.reader import read_expression, read_name
from symtrans.notation.tree import Node
from symtrans.ops import all_ops, find_op
from symtrans.ops.domains.ball import BallAlgebra
from symtrans.ops.formulas import member_names, rule_tree, run, vjp_tree
from symtrans.ops.functions import FUNCTIONS
from symtrans.ops.interpret import interpret
from symtrans.ops.numpy_functions import HELPERS, SOURCES, helpers_of
from symtrans.ops.numpy_piece import Piece, atom
from symtrans.ops.numpy_source import numpy_rule, numpy_source
from symtrans.ops.op import Op
from symtrans.ops.proof import cotangent_name, has_vjp, sample_count, sample_lengths, sample_settings, sample_shapes
from symtrans.ops.shapes import Shape
from symtrans.ops.tensor import Tensor

ALGEBRA = BallAlgebra(200)


def numbers(shape: Shape, seed: int) -> Tensor[Any]:
    """Positive numbers below 1, all different, so that roots and logarithms have a value."""
    count = shape[0] * shape[1] if shape else 1
    return Tensor(shape, tuple(Fraction((7 * place + 3 * seed) % 19 + 1, 23) for place in range(count))).map(
        ALGEBRA.scalars.number
    )


def floats(value: Tensor[Any]) -> Any:
    """The middles of balls as NumPy has them: an array, or a number."""
    entries = [float(ball.mid()) for ball in value.entries]
    return np.array(entries).reshape(value.shape) if value.shape else entries[0]


def carried_out(source: str, values: Mapping[str, Any]) -> Any:
    space: dict[str, Any] = {"np": np, "math": math, **values}
    for helper in helpers_of(source):
        exec(HELPERS[helper], space)
    return eval(source, space)


def agrees(tree: Node, names: Mapping[str, Tensor[Any]], lengths: Mapping[str, int] | None = None) -> int:
    """How many entries the source of a tree gives as the enclosures have them; it must be all."""
    true = interpret(tree, names, ALGEBRA, lengths, by_rows=True)
    plain = {key: f"v{place}" for place, key in enumerate(names)}
    pieces = {key: atom(plain[key], tensor.shape) for key, tensor in names.items()}
    source = numpy_source(tree, pieces, lengths)
    got = carried_out(source.text, {plain[key]: floats(tensor) for key, tensor in names.items()})
    assert source.shape == true.shape
    assert np.shape(got) == true.shape, source.text
    np.testing.assert_allclose(got, floats(true), rtol=1e-12, atol=1e-13, err_msg=source.text)
    return len(true.entries)


def test_every_rule_and_every_vjp() -> None:
    def check(op: Op) -> int:
        count, shapes = sample_count(op), sample_shapes(op)
        names = {
            name.key: numbers(shape, seed)
            for seed, (name, shape) in enumerate(zip(member_names(op, count), shapes, strict=True), 1)
        }
        result = run(op, list(names.values()), ALGEBRA, sample_settings(op))
        names |= {read_name(op.result.name).key: result, cotangent_name(op).key: numbers(result.shape, 5)}
        compared = agrees(rule_tree(op, count), names, sample_lengths(op, 0))
        for place in range(count):
            if has_vjp(op, place):
                compared += agrees(vjp_tree(op, place, count), names, sample_lengths(op, place))
        return compared

    facts = {name: check(op) for name, op in all_ops().items()}
    assert len(facts) >= 50
    assert all(facts.values())


ARGUMENTS = {"dot": [(1, 3), (1, 3)], "det": [(3, 3)], "Concat": [(2, 3), (2, 1)]}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function(name: str) -> None:
    shapes: list[Shape] = ARGUMENTS.get(name, [(2, 3)])  # type: ignore[assignment]
    letters = "XYZ"[: len(shapes)]
    names = {letter: numbers(shape, seed) for seed, (letter, shape) in enumerate(zip(letters, shapes, strict=True), 1)}
    inner = ",".join(letters)
    tree = read_expression(rf"\text{{softmax}}\left({inner}\right)")
    tree = type(tree)(name, tree.arguments)  # type: ignore[attr-defined, call-arg]
    assert agrees(tree, names)


def test_the_functions_are_those_of_the_algebra() -> None:
    assert SOURCES.keys() == FUNCTIONS.keys()


FORMULAS = [
    r"\text{softmax}\left(c\right)",
    r"\text{softmax}\left(2,\frac{1}{3},a\right)",
    r"\max\left(X,a\right)+\min\left(X,a,\frac{1}{2}\right)",
    r"\max\left(X\right)-\min\left(X\right)",
    r"\log_2\left(X\right)",
    r"\sum X^2",
    r"\sum\left(X^2\right)^{T}",
    r"M^2+M",
    r"\sqrt[3]{X}-X",
    r"\left|a-2\right|X",
    r"X-\left(X-X\odot X\right)",
    r"-X\odot X-X",
    r"\frac{X}{X\odot X}",
    r"X\left(c^{T}\odot c^{T}\right)^{T}",
    r"\begin{bmatrix}1&a\\0&-2\end{bmatrix}X",
    r"\begin{bmatrix}X&\mathbf{1}_{2}\\M&0\mathbf{1}_{3}\mathbf{1}_{1}^{T}\end{bmatrix}",
    r"\begin{bmatrix}a&r\end{bmatrix}",
    r"X\mathbf{1}_{3}\mathbf{1}_{4}^{T}",
    r"\mathbf{1}_{4}\mathbf{1}_{2}^{T}X",
    r"\mathbf{1}_{2}^{T}\mathbf{1}_{2}",
    r"\left(\mathbf{1}_{2}r\right)\mathbf{1}_{3}",
    r"\mathbf{1}_{3}^{T}\left(c\mathbf{1}_{4}^{T}\right)",
    r"\left(\mathbf{1}_{2}r\right)M",
    r"\left(c\mathbf{1}_{3}^{T}\right)^{T}\odot M",
    r"\sum\left(c\mathbf{1}_{4}^{T}\right)",
    r"\sum\mathbf{1}_{5}",
    r"{\left(c\mathbf{1}_{4}^{T}\right)}_{2:3,1:2}",
    r"\sum_{i=1}^{3}i^2X",
    r"\sum_{i=1}^{3}X_{:,i:i}",
    r"\sum_{i=1}^{3}X_{:,4-i:4-i}",
    r"\sum_{i=1}^{2}X_{i:i,i:i+1}",
    r"\sum_{i=1}^{3}\sum_{j=1}^{3}ijM_{i:i,j:j}",
    r"\sum_{i=1}^{3}{\mathbf{1}_{i}}_{1:1,:}",
    r"\prod_{i=1}^{3}\left(a+i\right)",
    r"a^{a}+2^{a}",
    r"\sigma\left(X\right)\odot X",
    r"\pi X+e^{X}",
    r"\left\|X\right\|X",
    r"2\cdot007a",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_of_the_language(formula: str) -> None:
    shapes: dict[str, Shape] = {"X": (2, 3), "M": (3, 3), "c": (3, 1), "r": (1, 3), "a": ()}
    assert agrees(read_expression(formula), {key: numbers(shape, 2) for key, shape in shapes.items()})


def test_a_masked_entry_weighs_nothing() -> None:
    source = numpy_rule(find_op("softmax"), [atom("Z", (1, 3))])
    weights = carried_out(source.text, {"Z": np.array([[0, -np.inf, math.log(3)]])})
    np.testing.assert_allclose(weights, [[0.25, 0, 0.75]], rtol=1e-15)
    assert numpy_source(read_expression(r"-\infty"), {}).text == "-np.inf"


X, Y, Z = (atom(name, (2, 2)) for name in "XYZ")
COLUMN = atom("mu", (2, 1))
NORM = [X, COLUMN, atom("sigma", (2, 1)), atom("g", (1, 2)), atom("b", (1, 2)), atom("eps", ())]
READ: list[tuple[str, list[Piece], str]] = [
    ("matmul", [X, Y], "X @ Y"),
    ("scores", [X, Y], "X @ Y.T"),
    ("softmax", [X], "softmax(X)"),
    ("half_sum_of_squares", [X, Y], "1 / 2 * np.sum((X - Y) ** 2)"),
    ("concat", [X, Y, Z], "np.hstack([X, Y, Z])"),
    ("uniform_weights", [X], "np.full((2, 2), 1 / 2)"),
    ("row_mean", [X], "1 / 2 * X.sum(axis=1, keepdims=True)"),
    (
        "layer_norm",
        NORM,
        "(X - mu) / (sigma + eps) * g + b",
    ),
    ("silu", [X], "X * sigmoid(X)"),
    ("linear", [X, Y, COLUMN], "X @ Y + mu.T"),
]


@pytest.mark.parametrize(("name", "operands", "source"), READ, ids=[name for name, _, _ in READ])
def test_it_reads_as_a_person_writes_it(name: str, operands: list[Piece], source: str) -> None:
    assert numpy_rule(find_op(name), operands).text == source


def test_shapes_that_do_not_fit_are_refused() -> None:
    wide = atom("W", (2, 3))
    wrong: list[Callable[[], object]] = [
        lambda: numpy_rule(find_op("matmul"), [wide, wide]),
        lambda: numpy_source(read_expression("X+W"), {"X": X, "W": wide}),
        lambda: numpy_source(read_expression("WW"), {"W": wide}),
        lambda: numpy_source(read_expression("W_{:,2:4}"), {"W": wide}),
        lambda: numpy_source(read_expression(r"2^W"), {"W": wide}),
    ]
    for call in wrong:
        with pytest.raises(ShapeError):
            call()
