"""Every operation: its vjp is its Jacobian, its values are right by hand and by another library, its print is its rule.

Each test walks the registry and counts what it truly compared; an operation that a test does not reach fails it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import mpmath
import pytest
import sympy

from symtrans.errors import ShapeError
from symtrans.exact.enclosure import enclose
from symtrans.notation.dialect import load_dialect
from symtrans.notation.reader import read_expression, read_name
from symtrans.notation.tree import Dots, walk
from symtrans.notation.writer import Writer
from symtrans.ops import all_ops, find_op
from symtrans.ops.domains.ball import BallAlgebra
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.formulas import member_names, rule_tree, run, vjp_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.op import Op
from symtrans.ops.proof import (
    cotangent_name,
    has_vjp,
    is_zero,
    prove,
    sample_count,
    sample_lengths,
    sample_settings,
    sample_shapes,
)
from symtrans.ops.shapes import Shape, assign, bind, result_shape
from symtrans.ops.tensor import Tensor


def over_registry(check: Callable[[Op], int]) -> dict[str, int]:
    """How many facts the check compared for each op, and the proof that it left none out."""
    facts = {name: check(op) for name, op in all_ops().items()}
    assert len(facts) >= 17
    assert [name for name, count in facts.items() if not count] == []
    print(f"{sum(facts.values())} facts of {len(facts)} operations: {facts}")
    return facts


def tensor(rows: Any, make: Callable[[Fraction], Any]) -> Tensor[Any]:
    """A tensor from a number or from rows of numbers, written as strings or integers."""
    if not isinstance(rows, list):
        return Tensor.scalar(make(Fraction(rows)))
    return Tensor.matrix([[make(Fraction(entry)) for entry in row] for row in rows])


def sample_numbers(shape: Shape, seed: int) -> Any:
    """Rational numbers none of which has a finite binary fraction."""
    if not shape:
        return Fraction(5 + seed, 11)
    return [
        [Fraction(7 * (i + seed) ** 2 - 5 * j * (seed + 2) + 1, 11 + 2 * j) for j in range(shape[1])]
        for i in range(shape[0])
    ]


# --- (a) the vjp is the transposed Jacobian


def test_every_vjp_is_the_transposed_jacobian() -> None:
    def check(op: Op) -> int:
        proofs = [prove(op, position) for position in range(sample_count(op))]
        assert [fault for proof in proofs for fault in proof.faults] == []
        return sum(proof.compared for proof in proofs)

    over_registry(check)


def test_an_op_without_a_vjp_says_why() -> None:
    assert {name for name, op in all_ops().items() if not op.vjp} == {n for n, op in all_ops().items() if op.stops}
    assert find_op("uniform_weights").stops == "weights_fixed"
    for op in all_ops().values():
        assert set(op.vjp) in (set(), {operand.name for operand in op.operands})


def test_the_comparison_tells_equal_from_different() -> None:
    x, y = sympy.symbols("x y")
    equal = [
        sympy.exp(x) * sympy.exp(y) - sympy.exp(x + y),
        sympy.exp(2 * x) - sympy.exp(x) ** 2,
        1 / (1 + sympy.exp(-x)) - sympy.exp(x) / (1 + sympy.exp(x)),
        x / sympy.sqrt(5) - sympy.sqrt(5) * x / 5,
    ]
    assert [is_zero(expression) for expression in equal] == [True] * 4
    different = [sympy.exp(x) - sympy.exp(2 * x), sympy.exp(x) - x, x * y - y, sympy.sqrt(5) * x - 2 * x]
    assert [is_zero(expression) for expression in different] == [False] * 4


# --- (b) values worked out by hand: operands, settings, result

THIRD = Fraction(1, 3)
BY_HAND: dict[str, tuple[list[Any], dict[str, int], Any]] = {
    "add": ([[[1, 2], [3, 4]], [[10, 20], [30, 40]], [[100, 200], [300, 400]]], {}, [[111, 222], [333, 444]]),
    "columns": ([[[1, 2, 3, 4], [5, 6, 7, 8]]], {"a": 2, "b": 3}, [[2, 3], [6, 7]]),
    "concat": ([[[1], [2]], [[3, 4], [5, 6]]], {}, [[1, 3, 4], [2, 5, 6]]),
    "copy": ([[[1, "1/2"]]], {}, [[1, "1/2"]]),
    "descent_step": ([[[1, 2], [3, 4]], "0.1", [[10, -20], [5, 0]]], {}, [[0, 4], ["2.5", 4]]),
    "half_sum_of_squares": ([[["2.7", "3.2"], ["2.7", "3.2"]], [[1, 0], [0, 1]]], {}, "12.63"),
    "matmul": (
        [[[1, 2], [3, 4]], [["0.1", "0.2", "0.3", "0.4"], ["0.5", "0.6", "0.7", "0.8"]]],
        {},
        [["1.1", "1.4", "1.7", 2], ["2.3", 3, "3.7", "4.4"]],
    ),
    "scale": (["-1/2", [[2, 4], [6, -8]]], {}, [[-1, -2], [-3, 4]]),
    "scale_by_root": ([[[2, -6], [1, 0]]], {"d": 4}, [[1, -3], ["1/2", 0]]),
    "scores": ([[[1, 2], [3, 4]], [[5, 6], [7, 8], [9, 10]]], {}, [[17, 23, 29], [39, 53, 67]]),
    "softmax": ([[[0, 0, 0], ["2.5", "2.5", "5/2"]]], {}, [[THIRD, THIRD, THIRD], [THIRD, THIRD, THIRD]]),
    "square": ([[[1, -2], ["1/2", 0]]], {}, [[1, 4], ["1/4", 0]]),
    "subtract": ([[[1, 2, 3]], [[3, 3, "1/3"]]], {}, [[-2, -1, "8/3"]]),
    "total": ([[[1, 2, 3], [4, 5, -6]]], {}, 9),
    "transpose": ([[[1, 2, 3], [4, 5, 6]]], {}, [[1, 4], [2, 5], [3, 6]]),
    "uniform_weights": ([[[12, 26, 3, 4], [7, 1, 0, 0]]], {}, [["0.25"] * 4] * 2),
    "zeros_like": ([[[1, 2, 3]]], {}, [[0, 0, 0]]),
}


def test_every_value_by_hand() -> None:
    def check(op: Op) -> int:
        operands, settings, expected = BY_HAND[op.name]
        algebra = ExactAlgebra()
        given = [tensor(rows, algebra.scalars.number) for rows in operands]
        result = run(op, given, algebra, settings)
        assert result == tensor(expected, algebra.scalars.number), op.name
        assert result.shape == result_shape(op, [g.shape for g in given], settings)
        return len(result.entries)

    assert set(over_registry(check)) == set(BY_HAND)


def test_a_softmax_of_unequal_scores_by_hand() -> None:
    algebra = ExactAlgebra()
    zero, three = algebra.number(0), algebra.entrywise("log", algebra.number(3))
    weights = run(find_op("softmax"), [Tensor((1, 2), (zero.item, three.item))], algebra)
    for weight, true in zip(weights.entries, (Fraction(1, 4), Fraction(3, 4)), strict=True):
        ball = enclose(weight, 200)
        assert ball.contains(flint.arb(flint.fmpq(true.numerator, true.denominator)))
        assert ball.rad() < flint.arb(2) ** -190
    assert algebra.sum_of(weights.entries) == algebra.number(1).item


# --- (c) what is printed, read back, is the formula


@pytest.mark.parametrize("dialect", ["array", "ams"])
def test_every_printed_formula_reads_back_to_the_same_value(dialect: str) -> None:
    writer = Writer(load_dialect(dialect))

    def check(op: Op) -> int:
        count = sample_count(op)
        trees = [(rule_tree(op, count), 0)]
        trees += [(vjp_tree(op, place, count), place) for place in range(count) if has_vjp(op, place)]
        algebra = ExactAlgebra()
        shapes = sample_shapes(op)
        names = {
            name.key: tensor(sample_numbers(shape, seed), algebra.scalars.number)
            for seed, (name, shape) in enumerate(zip(member_names(op, count), shapes, strict=True))
        }
        result = run(op, list(names.values()), algebra, sample_settings(op))
        names |= {read_name(op.result.name).key: result}
        names |= {cotangent_name(op).key: tensor(sample_numbers(result.shape, 4), algebra.scalars.number)}
        for tree, place in trees:
            assert not any(isinstance(node, Dots) for node in walk(tree)), op.name
            back = read_expression(writer.expression(tree))
            lengths = sample_lengths(op, place)
            assert interpret(back, names, algebra, lengths) == interpret(tree, names, algebra, lengths), op.name
        return len(trees)

    over_registry(check)


# --- (d) the enclosure holds an independent value, and narrows

INDEPENDENT: dict[str, Callable[..., Any]] = {
    "add": lambda *m: sum(m[1:], m[0]),
    "columns": lambda x, a, b: x[:, a - 1 : b],
    "concat": lambda *m: mpmath.matrix([[e for part in m for e in part[i, :]] for i in range(m[0].rows)]),
    "copy": lambda w: w,
    "descent_step": lambda theta, eta, g: theta - g * eta,
    "half_sum_of_squares": lambda p, y: mpmath.norm(p - y, 2) ** 2 / 2,
    "matmul": lambda x, w: x * w,
    "scale": lambda c, x: x * c,
    "scale_by_root": lambda s, d: s * (1 / mpmath.sqrt(d)),
    "scores": lambda q, k: mpmath.matrix(
        [[mpmath.fdot(q[i, :], k[j, :]) for j in range(k.rows)] for i in range(q.rows)]
    ),
    "softmax": lambda s: mpmath.matrix(
        [
            [mpmath.exp(e - max(s[i, :])) / mpmath.fsum(mpmath.exp(f - max(s[i, :])) for f in s[i, :]) for e in s[i, :]]
            for i in range(s.rows)
        ]
    ),
    "square": lambda x: x.apply(lambda e: e**2),
    "subtract": lambda x, z: x - z,
    "total": lambda x: mpmath.fsum(x),
    "transpose": lambda x: x.T,
    "uniform_weights": lambda s: mpmath.ones(s.rows, s.cols) / s.cols,
    "zeros_like": lambda x: mpmath.zeros(x.rows, x.cols),
}


def as_mpmath(numbers: Any) -> Any:
    if isinstance(numbers, list):
        return mpmath.matrix([[mpmath.mpf(e.numerator) / e.denominator for e in row] for row in numbers])
    return mpmath.mpf(numbers.numerator) / numbers.denominator


def as_arb(value: Any) -> Any:
    """Exactly the binary fraction that an mpmath number is."""
    sign, man, exp, _ = value._mpf_
    with flint.ctx.workprec(2000):
        return (-1) ** int(sign) * flint.arb(int(man)) * flint.arb(2) ** int(exp)


def test_every_enclosure_holds_an_independent_60_digit_value_and_narrows() -> None:
    narrowed: dict[str, int] = {}

    def check(op: Op) -> int:
        numbers = [sample_numbers(shape, seed) for seed, shape in enumerate(sample_shapes(op))]
        settings = sample_settings(op)
        with mpmath.workdps(80):
            value = INDEPENDENT[op.name](*(as_mpmath(n) for n in numbers), **settings)
            true = [value] if isinstance(value, mpmath.mpf) else [e for row in value.tolist() for e in row]
        exact_algebra = ExactAlgebra()
        exact = run(op, [tensor(n, exact_algebra.scalars.number) for n in numbers], exact_algebra, settings)
        radii = []
        for bits in (53, 106, 212):
            algebra = BallAlgebra(bits)
            balls = run(op, [tensor(n, algebra.scalars.number) for n in numbers], algebra, settings)
            assert len(balls.entries) == len(true) == len(exact.entries)
            for ball, number, element in zip(balls.entries, true, exact.entries, strict=True):
                point = as_arb(number)
                assert ball.contains(point), (op.name, bits)
                assert ball.overlaps(enclose(element, bits)), (op.name, bits)
                with flint.ctx.workprec(400):
                    off = abs(enclose(element, 400) - point)
                    assert off < (abs(point) + 1) * flint.arb(10) ** -60, op.name
            radii.append([ball.rad() for ball in balls.entries])
        for narrow, wide in ((1, 0), (2, 1)):
            for fine, coarse in zip(radii[narrow], radii[wide], strict=True):
                assert fine < coarse or (fine == 0 and coarse == 0), op.name
        narrowed[op.name] = sum(radius > 0 for radius in radii[0])
        return len(true)

    assert set(over_registry(check)) == set(INDEPENDENT)
    assert {name for name, count in narrowed.items() if not count} == {"zeros_like"}


# --- (e) shapes that do not fit


def wrong_shapes(op: Op) -> list[list[Shape]]:
    """The sample's shapes, each with one fault: an operand less, a scalar for a matrix, a length that is fixed."""
    shapes = sample_shapes(op)
    letters = [letter for operand, _ in assign(op, len(shapes)) for letter in operand.shape]
    wrong = [shapes[:-1]] if not any(operand.variadic for operand in op.operands) else [[]]
    for position, (operand, _) in enumerate(assign(op, len(shapes))):
        other: Shape = () if shapes[position] else (2, 3)
        wrong.append([*shapes[:position], other, *shapes[position + 1 :]])
        for axis, letter in enumerate(operand.shape):
            if letters.count(letter) > 1 and not letter.endswith("*"):
                changed = list(shapes[position])
                changed[axis] += 1
                wrong.append([*shapes[:position], tuple(changed), *shapes[position + 1 :]])
    return wrong


