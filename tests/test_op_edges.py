"""Operations where they have an edge: the kink of ReLU, a row that is wholly masked, a repeated token."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from symtrans.errors import ShapeError, Undecided, UndefinedValue
from symtrans.exact.enclosure import enclose
from symtrans.notation.reader import read_expression, read_name
from symtrans.ops import find_op
from symtrans.ops.domains.ball import BallAlgebra
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.domains.symbols import SympyAlgebra
from symtrans.ops.formulas import member_names, run, vjp_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.proof import cotangent_name
from symtrans.ops.shapes import bind
from symtrans.ops.tensor import Tensor


def tensor(rows: Any, algebra: Any) -> Tensor[Any]:
    def entry(text: Any) -> Any:
        if text == "-inf":
            return algebra.scalars.minus_infinity()
        return algebra.scalars.number(Fraction(text))

    if not isinstance(rows, list):
        return Tensor.scalar(entry(rows))
    return Tensor.matrix([[entry(text) for text in row] for row in rows])


def pull_back(name: str, position: int, operands: list[Any], cotangent: Any, algebra: Any) -> Tensor[Any]:
    """The cotangent of one operand, from numbers."""
    op = find_op(name)
    given = [tensor(rows, algebra) for rows in operands]
    names = {n.key: g for n, g in zip(member_names(op, len(given)), given, strict=True)}
    names[read_name(op.result.name).key] = run(op, given, algebra)
    names[cotangent_name(op).key] = tensor(cotangent, algebra)
    return interpret(vjp_tree(op, position, len(given)), names, algebra, bind(op, [g.shape for g in given]))


@pytest.mark.parametrize("algebra", [ExactAlgebra(), SympyAlgebra(), BallAlgebra(64)], ids=["exact", "sympy", "ball"])
def test_relu_lets_nothing_back_at_zero(algebra: Any) -> None:
    back = pull_back("relu", 0, [[["-1/3", 0, "1/3"]]], [[5, 7, 11]], algebra)
    assert back == tensor([[0, 0, 11]], algebra)


def test_relu_decides_signs_by_enclosure_or_says_that_it_cannot() -> None:
    algebra = ExactAlgebra()
    positive = interpret(read_expression(r"\sqrt{2}+\sqrt{3}-\pi"), {}, algebra)
    negative = interpret(read_expression(r"\frac{355}{113}-\pi-\frac{3}{10000000}"), {}, algebra)
    row = Tensor((1, 2), (positive.item, negative.item))
    result = run(find_op("relu"), [row], algebra)
    assert result.entries == (positive.item, algebra.number(0).item)
    nobody_knows = interpret(read_expression(r"\text{ReLU}\left(x\right)"), {"x": wide(64)}, BallAlgebra(64)).item
    assert nobody_knows.contains(0)
    with pytest.raises(Undecided):
        interpret(read_expression(r"\text{positive}\left(x\right)"), {"x": wide(64)}, BallAlgebra(64))


def wide(bits: int) -> Tensor[Any]:
    """A ball of which nobody knows its sign: a root's square less what it is, at a fixed precision."""
    return interpret(read_expression(r"\sqrt{2}\sqrt{2}-2"), {}, BallAlgebra(bits))


def test_what_is_masked_has_the_sign_of_its_infinity() -> None:
    algebra = ExactAlgebra()
    masked = tensor([["-inf", 1]], algebra)
    assert algebra.entrywise("positive", masked) == tensor([[0, 1]], algebra)
    assert algebra.entrywise("positive", algebra.negate(masked)) == tensor([[1, 0]], algebra)


CAUSAL = [[0, "-inf", "-inf"], [0, 0, "-inf"], [0, 0, 0]]


@pytest.mark.parametrize("algebra", [ExactAlgebra(), SympyAlgebra()], ids=["exact", "sympy"])
def test_a_causal_mask_leaves_the_weights_of_the_past(algebra: Any) -> None:
    scores = run(
        find_op("mask"), [tensor([[4, 7, 9], [2, 2, 1], [5, 5, 5]], algebra), tensor(CAUSAL, algebra)], algebra
    )
    weights = run(find_op("softmax"), [scores], algebra)
    assert weights == tensor([[1, 0, 0], ["1/2", "1/2", 0], ["1/3", "1/3", "1/3"]], algebra)


