"""Rows of an op's result from rows of its operands: what `by_rows` says of each op, carried out both ways."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from symtrans import registry
from symtrans.exact.enclosure import around
from symtrans.ops.domains.ball import Balls, run_on_balls
from symtrans.ops.op import Op, Operand
from symtrans.ops.rows import by_rows

OPS = registry.members("symtrans.ops", "OP")
BITS = 128
WHOLE = {"transpose", "total", "shift_right", "half_sum_of_squares", "mean_squared_error", "warm_up", "repeat_row"}
BY_ROWS = {"linear", "matmul", "scores", "softmax", "relu", "gelu", "concat", "layer_norm_of_variance", "row_variance"}


def operands(op: Op) -> list[Balls]:
    """Positive numbers, all different, in the op's sample shapes."""
    found = []
    for place, operand in enumerate(op.operands):
        shape = tuple(int(text) if text.isdigit() else op.sample[text] for text in operand.shape)
        count = shape[0] * shape[1] if shape else 1
        values = [Fraction(7 * place + 3 * k + 2, 11 + place) for k in range(count)]
        found.append(Balls.of(shape, around(values, BITS)))
    return found


def chosen(balls: Balls, row: int) -> Balls:
    width = balls.shape[1]
    return Balls.of((1, width), list(balls.entries)[row * width : (row + 1) * width])


def settings(op: Op) -> dict[str, int]:
    return {name: op.sample[name] for name in op.settings}


@pytest.mark.parametrize("op", OPS.values(), ids=OPS)
def test_a_row_is_made_of_the_same_rows(op: Op) -> None:
    given = operands(op)
    local = by_rows(op, [one.shape for one in given], settings(op))
    if not local:
        assert op.name not in BY_ROWS
        return
    assert op.name not in WHOLE
    whole: Any = run_on_balls(op, given, BITS, settings(op))
    width = whole.shape[1]
    for row in range(whole.shape[0]):
        parts = [chosen(one, row) if place in local else one for place, one in enumerate(given)]
        alone: Any = run_on_balls(op, parts, BITS, settings(op))
        assert alone.shape == (1, width)
        for one, other in zip(alone.entries, list(whole.entries)[row * width : (row + 1) * width], strict=True):
            assert one.overlaps(other)
            assert one.rad() < 1e-20


@pytest.mark.parametrize("rule", ["AX", "X+AA", r"AX^{T}", r"X\mathbf{1}_{n}\mathbf{1}_{n}^{T}+A", "nX"])
def test_what_mixes_rows_is_not_taken_for_rows(rule: str) -> None:
    """Made-up ops on square matrices: right factors, squares, ones as wide as the matrix is high, a count of rows."""
    square = Op("made_up", (Operand("A", ("n", "n")), Operand("X", ("n", "n"))), Operand("Y", ("n", "n")), rule, {}, "")
    assert by_rows(square, [(3, 3), (3, 3)], {}) == frozenset()


def test_a_square_is_not_taken_for_rows() -> None:
    """Where keys are as many as queries the letters still tell them apart; a product's right factor is needed whole."""
    assert by_rows(OPS["scores"], [(3, 3), (3, 3)], {}) == {0}
    assert by_rows(OPS["matmul"], [(3, 3), (3, 3)], {}) == {0}
    assert by_rows(OPS["mask"], [(3, 3), (3, 3)], {}) == {0, 1}
    assert by_rows(OPS["transpose"], [(3, 3)], {}) == frozenset()
    assert by_rows(OPS["concat"], [(3, 2), (3, 3), (3, 1)], {}) == {0, 1, 2}
    assert by_rows(OPS["linear"], [(1, 3), (3, 3), (3, 1)], {}) == {0}
