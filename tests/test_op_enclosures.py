"""Every operation's enclosure holds a value from another library, and narrows as bits are added.

The test walks the registry; an operation that it does not reach fails it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import mpmath

from symtrans.exact.enclosure import enclose
from symtrans.ops import all_ops
from symtrans.ops.domains.ball import BallAlgebra
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.formulas import run
from symtrans.ops.op import Op
from symtrans.ops.proof import sample_settings, sample_shapes
from symtrans.ops.shapes import Shape
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


# --- each op by another library: a function of its operands and settings


def each(x: Any, change: Callable[[Any, int, int], Any]) -> Any:
    """A matrix of what `change` makes of every entry and its place, counted from 0."""
    return mpmath.matrix([[change(x[i, j], i, j) for j in range(x.cols)] for i in range(x.rows)])


def of_rows(x: Any, value: Callable[[int, list[Any]], Any]) -> Any:
    """A column of what `value` makes of every row and its place."""
    return mpmath.matrix([[value(i, list(x[i, :]))] for i in range(x.rows)])


def about(row: list[Any], center: Any) -> Any:
    """The sum of the squared distances from the center."""
    return mpmath.fsum((e - center) ** 2 for e in row)


def logistic(e: Any) -> Any:
    return (1 + mpmath.tanh(e / 2)) / 2


def cubed(e: Any) -> Any:
    """What the approximate GELU takes the hyperbolic tangent of, less its constant factor."""
    return e + mpmath.mpf(44715) / 10**6 * e**3


INDEPENDENT: dict[str, Callable[..., Any]] = {
    "add_positions": lambda x, w: x + w[: x.rows, :],
    "add_row": lambda x, b: each(x, lambda e, i, j: e + b[j]),
    "distance_bias": lambda s, c, d: s + c * d,
    "dropout": lambda x, b, p: each(x, lambda e, i, j: e * b[i, j] / (1 - p)),
    "embed": lambda o, e: o * e,
    "linear": lambda x, w, b: each(x * w, lambda e, i, j: e + b[j]),
    "mask": lambda s, m: s + m,
    "multiply": lambda x, z: each(x, lambda e, i, j: e * z[i, j]),
    "positional_encoding": lambda p, d: mpmath.matrix(
        [
            [
                (mpmath.cos if j % 2 else mpmath.sin)(at * mpmath.exp(-mpmath.log(10**4) * (j // 2) * 2 / d))
                for j in range(d)
            ]
            for at in p
        ]
    ),
    "relative_bias": lambda s, b: each(s, lambda e, i, j: e + b[s.rows - 1 - i + j]),
    "repeat_column": lambda c, m: mpmath.matrix([[e] * m for e in c]),
    "repeat_row": lambda b, n: mpmath.matrix([list(b)] * n),
    "rotate": lambda x, c, p, s: each(x, lambda e, i, j: e * c[i, j] + mpmath.fdot(x[i, :], p[:, j]) * s[i, j]),
    "scale_by_width": lambda x: x * mpmath.sqrt(x.cols),
    "scale_columns": lambda x, g: each(x, lambda e, i, j: e * g[j]),
    "shift_right": lambda s, x: mpmath.matrix([list(s), *x.tolist()[:-1]]),
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
    "gelu": lambda x: x.apply(lambda e: e * mpmath.ncdf(e)),
    "gelu_tanh": lambda x: x.apply(lambda e: e / (1 + mpmath.exp(-2 * mpmath.sqrt(2 / mpmath.pi) * cubed(e)))),
    "relu": lambda x: x.apply(lambda e: (e + abs(e)) / 2),
    "sigmoid": lambda x: x.apply(logistic),
    "silu": lambda x: x.apply(lambda e: e * logistic(e)),
    "geglu": lambda g, u: each(g, lambda e, i, j: e * mpmath.ncdf(e) * u[i, j]),
    "reglu": lambda g, u: each(g, lambda e, i, j: u[i, j] * (e if e > 0 else 0)),
    "rotary_cosines": lambda p, d: mpmath.matrix(
        [[mpmath.cos(t / mpmath.root(10000, d) ** (j - j % 2)) for j in range(d)] for t in p]
    ),
    "rotary_sines": lambda p, d: mpmath.matrix(
        [[mpmath.sin(t / mpmath.root(10000, d) ** (j - j % 2)) for j in range(d)] for t in p]
    ),
    "swiglu": lambda g, u: each(g, lambda e, i, j: e * logistic(e) * u[i, j]),
    "tanh": lambda x: x.apply(lambda e: mpmath.expm1(2 * e) / (mpmath.exp(2 * e) + 1)),
    "adam_step": lambda theta, eta, m, v, eps: each(
        theta, lambda e, i, j: e - eta * m[i, j] / (mpmath.power(v[i, j], 0.5) + eps)
    ),
    "bias_correction": lambda m, rho, t: m / ((1 - rho) * mpmath.fsum(rho**k for k in range(t))),
    "cross_entropy": lambda z, y, k: (
        mpmath.fsum(
            k[i] * (mpmath.log(mpmath.fsum(mpmath.exp(e) for e in z[i, :])) - mpmath.fdot(z[i, :], y[i, :]))
            for i in range(z.rows)
        )
        / mpmath.fsum(k)
    ),
    "layer_norm": lambda x, mu, sigma, gamma, beta, eps: each(
        x, lambda e, i, j: gamma[j] * (e - mu[i]) / (sigma[i] + eps) + beta[j]
    ),
    "layer_norm_of_variance": lambda x, mu, v, gamma, beta, eps: each(
        x, lambda e, i, j: gamma[j] * (e - mu[i]) * mpmath.power(v[i] + eps, -0.5) + beta[j]
    ),
    "mean_squared_error": lambda p, y: mpmath.norm(p - y, 2) ** 2 / (p.rows * p.cols),
    "momentum": lambda v, rho, g: v * rho + g,
    "moving_average": lambda m, rho, g: g + (m - g) * rho,
    "moving_average_of_squares": lambda v, rho, g: each(v, lambda e, i, j: g[i, j] ** 2 + (e - g[i, j] ** 2) * rho),
    "rms_norm": lambda x, v, gamma, eps: each(x, lambda e, i, j: gamma[j] * e * mpmath.power(v[i] + eps, -0.5)),
    "row_deviation": lambda x, mu: of_rows(x, lambda i, row: mpmath.sqrt(about(row, mu[i]) / x.cols)),
    "row_deviation_of_sample": lambda x, mu: of_rows(x, lambda i, row: mpmath.sqrt(about(row, mu[i]) / (x.cols - 1))),
    "row_mean": lambda x: of_rows(x, lambda i, row: mpmath.fsum(row) / x.cols),
    "row_mean_square": lambda x: of_rows(x, lambda i, row: about(row, 0) / x.cols),
    "row_variance": lambda x, mu: of_rows(x, lambda i, row: about(row, mu[i]) / x.cols),
    "smooth_labels": lambda y, eps: y.apply(lambda e: e - eps * (e - mpmath.mpf(1) / y.cols)),
    "warm_up": lambda c, d, t, w: c / mpmath.sqrt(d) * min(1 / mpmath.sqrt(t), t / (w * mpmath.sqrt(w))),
    "weight_decay": lambda theta, eta, lam: theta - theta * (eta * lam),
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