def test_no_cotangent_reaches_a_masked_score() -> None:
    algebra = ExactAlgebra()
    back = pull_back("softmax", 0, [[[3, 3, "-inf"]]], [[1, 5, 1000]], algebra)
    assert back == tensor([[-1, 1, 0]], algebra)


@pytest.mark.parametrize("algebra", [ExactAlgebra(), BallAlgebra(64)], ids=["exact", "ball"])
def test_a_row_that_is_wholly_masked_is_a_clear_error(algebra: Any) -> None:
    masked = [["-inf", "-inf"], [0, 0]]
    scores = run(find_op("mask"), [tensor([[1, 2], [3, 4]], algebra), tensor(masked, algebra)], algebra)
    with pytest.raises(UndefinedValue, match=r"^every entry of the row is masked, so its softmax has no value$"):
        run(find_op("softmax"), [scores], algebra)


def test_a_mask_of_another_shape_is_told() -> None:
    algebra = ExactAlgebra()
    with pytest.raises(ShapeError, match=r"^mask: M must have 3 columns, for S has 3 columns, and has 2$"):
        run(find_op("mask"), [tensor([[1, 2, 3]], algebra), tensor([[0, 0]], algebra)], algebra)


def test_a_repeated_token_adds_up_and_an_absent_one_gets_nothing() -> None:
    lookup, table = [[0, 1, 0], [1, 0, 0], [0, 1, 0]], [[1, 2], [3, 4], [5, 6]]
    back = pull_back("embed", 1, [lookup, table], [[1, 10], [100, 1000], [7, 70]], ExactAlgebra())
    assert back == tensor([[100, 1000], [8, 80], [0, 0]], ExactAlgebra())


def test_the_start_row_comes_first_even_in_a_sequence_of_one() -> None:
    algebra = ExactAlgebra()
    assert run(find_op("shift_right"), [tensor([[0, 1]], algebra), tensor([[1, 0]], algebra)], algebra) == tensor(
        [[0, 1]], algebra
    )


def test_positions_in_an_odd_number_of_columns_are_refused() -> None:
    algebra = ExactAlgebra()
    with pytest.raises(ShapeError, match=r"^positional_encoding: d must be a multiple of 2, and d = 3$"):
        run(find_op("positional_encoding"), [tensor([[0], [1]], algebra)], algebra, {"d": 3})


@pytest.mark.parametrize("algebra", [ExactAlgebra(), BallAlgebra(64)], ids=["exact", "ball"])
@pytest.mark.parametrize(
    ("name", "operands"),
    [
        ("layer_norm", [[[3, 3]], [[3]], [[0]], [[1, 1]], [[0, 0]], 0]),
        ("layer_norm_of_variance", [[[3, 3]], [[3]], [[0]], [[1, 1]], [[0, 0]], 0]),
        ("rms_norm", [[[0, 0]], [[0]], [[1, 1]], 0]),
        ("cross_entropy", [[[1, 2], [3, 4]], [[1, 0], [0, 1]], [[0], [0]]]),
        ("adam_step", [[[1]], "1/10", [[0]], [[0]], 0]),
    ],
)
def test_a_row_without_spread_or_a_loss_without_rows_is_a_clear_error(
    name: str, operands: list[Any], algebra: Any
) -> None:
    with pytest.raises(UndefinedValue, match=r"^a division by zero has no value$"):
        run(find_op(name), [tensor(rows, algebra) for rows in operands], algebra)


def test_a_row_without_spread_has_a_deviation_and_no_cotangent_of_it() -> None:
    algebra = ExactAlgebra()
    flat = [tensor([[3, 3]], algebra), tensor([[3]], algebra)]
    assert run(find_op("row_deviation"), flat, algebra) == tensor([[0]], algebra)
    with pytest.raises(UndefinedValue, match=r"^a division by zero has no value$"):
        pull_back("row_deviation", 0, [[[3, 3]], [[3]]], [[1]], algebra)
    assert pull_back("row_variance", 0, [[[3, 3]], [[3]]], [[1]], algebra) == tensor([[0, 0]], algebra)


