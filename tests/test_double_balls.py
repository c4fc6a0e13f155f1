"""Balls of doubles against Arb: every ball contains what any numbers of its operands' balls give, extremes too."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import pytest

from symtrans.exact.double_balls import (
    DoubleBalls,
    add,
    beside,
    divide,
    given,
    multiply,
    positive_part,
    root,
    silently,
    square,
    subtract,
)
from symtrans.exact.double_functions import exponential, function, softmax, to_arb
from symtrans.exact.double_products import product, row_sums, total, transpose
from symtrans.exact.doubles import is_as_assumed, two_product, two_sum

np = pytest.importorskip("numpy")

BITS = 3000  # so that sums of numbers 2^±900 apart are told
ROWS, INNER, COLUMNS = 13, 19, 11
SPREADS = {"alike": 0.0, "apart": 3.0, "far apart": 40.0, "extreme": 150.0}
RADII = (0.0, 1e-30, 1e-9, 0.3)


def balls(rows: int, columns: int, spread: float, width: float, seed: int, *, is_exact: bool = False) -> DoubleBalls:
    """Random midpoints of two doubles, of magnitudes e^±spread, with relative radii up to `width`, some zeros."""
    source = np.random.default_rng(seed)
    high = source.normal(size=(rows, columns)) * np.exp(source.normal(size=(rows, columns)) * spread)
    high[source.random((rows, columns)) < 0.05] = 0.0
    if is_exact:
        return DoubleBalls(high)
    high, low = two_sum(high, high * source.uniform(-1, 1, high.shape) * 2.0**-54)
    return DoubleBalls(high, low, abs(high) * width * source.random(high.shape) if width else None)


def members(of: DoubleBalls, seed: int) -> list[Any]:
    """A number in every ball: an end or the middle."""
    source = np.random.default_rng(seed)
    zero = np.zeros(of.shape)
    parts = (of.high, zero if of.low is None else of.low, zero if of.radius is None else of.radius)
    where = source.choice([-1.0, 0.0, 1.0], size=of.high.size).tolist()
    with flint.ctx.workprec(BITS):
        triples = zip(*(part.ravel().tolist() for part in parts), where, strict=True)
        return [flint.arb(h) + flint.arb(w) + flint.arb(r) * side for h, w, r, side in triples]


def holds(found: DoubleBalls, truth: list[Any]) -> int:
    """How many balls are finite; each of them must meet the true entry, which is known to hundreds of digits."""
    finite = 0
    with flint.ctx.workprec(BITS):
        for place, (ball, true) in enumerate(zip(to_arb(found), truth, strict=True)):
            if ball.is_finite():
                finite += 1
                assert ball.overlaps(true), (place, ball, true)
    return finite


def matrix(rows: int, columns: int, entries: list[Any]) -> Any:
    return flint.arb_mat(rows, columns, entries)


def test_the_processor_does_as_is_taken_for_granted() -> None:
    assert is_as_assumed()


@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS)
@pytest.mark.parametrize("width", RADII)
def test_entry_by_entry(spread: float, width: float) -> None:
    a, b = balls(ROWS, INNER, spread, width, 1), balls(ROWS, INNER, spread, width, 2)
    pairs = list(zip(members(a, 3), members(b, 4), strict=True))
    works: dict[str, tuple[Callable[..., DoubleBalls], Callable[..., Any]]] = {
        "sum": (add, lambda x, y: x + y),
        "difference": (subtract, lambda x, y: x - y),
        "product": (multiply, lambda x, y: x * y),
        "quotient": (divide, lambda x, y: x / y),
    }
    for name, (ours, theirs) in works.items():
        with silently(), flint.ctx.workprec(BITS):
            found = holds(ours(a, b), [theirs(x, y) for x, y in pairs])
        if spread < 40 and width < 0.3:
            assert found > 0.85 * len(pairs), name
    with silently(), flint.ctx.workprec(BITS):
        holds(square(a), [x * x for x, _ in pairs])
        holds(positive_part(a), [x.max(flint.arb(0)) for x, _ in pairs])
        holds(exponential(a), [x.exp() for x, _ in pairs])
        positive = DoubleBalls(abs(a.high), np.where(a.high < 0, -a.low, a.low), a.radius)
        holds(root(positive), [abs(x).sqrt() for x, _ in pairs])
        for name in ("tanh", "erf", "sigmoid", "log"):
            theirs = {
                "tanh": lambda x: x.tanh(),
                "erf": lambda x: x.erf(),
                "sigmoid": lambda x: 1 / (1 + (-x).exp()),
                "log": lambda x: x.log(),
            }[name]
            operand, numbers = (positive, [abs(x) for x, _ in pairs]) if name == "log" else (a, [x for x, _ in pairs])
            holds(function(name, operand), [theirs(x) for x in numbers])


@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS)
@pytest.mark.parametrize("width", RADII)
@pytest.mark.parametrize("is_exact", [False, True])
def test_products_and_sums(spread: float, width: float, is_exact: bool) -> None:
    a, b = balls(ROWS, INNER, spread, width, 5), balls(INNER, COLUMNS, spread, width, 6, is_exact=is_exact)
    one, two = members(a, 7), members(b, 8)
    with silently(), flint.ctx.workprec(BITS):
        true = matrix(ROWS, INNER, one) * matrix(INNER, COLUMNS, two)
        finite = holds(product(a, b), true.entries())
        holds(transpose(product(transpose(b), transpose(a))), true.entries())
        sums = [sum(one[i * INNER : (i + 1) * INNER], flint.arb(0)) for i in range(ROWS)]
        holds(row_sums(a), sums)
        holds(total(a), [sum(sums, flint.arb(0))])
    if spread < 40:
        assert finite == ROWS * COLUMNS


@pytest.mark.parametrize("inner", [1, 2, 64, 511, 1024])
def test_products_are_narrow(inner: int) -> None:
    """Some 16 bits better than doubles could be, as the slices promise; deep models live on it."""
    a, b = balls(3, inner, 0.0, 0.0, 9), balls(inner, 150, 0.0, 0.0, 10, is_exact=True)
    with flint.ctx.workprec(300):
        true = matrix(3, inner, members(a, 1)) * matrix(inner, 150, members(b, 1))
    found = product(a, b)
    assert holds(found, true.entries()) == 450
    assert found.radius.max() < inner**1.5 * 2.0**-53 * 2.0**-12


def test_cancelling_products() -> None:
    """Rows that the columns nearly annul: the true value is far below what doubles round."""
    source = np.random.default_rng(11)
    half = source.normal(size=(40, 50))
    a = DoubleBalls(np.concatenate([half, half], axis=1))
    right = source.normal(size=(50, 40))
    b = DoubleBalls(np.concatenate([right, -right * (1 + 2.0**-45)]))
    with flint.ctx.workprec(500):
        true = matrix(40, 100, members(a, 1)) * matrix(100, 40, members(b, 1))
    assert holds(product(a, b), true.entries()) == 1600


def test_small_numbers_do_not_get_lost() -> None:
    """Products below the smallest double: a radius of 0 would be a lie."""
    tiny = DoubleBalls(np.full((4, 4), 2.0**-600), np.zeros((4, 4)))
    with flint.ctx.workprec(BITS):
        power = flint.arb(2) ** -1200
        assert holds(multiply(tiny, tiny), [power] * 16) == 16
        assert holds(product(tiny, tiny), [4 * power] * 16) == 16
        assert holds(exponential(DoubleBalls(np.array([[-800.0, -1e300]]))), [flint.arb(-800).exp(), flint.arb(0)]) == 2


def test_what_overflows_is_unknown_and_stays_so() -> None:
    huge = DoubleBalls(np.array([[1e200, -1e200], [1e200, 1.0]]), np.zeros((2, 2)), np.full((2, 2), 1e-3))
    with silently():
        for found in (multiply(huge, huge), product(huge, huge), exponential(huge)):
            balls = to_arb(found)
            assert balls[0].is_nan()
            assert to_arb(positive_part(negative(found)))[0].is_nan()
            assert to_arb(subtract(found, found))[0].is_nan()
        assert to_arb(softmax(multiply(huge, huge)))[0].is_nan()
        assert to_arb(root(DoubleBalls(np.array([[-1.0]]))))[0].is_nan()
        zero = DoubleBalls(np.array([[1e-9]]), None, np.array([[1e-8]]))
        assert to_arb(divide(zero, zero))[0].is_nan()


def test_a_sum_that_overflowed_may_be_anything() -> None:
    """Minus infinity on the way to a number of any size: no ReLU makes a zero of it, and no softmax a mask."""
    lost = DoubleBalls(np.array([[-np.inf, 1.0]]), np.array([[np.nan, 0.0]]), np.array([[1.0, 1.0]]))
    mask = given([None, Fraction(0)], (1, 2))
    with silently():
        assert to_arb(positive_part(lost))[0].is_nan()
        assert to_arb(add(lost, mask))[0].is_nan()
        assert [ball.is_nan() for ball in to_arb(softmax(add(lost, mask)))] == [True, True]


def negative(a: DoubleBalls) -> DoubleBalls:
    return subtract(DoubleBalls(np.zeros(a.shape)), a)


@pytest.mark.parametrize("spread", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("width", [0.0, 1e-12, 1e-3])
def test_softmax(spread: float, width: float) -> None:
    logits = balls(60, 40, spread, width, 12)
    hidden = np.random.default_rng(13).random((60, 40)) < 0.3
    hidden[:, 0] = False
    mask = given([None if one else Fraction(0) for one in hidden.ravel().tolist()], (60, 40))
    numbers = members(logits, 14)
    for is_masked in (False, True):
        with silently():
            found = softmax(add(logits, mask) if is_masked else logits)
        truth: list[Any] = []
        with flint.ctx.workprec(BITS):
            for row in range(60):
                line = [x.exp() for x in numbers[row * 40 : (row + 1) * 40]]
                if is_masked:
                    line = [flint.arb(0) if off else x for x, off in zip(line, hidden[row].tolist(), strict=True)]
                truth += [x / sum(line, flint.arb(0)) for x in line]
        assert holds(found, truth) == 2400 or spread > 1
        if is_masked:
            assert not found.high[hidden].any()
            assert not found.radius[hidden].any()


def test_a_row_that_sees_nothing_has_no_weights() -> None:
    mask = given([None, None, Fraction(1), None], (2, 2))
    with silently():
        weights = to_arb(softmax(add(mask, given([Fraction(1)] * 4, (2, 2)))))
    assert [ball.is_nan() for ball in weights] == [True, True, False, False]
    assert weights[2].contains(1)
    assert weights[3].is_zero()


def test_exponentials_over_their_whole_range() -> None:
    points = np.concatenate([np.linspace(-620, 620, 20_001), np.linspace(-1, 1, 5_001), 2.0 ** -np.arange(1.0, 300.0)])
    a = DoubleBalls(points.reshape(1, -1))
    found = exponential(a)
    with flint.ctx.workprec(200):
        assert holds(found, [flint.arb(x).exp() for x in points.tolist()]) > 24_000
    near = abs(points) < 500
    assert (found.radius[0][near] / found.high[0][near]).max() < 2.0**-69


def test_rational_numbers_as_balls() -> None:
    values = [Fraction(1, 3), Fraction(-2, 7), Fraction(5), Fraction(10) ** 60 + Fraction(1, 9), Fraction(0)]
    found = given(values, (1, 5))
    assert holds(found, [flint.arb(flint.fmpq(v.numerator, v.denominator)) for v in values]) == 5
    assert given([Fraction(1, 2), Fraction(3)], (1, 2)).radius is None
    assert to_arb(given([Fraction(10) ** 400], (1, 1)))[0].is_nan()


def test_matrices_side_by_side() -> None:
    left, right = balls(5, 2, 0.0, 1e-9, 1), balls(5, 3, 0.0, 0.0, 2, is_exact=True)
    found = beside(left, right)
    pairs = zip(members(left, 3), range(10), strict=True)
    assert found.shape == (5, 5)
    truth = {(row // 2, row % 2): x for x, row in pairs}
    truth |= {(i // 3, 2 + i % 3): x for i, x in enumerate(members(right, 3))}
    assert holds(found, [truth[i, j] for i in range(5) for j in range(5)]) == 25


def test_sums_and_products_leave_nothing() -> None:
    source = np.random.default_rng(15)
    a, b = (source.normal(size=2000) * np.exp(source.normal(size=2000) * 20) for _ in range(2))
    for step, exact in ((two_sum, lambda x, y: x + y), (two_product, lambda x, y: x * y)):
        for x, y, main, rest in zip(a.tolist(), b.tolist(), *(part.tolist() for part in step(a, b)), strict=True):
            assert Fraction(main) + Fraction(rest) == exact(Fraction(x), Fraction(y))


def test_a_divisor_whose_ball_ends_just_above_zero() -> None:
    """1 - 2^-54 ± (1 - 2^-53): the smallest divisor is 2^-54, and the differences that tell it round by as much."""
    one = DoubleBalls(np.array([[1.0]]))
    below = DoubleBalls(one.high, np.array([[-(2.0**-54)]]), np.array([[1 - 2.0**-53]]))
    with silently():
        found = divide(one, below)
    with flint.ctx.workprec(BITS):
        assert all(ball.is_nan() or 2**54 in ball for ball in to_arb(found))
