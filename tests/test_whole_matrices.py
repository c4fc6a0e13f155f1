"""Rules on whole matrices of FLINT: the same values as entry by entry, for every operation and its reverse rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

import flint
import pytest

from symtrans.derive.derivation import derive
from symtrans.derive.values import Values
from symtrans.errors import ShapeError, UndefinedValue
from symtrans.exact.ball_scalars import BallScalars
from symtrans.exact.field import MAX_RATIONAL_BITS, Field
from symtrans.ops import all_ops, find_op
from symtrans.ops.domains.ball import BALLS, BallAlgebra, Balls, on_whole_balls, run_on_balls
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.domains.rational import RATIONAL, Whole, run_rationally, whole
from symtrans.ops.formulas import run
from symtrans.ops.op import Op
from symtrans.ops.program import program
from symtrans.ops.proof import sample_settings, sample_shapes
from symtrans.ops.shapes import Shape, result_shape, settled
from symtrans.ops.tensor import Tensor

BITS = 128
TINY = flint.arb(2) ** -100
Sample = Callable[[Shape, int, Callable[[Fraction], Any]], Tensor[Any]]
Rule = tuple[Op, list[Shape], Mapping[str, int]]


def rules() -> Iterator[Rule]:
    """Every operation at its sample's shapes, and the reverse rules that the bundled examples need."""
    for op in all_ops().values():
        yield op, sample_shapes(op), sample_settings(op)
    seen: set[Op] = set()
    for example in ("handcalc", "encoder", "gpt", "llama", "bert"):
        tape = derive(example, wrt=["all"]).tape
        for step in tape:
            if step.part == "backward" and step.op is not None and step.op not in seen:
                seen.add(step.op)
                yield step.op, [tape[i].shape for i in step.operands], step.settings


def compared(rule: Rule, sample: Sample) -> tuple[bool, bool]:
    """Whether the rule is done on rational matrices and on balls; there the values are those of single entries."""
    op, shapes, settings = rule
    tensors = [sample(shape, seed, lambda value: abs(value) + 1) for seed, shape in enumerate(shapes, 1)]
    rational = run_rationally(op, [whole(t.shape, t.entries) for t in tensors], settings)
    if rational is not None:
        algebra = ExactAlgebra()
        plain = run(op, [t.map(algebra.exact.number) for t in tensors], algebra, settings)
        entries = rational.entries()
        assert rational.shape == plain.shape
        assert entries == [entry.rational for entry in plain.entries]
        assert max(entry.height_bits() for entry in entries) <= rational.bits
    balls = [t.map(BallScalars(BITS).number) for t in tensors]
    known, enclosed = program(op, tuple(shapes), settled(settings), BALLS), None
    if known is not None:
        with flint.ctx.workprec(BITS):
            enclosed = on_whole_balls(known, [Balls.of(t.shape, t.entries) for t in balls], BITS)
    if enclosed is not None:
        plain_balls = run(op, balls, BallAlgebra(BITS), settings)
        assert enclosed.shape == plain_balls.shape
        for one, other in zip(enclosed.entries, plain_balls.entries, strict=True):
            assert one.overlaps(other)
            assert one.rad() <= (1 + abs(other.mid())) * TINY
    return rational is not None, enclosed is not None


def test_whole_matrices_have_the_values_of_their_entries(sample_tensor: Sample) -> None:
    outcome = {rule[0].name: compared(rule, sample_tensor) for rule in rules()}
    rational = {name for name, (exact, _) in outcome.items() if exact}
    on_balls = {name for name, (_, balls) in outcome.items() if balls}
    print(f"{len(rational)} of {len(outcome)} rules on rational matrices, {len(on_balls)} on balls; on neither:")
    print(sorted(set(outcome) - on_balls - rational))
    assert {"matmul", "scores", "concat", "layer_norm", "matmul.vjp0", "softmax.vjp0", "concat.vjp"} <= rational
    assert on_balls >= rational | {"softmax"}
    assert "softmax" not in rational
    assert len(rational) > len(outcome) // 2


def test_whole_columns_and_rows_have_the_values_of_their_entries(sample_tensor: Sample) -> None:
    tried = 0
    for op in all_ops().values():
        for letter in op.sample.keys() - op.settings:
            thin = replace(op, sample={**op.sample, letter: 1})
            try:
                shapes, settings = sample_shapes(thin), sample_settings(thin)
                result_shape(op, shapes, settings)
            except ShapeError:
                continue  # such as a half of the columns
            tried += compared((op, shapes, settings), sample_tensor)[1]
    assert tried > 40


def test_the_softmax_of_a_column_is_that_of_its_rows() -> None:
    column = Balls.of((2, 1), (flint.arb(3), flint.arb(5)))
    assert list(run_on_balls(find_op("softmax"), [column], BITS, {}).entries) == [1, 1]


def test_a_product_by_hand() -> None:
    left, right = whole((1, 2), [Fraction(1, 2), Fraction(3)]), whole((2, 1), [Fraction(4), Fraction(-1, 3)])
    found = run_rationally(find_op("matmul"), [left, right], {})
    assert found is not None
    assert found.entries() == [flint.fmpq(1)]  # 1/2·4 - 3·1/3


