"""Every operation: its vjp is its Jacobian, its values are right by hand, its print is its rule, its shapes are minded.

Each test walks the registry and counts what it truly compared; an operation that a test does not reach fails it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import pytest
import sympy

from symtrans.errors import ShapeError
from symtrans.exact.enclosure import enclose
from symtrans.notation.dialect import load_dialect
from symtrans.notation.reader import read_expression, read_name
from symtrans.notation.tree import Dots, walk
from symtrans.notation.writer import Writer
from symtrans.ops import all_ops, find_op
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.formulas import member_names, rule_tree, run, vjp_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.op import Op
from symtrans.ops.proof import (
    cotangent_name,
    has_vjp,
    prove,
    sample_count,
    sample_lengths,
    sample_settings,
    sample_shapes,
)
from symtrans.ops.shapes import Shape, assign, bind, result_shape
from symtrans.ops.tensor import Tensor
from symtrans.ops.vanishing import is_zero

OverRegistry = Callable[[Callable[[Op], int]], dict[str, int]]
SampleTensor = Callable[[Shape, int, Callable[[Fraction], Any]], Tensor[Any]]


# --- (a) the vjp is the transposed Jacobian


def test_every_vjp_is_the_transposed_jacobian(over_registry: OverRegistry) -> None:
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
        sympy.sqrt(x + y) - (x + y) / sympy.sqrt(x + y),
        sympy.sqrt(x + 1) ** 3 / sympy.sqrt(y + 1) - (x + 1) * sympy.sqrt(x + 1) * sympy.sqrt(y + 1) / (y + 1),
        sympy.Max(0, x).diff(x) - sympy.Heaviside(x, 0),
        sympy.Max(0, x) - x * sympy.Heaviside(x, 0),
    ]
    assert [is_zero(expression) for expression in equal] == [True] * 8
    different = [
        sympy.exp(x) - sympy.exp(2 * x),
        sympy.exp(x) - x,
        x * y - y,
        sympy.sqrt(5) * x - 2 * x,
        sympy.sqrt(x + y) - sympy.sqrt(x - y),
        sympy.sqrt(x + 1) - (x + 1),
        sympy.Max(0, x) - x,
        sympy.Max(0, x) - sympy.Heaviside(x, 0),
        sympy.Heaviside(x, 0) - sympy.Heaviside(-x, 0),
    ]
    assert [is_zero(expression) for expression in different] == [False] * 9


# --- (b) values worked out by hand: operands, settings, result, an op a line

BY_HAND: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "op_values.json").read_text("utf-8"))


def worked_out(rows: Any, algebra: ExactAlgebra) -> Tensor[Any]:
    """A tensor from entries as a person writes them: numbers, `-inf`, or a formula such as `\\ln(2)`."""

    def entry(text: Any) -> Any:
        if text == "-inf":
            return algebra.scalars.minus_infinity()
        if isinstance(text, str) and "\\" in text:
            return interpret(read_expression(text), {}, algebra).item
        return algebra.scalars.number(Fraction(text))

    if not isinstance(rows, list):
        return Tensor.scalar(entry(rows))
    return Tensor.matrix([[entry(text) for text in row] for row in rows])


def test_every_value_by_hand(over_registry: OverRegistry) -> None:
    def check(op: Op) -> int:
        case, algebra = BY_HAND[op.name], ExactAlgebra()
        settings = case["settings"]
        given = [worked_out(rows, algebra) for rows in case["operands"]]
        result = run(op, given, algebra, settings)
        assert result == worked_out(case["result"], algebra), op.name
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
def test_every_printed_formula_reads_back_to_the_same_value(
    dialect: str, over_registry: OverRegistry, sample_tensor: SampleTensor
) -> None:
    writer = Writer(load_dialect(dialect))

    def check(op: Op) -> int:
        count = sample_count(op)
        trees = [(rule_tree(op, count), 0)]
        trees += [(vjp_tree(op, place, count), place) for place in range(count) if has_vjp(op, place)]
        algebra = ExactAlgebra()
        shapes = sample_shapes(op)
        names = {
            name.key: sample_tensor(shape, seed, algebra.scalars.number)
            for seed, (name, shape) in enumerate(zip(member_names(op, count), shapes, strict=True))
        }
        result = run(op, list(names.values()), algebra, sample_settings(op))
        names |= {read_name(op.result.name).key: result}
        names |= {cotangent_name(op).key: sample_tensor(result.shape, 4, algebra.scalars.number)}
        for tree, place in trees:
            assert not any(isinstance(node, Dots) for node in walk(tree)), op.name
            back = read_expression(writer.expression(tree))
            lengths = sample_lengths(op, place)
            assert interpret(back, names, algebra, lengths) == interpret(tree, names, algebra, lengths), op.name
        return len(trees)

    over_registry(check)


# --- (d) shapes that do not fit


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


def test_every_op_refuses_shapes_that_do_not_fit(over_registry: OverRegistry, sample_tensor: SampleTensor) -> None:
    def check(op: Op) -> int:
        settings = sample_settings(op)
        algebra = ExactAlgebra()
        refused = 0
        for shapes in wrong_shapes(op):
            with pytest.raises(ShapeError, match=f"^{op.name}"):
                result_shape(op, shapes, settings)
            operands = [sample_tensor(shape, 1, algebra.scalars.number) for shape in shapes]
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