def test_a_sample_of_one_has_no_deviation() -> None:
    algebra = ExactAlgebra()
    with pytest.raises(ShapeError, match=r"^row_deviation_of_sample: 2 must not be greater than m, and m = 1$"):
        run(find_op("row_deviation_of_sample"), [tensor([[3]], algebra), tensor([[3]], algebra)], algebra)


def test_an_ignored_row_gets_no_cotangent_and_the_others_sum_to_zero() -> None:
    algebra = ExactAlgebra()
    logits, targets, kept = [[1000, 0, -1000], [5, 6, 7]], [[0, 1, 0], [1, 0, 0]], [[1], [0]]
    back = pull_back("cross_entropy", 0, [logits, targets, kept], 1, algebra)
    assert back.rows()[1] == tensor([[0, 0, 0]], algebra).entries
    assert algebra.scalars.is_zero(algebra.sum_of(back.rows()[0]))
    first, second, _ = (enclose(entry, 64) for entry in back.rows()[0])
    assert abs(first - 1) < 1e-15
    assert abs(second + 1) < 1e-15


def test_masked_logits_are_refused_in_a_cross_entropy() -> None:
    algebra = ExactAlgebra()
    operands = [tensor(rows, algebra) for rows in ([["-inf", 0]], [[0, 1]], [[1]])]
    with pytest.raises(UndefinedValue, match=r"^zero times infinity has no value; a mask is added, not multiplied$"):
        run(find_op("cross_entropy"), operands, algebra)


def test_a_first_step_of_adamw_by_hand() -> None:
    """Decay first, then a step of M/(√V+ε): at t=1 the corrected moments are G and its squares."""
    algebra = ExactAlgebra()

    def step(name: str, *operands: Any, **settings: int) -> Tensor[Any]:
        given = [o if isinstance(o, Tensor) else tensor(o, algebra) for o in operands]
        return run(find_op(name), given, algebra, settings)

    nothing, gradient, rate = [[0, 0]], [[3, -4]], "1/10"
    decayed = step("weight_decay", [[1, -2]], rate, "1/2")
    first = step("bias_correction", step("moving_average", nothing, "9/10", gradient), "9/10", t=1)
    second = step("bias_correction", step("moving_average_of_squares", nothing, "999/1000", gradient), "999/1000", t=1)
    assert first == tensor(gradient, algebra)
    assert second == tensor([[9, 16]], algebra)
    # 0.95 - 0.1 · 3/(3+1) and -1.9 + 0.1 · 4/(4+1)
    assert step("adam_step", decayed, rate, first, second, 1) == tensor([["7/8", "-91/50"]], algebra)


def test_smoothed_labels_are_those_of_pytorch() -> None:
    """The true one of 4 classes has 1 - 0.1 + 0.1/4, the others 0.1/4 each."""
    algebra = ExactAlgebra()
    smooth = run(find_op("smooth_labels"), [tensor([[0, 1, 0, 0]], algebra), tensor("1/10", algebra)], algebra)
    assert smooth == tensor([["1/40", "37/40", "1/40", "1/40"]], algebra)


def test_the_warm_up_ends_where_both_of_its_sides_meet() -> None:
    algebra = ExactAlgebra()
    rates = [run(find_op("warm_up"), [algebra.number(1)], algebra, {"d": 4, "t": t, "w": 16}) for t in (4, 16, 64)]
    assert rates == [algebra.number(Fraction(1, n)) for n in (32, 8, 16)]


@pytest.mark.parametrize("algebra", [ExactAlgebra(), SympyAlgebra(), BallAlgebra(64)], ids=["exact", "sympy", "ball"])
def test_a_closed_gate_lets_nothing_back(algebra: Any) -> None:
    operands, cotangent = [[[-2, 0, 3]], [[5, 7, 11]]], [[1, 1, 2]]
    assert pull_back("reglu", 0, operands, cotangent, algebra) == tensor([[0, 0, 22]], algebra)
    assert pull_back("reglu", 1, operands, cotangent, algebra) == tensor([[0, 0, 6]], algebra)