def test_numbers_beyond_the_cap_are_left_to_the_entries() -> None:
    large = whole((1, 1), [Fraction(1 << (MAX_RATIONAL_BITS // 2 + 1))])
    assert run_rationally(find_op("matmul"), [large, large], {}) is None


def test_what_has_no_value_is_left_to_the_entries() -> None:
    op = find_op("layer_norm")  # divides by a deviation and an epsilon that are 0 here
    tensors = [Tensor(shape, (Fraction(0),) * (shape[0] * shape[1] if shape else 1)) for shape in sample_shapes(op)]
    assert run_rationally(op, [whole(t.shape, t.entries) for t in tensors], {}) is None
    with pytest.raises(UndefinedValue, match="division by zero"):
        run_on_balls(op, [Balls.of(t.shape, t.map(BallScalars(BITS).number).entries) for t in tensors], BITS, {})


def test_a_closed_program_makes_finite_balls_of_any_finite_ones() -> None:
    wide, closed = flint.arb(0, 100), 0
    for op, shapes, settings in rules():
        known = program(op, tuple(shapes), settled(settings), BALLS)
        if known is None:
            continue
        balls = [Balls.of(shape, [wide] * prod(shape)) for shape in shapes]
        with flint.ctx.workprec(BITS):
            value = known.run([operand.whole for operand in balls], BITS)
        entries = value.entries() if known.shape else [value]
        assert not known.is_closed or all(entry.is_finite() for entry in entries), op.name
        closed += known.is_closed
    assert closed > 50
    matmul, norm = (program(find_op(name), shapes, (), BALLS) for name, shapes in (
        ("matmul", ((2, 3), (3, 2))), ("layer_norm", tuple(sample_shapes(find_op("layer_norm"))))
    ))  # fmt: skip
    assert matmul is not None
    assert norm is not None
    assert matmul.is_closed
    assert not norm.is_closed  # it divides


def test_what_may_be_no_number_is_found_though_its_operands_are_finite() -> None:
    deviation = find_op("row_deviation")  # the root of a sum of squares, which is a wide ball here
    wide = flint.arb(0, 2)
    narrow = run_on_balls(deviation, [Balls.of((1, 2), [wide] * 2), Balls.of((1, 1), [wide])], BITS, {})
    assert all(ball.is_finite() and ball.contains(0) for ball in narrow.entries)
    logits = Balls.of((1, 2), [flint.arb(0, flint.arb(2) ** 80)] * 2)
    weights = run_on_balls(find_op("softmax"), [logits], BITS, {})
    assert not weights.is_finite
    assert not all(ball.is_finite() for ball in weights.entries)


def test_what_was_not_finite_is_looked_at_after_a_closed_program_too() -> None:
    mask = Balls.of((1, 2), [flint.arb(0), flint.arb.neg_inf()])
    masked = run_on_balls(find_op("add"), [mask, Balls.of((1, 2), [flint.arb(5)] * 2)], BITS, {})
    assert not masked.is_finite
    assert [str(ball) for ball in masked.entries] == [str(flint.arb(5)), str(flint.arb.neg_inf())]


def test_a_constant_is_made_once_for_each_precision_unless_it_is_large() -> None:
    op = find_op("uniform_weights")
    small, large = (program(op, ((size, size),), (), RATIONAL) for size in (2, 100))
    assert small is not None
    assert large is not None
    given = flint.fmpq_mat(2, 2), flint.fmpq_mat(100, 100)
    assert small.run(given[:1]) is small.run(given[:1])
    assert large.run(given[1:]) is not large.run(given[1:])
    assert small.run(given[:1]).entries() == [flint.fmpq(1, 2)] * 4
    assert large.run(given[1:]).entries() == [flint.fmpq(1, 100)] * 10_000


def test_relu_of_balls_by_hand() -> None:
    row = Balls.of((1, 3), [flint.arb(-2), flint.arb(3), flint.arb(1, 2)])  # the last is between -1 and 3
    below, above, open_ = run_on_balls(find_op("relu"), [row], BITS, {}).entries
    assert (below, above) == (0, 3)
    assert open_.contains(0)
    assert open_.contains(3)
    assert not open_.contains(flint.arb(-1) / 2)


def test_a_masked_logit_on_whole_balls_has_no_weight() -> None:
    row = Balls.of((1, 2), (flint.arb(3), flint.arb.neg_inf()))
    weights = run_on_balls(find_op("softmax"), [row], BITS, {}).entries
    assert [int(weight.unique_fmpz()) for weight in weights] == [1, 0]


def test_balls_at_each_precision_are_as_narrow_as_it_allows() -> None:
    op = find_op("uniform_weights")  # holds the number 1/m, which no precision has exactly for m = 3
    row = Balls.of((1, 3), (flint.arb(0),) * 3)
    wide, narrow = (run_on_balls(op, [row], bits, {}).entries[0] for bits in (64, 640))
    assert narrow.rad() * 2**500 < wide.rad()
    with flint.ctx.workprec(640):
        assert (3 * narrow).contains(1)


def test_values_stay_whole_until_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Shape] = []
    plain = Whole.tensor

    def counted(self: Whole, field: Field) -> Tensor[Any]:
        looked.append(self.shape)
        return plain(self, field)

    monkeypatch.setattr(Whole, "tensor", counted)
    values = Values(derive("handcalc", wrt=["all"]).tape)
    values.settle("L", "dL/dx")
    assert looked == []
    # Both rows of the output are (2·0.3 + 3·0.7, 2·0.4 + 3·0.8): half of 1.7² + 3.2² + 2.7² + 2.2².
    assert values.tensor("L").item.fraction == Fraction("12.63")
    assert looked == [()]
