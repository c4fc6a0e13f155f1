"""The functions that a formula may call, each told in terms of an algebra."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from symtrans.errors import ShapeError, SymtransError
from symtrans.ops.algebra import Algebra
from symtrans.ops.determinant import determinant
from symtrans.ops.tensor import Tensor

S = TypeVar("S")


class UnknownFunction(SymtransError):
    """A function without a rule here."""


def apply_function(
    name: str,
    arguments: Sequence[Tensor[S]],
    algebra: Algebra[S],
    subscript: Fraction | None = None,
    *,
    by_rows: bool = False,
) -> Tensor[S]:
    """A function of tensors; UnknownFunction where it has no rule, ShapeError where the arguments do not fit.

    `by_rows`: a column is a matrix whose rows have one entry each, and no vector to take a softmax of.
    """
    if name not in FUNCTIONS:
        raise UnknownFunction(f"the function {name} has no rule here")
    if by_rows and name == "softmax" and len(arguments) == 1 and not arguments[0].is_scalar:
        return algebra.softmax(arguments[0])
    return FUNCTIONS[name](arguments, algebra, subscript)  # type: ignore[no-any-return]


def norm(value: Tensor[S], algebra: Algebra[S]) -> Tensor[S]:
    """The root of the sum of squares of all entries."""
    return algebra.entrywise("sqrt", algebra.total(algebra.power(value, 2)))


def _one(arguments: Sequence[Tensor[S]], name: str) -> Tensor[S]:
    if len(arguments) != 1:
        raise ShapeError(f"{name} takes one argument, and got {len(arguments)}")
    return arguments[0]


def _vector(arguments: Sequence[Tensor[S]]) -> Tensor[S]:
    """The arguments as one tensor: several scalars are a row."""
    if len(arguments) == 1:
        return arguments[0]
    if any(not a.is_scalar for a in arguments):
        raise ShapeError("several arguments must be scalars here")
    return Tensor((1, len(arguments)), tuple(a.item for a in arguments))


def _entrywise(function: Any) -> Callable[..., Any]:
    def run(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
        return algebra.entrywise(function, _one(arguments, function))

    return run


def _softmax(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    value = _vector(arguments)
    if value.is_scalar:
        raise ShapeError("softmax takes a vector or a matrix, and got a scalar")
    if value.shape[1] == 1 and value.shape[0] > 1:
        return algebra.transpose(algebra.softmax(algebra.transpose(value)))
    return algebra.softmax(value)


def _log(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    natural = algebra.entrywise("log", _one(arguments, "log"))
    if subscript is None:
        return natural
    return algebra.divide(natural, algebra.entrywise("log", algebra.number(subscript)))


def _log10(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return _log(arguments, algebra, Fraction(10))


def _relu(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return algebra.relu(_one(arguments, "ReLU"))


def _extreme(arguments: Sequence[Tensor[S]], algebra: Algebra[S], largest: bool) -> Tensor[S]:
    def best(entries: Sequence[S]) -> S:
        if largest:
            return algebra.scalars.maximum(entries)
        return algebra.scalars.negate(algebra.scalars.maximum([algebra.scalars.negate(e) for e in entries]))

    if len(arguments) == 1:
        return Tensor.scalar(best(arguments[0].entries))
    shape = next((a.shape for a in arguments if a.shape), ())
    if any(a.shape not in ((), shape) for a in arguments):
        raise ShapeError("the arguments of a maximum must have one shape")
    size = len(next((a.entries for a in arguments if a.shape), arguments[0].entries))
    columns = [a.entries * size if a.is_scalar and shape else a.entries for a in arguments]
    return Tensor(shape, tuple(best(entries) for entries in zip(*columns, strict=True)))


def _max(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return _extreme(arguments, algebra, True)


def _min(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return _extreme(arguments, algebra, False)


def _sum(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return algebra.total(_vector(arguments))


def _mean(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    value = _vector(arguments)
    return algebra.divide(algebra.total(value), algebra.number(len(value.entries)))


def _variance(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    value = _vector(arguments)
    center = _mean(arguments, algebra, None).item
    return _mean([value.map(lambda x: _square(algebra, algebra.scalars.subtract(x, center)))], algebra, None)


def _square(algebra: Algebra[S], value: S) -> S:
    return algebra.scalars.multiply(value, value)


def _deviation(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return algebra.entrywise("sqrt", _variance(arguments, algebra, None))


def _norm(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return norm(_vector(arguments), algebra)


def _transpose(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return algebra.transpose(_one(arguments, "transpose"))


def _concat(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return algebra.blocks([list(arguments)])


def _layer_norm(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    """Each row less its mean, over its population standard deviation (no epsilon, no scale and shift)."""
    value = _vector(arguments)
    column = value.shape != () and value.shape[1] == 1 and value.shape[0] > 1
    rows = (algebra.transpose(value) if column else value).rows()
    lines: list[list[S]] = []
    for row in rows:
        line = Tensor((1, len(row)), row)
        center, spread = _mean([line], algebra, None).item, _deviation([line], algebra, None).item
        lines.append([algebra.scalars.divide(algebra.scalars.subtract(x, center), spread) for x in row])
    result = Tensor.matrix(lines)
    return algebra.transpose(result) if column else result


def _rowsum(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    rows = _one(arguments, "rowsum").rows()
    return Tensor((len(rows), 1), tuple(algebra.sum_of(row) for row in rows))


def _det(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return Tensor.scalar(determinant(_one(arguments, "det"), algebra))


def _dot(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    if len(arguments) != 2 or len(arguments[0].entries) != len(arguments[1].entries):
        raise ShapeError("dot takes two vectors of one length")
    pairs = zip(arguments[0].entries, arguments[1].entries, strict=True)
    return Tensor.scalar(algebra.sum_of([algebra.scalars.multiply(x, y) for x, y in pairs]))


def _tan(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    value = _one(arguments, "tan")
    return value.map(lambda x: algebra.scalars.divide(_of(algebra, "sin", x), _of(algebra, "cos", x)))


def _hyperbolic(sign: int) -> Callable[..., Any]:
    """Half of e^x plus or minus e^-x: cosh or sinh."""

    def run(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
        scalars = algebra.scalars

        def half(x: S) -> S:
            up, down = _of(algebra, "exp", x), _of(algebra, "exp", scalars.negate(x))
            both = scalars.add(up, down) if sign > 0 else scalars.subtract(up, down)
            return scalars.divide(both, scalars.number(Fraction(2)))

        return _one(arguments, "a hyperbolic function").map(half)

    return run


def _silu(arguments: Sequence[Tensor[S]], algebra: Algebra[S], subscript: Fraction | None) -> Tensor[S]:
    return _one(arguments, "SiLU").map(lambda x: algebra.scalars.multiply(x, _of(algebra, "sigmoid", x)))


def _of(algebra: Algebra[S], function: Any, x: S) -> S:
    return algebra.entrywise(function, Tensor.scalar(x)).item


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _entrywise(name) for name in ("exp", "sin", "cos", "tanh", "sigmoid", "erf", "abs", "sqrt", "positive")},
    "softmax": _softmax,
    "log": _log,
    "ln": _log,
    "lg": _log10,
    "ReLU": _relu,
    "max": _max,
    "min": _min,
    "sum": _sum,
    "mean": _mean,
    "var": _variance,
    "std": _deviation,
    "norm": _norm,
    "transpose": _transpose,
    "Concat": _concat,
    "LayerNorm": _layer_norm,
    "rowsum": _rowsum,
    "dot": _dot,
    "det": _det,
    "tan": _tan,
    "sinh": _hyperbolic(-1),
    "cosh": _hyperbolic(1),
    "SiLU": _silu,
}