def test_every_op_refuses_shapes_that_do_not_fit() -> None:
    def check(op: Op) -> int:
        settings = sample_settings(op)
        algebra = ExactAlgebra()
        refused = 0
        for shapes in wrong_shapes(op):
            with pytest.raises(ShapeError, match=f"^{op.name}"):
                result_shape(op, shapes, settings)
            operands = [tensor(sample_numbers(shape, 1), algebra.scalars.number) for shape in shapes]
            with pytest.raises(ShapeError, match=f"^{op.name}"):
                run(op, operands, algebra, settings)
            refused += 1
        with pytest.raises(ShapeError, match=f"^{op.name} is fixed by"):
            bind(op, sample_shapes(op), settings | {"surplus": 1})
        return refused

    over_registry(check)


def test_a_shape_fault_names_operation_operand_and_both_lengths() -> None:
    with pytest.raises(ShapeError) as fault:
        result_shape(find_op("matmul"), [(2, 3), (5, 4)])
    assert str(fault.value) == "matmul: W must have 3 rows, for X has 3 columns, and has 5"
    with pytest.raises(ShapeError) as fault:
        result_shape(find_op("columns"), [(2, 5)], {"a": 2, "b": 6})
    assert str(fault.value) == "columns: b must not be greater than m, and b = 6, m = 5"
    with pytest.raises(ShapeError) as fault:
        result_shape(find_op("concat"), [(2, 5), (3, 5)])
    assert str(fault.value) == "concat: X_2 must have 2 rows, for X_1 has 2 rows, and has 3"
