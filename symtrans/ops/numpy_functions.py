"""The functions that a formula may call, as NumPy source; `ops.functions` tells the same in terms of an algebra."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, reduce

from symtrans.errors import ShapeError
from symtrans.ops.functions import UnknownFunction
from symtrans.ops.numpy_piece import ATOM, PRODUCT, Piece, atom
from symtrans.ops.shapes import told

# What NumPy has no function for; a script defines those that it uses.
HELPERS = {
    "softmax": """def softmax(S):
    powers = np.exp(S - S.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
""",
    "sigmoid": """def sigmoid(x):
    return np.exp(-np.logaddexp(0, -x))
""",
    "erf": """erf = np.vectorize(math.erf, otypes=[float])
""",
    "layer_norm": """def layer_norm(X):
    return (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, keepdims=True)
""",
}


def call(name: str, arguments: Sequence[Piece], base: Piece | None = None) -> Piece:
    """A function of pieces; UnknownFunction where it has no source here, ShapeError where its arguments do not fit."""
    if name not in SOURCES:
        raise UnknownFunction(f"the function {name} has no NumPy source here")
    if name in ("log", "ln") and base is not None:
        value, below = entrywise("np.log", arguments), entrywise("np.log", [base])
        return replace(value, text=f"{value.text} / {below.text}", binding=PRODUCT)
    return SOURCES[name](arguments)


def helpers_of(source: str) -> list[str]:
    """The names of the helpers that a source calls, in the order of `HELPERS`."""
    return [name for name in HELPERS if re.search(rf"(?<![\w.]){name}\(", source)]


def entrywise(function: str, arguments: Sequence[Piece]) -> Piece:
    """A function applied to every entry of its one argument."""
    value = _one(arguments)
    return Piece(f"{function}({value.text})", value.shape, value.held)


def blocks(rows: Sequence[Sequence[Piece]]) -> Piece:
    """One matrix of blocks or of scalars."""
    if all(cell.is_scalar for row in rows for cell in row):
        lines = ", ".join("[" + ", ".join(cell.text for cell in row) + "]" for row in rows)
        return atom(f"np.array([{lines}], dtype=float)", (len(rows), len(rows[0])))
    spread = [[cell.spread() for cell in row] for row in rows]
    width = sum(_size(cell)[1] for cell in rows[0])
    shape = (sum(_size(row[0])[0] for row in rows), width)
    stacked = all(cell.shape for row in rows for cell in row)
    if len(rows) == 1 and stacked:
        return atom(f"np.hstack([{', '.join(cell.text for cell in spread[0])}])", shape)
    if all(len(row) == 1 for row in rows) and stacked:
        return atom(f"np.vstack([{', '.join(row[0].text for row in spread)}])", shape)
    lines = ", ".join("[" + ", ".join(cell.text for cell in row) + "]" for row in spread)
    return atom(f"np.block([{lines}])", shape)


def transposed(value: Piece) -> Piece:
    """Rows and columns exchanged; a scalar stays."""
    if value.is_scalar:
        return value
    text = value.text if not value.held else f"{value.at(ATOM)}.T"
    binding = value.binding if not value.held else ATOM
    return Piece(text, value.shape[::-1], value.held[::-1], binding, value.ones)


def reduced(function: str, arguments: Sequence[Piece]) -> Piece:
    """A function of all entries together, a scalar; several scalars count as a row."""
    return atom(f"{function}({_vector(arguments).spread().text})", ())


def _size(piece: Piece) -> tuple[int, int]:
    return (piece.shape[0], piece.shape[1]) if piece.shape else (1, 1)


def _one(arguments: Sequence[Piece]) -> Piece:
    if len(arguments) != 1:
        raise ShapeError(f"one argument is needed here, and there are {len(arguments)}")
    return arguments[0]


def _vector(arguments: Sequence[Piece]) -> Piece:
    return arguments[0] if len(arguments) == 1 else blocks([arguments])


def _by_rows(function: str, arguments: Sequence[Piece]) -> Piece:
    """A function of each row, also where a row is one entry."""
    value = _vector(arguments).spread()
    if value.is_scalar:
        raise ShapeError(f"{function} takes a vector or a matrix, and got a scalar")
    return atom(f"{function}({value.text})", value.shape)


def _extreme(kind: str, arguments: Sequence[Piece]) -> Piece:
    if len(arguments) == 1:
        return reduced(f"np.{kind}", arguments)
    shapes = {a.shape for a in arguments if a.shape}
    if len(shapes) > 1:
        raise ShapeError("the arguments of a maximum must have one shape")
    text = reduce(lambda left, right: f"np.{kind}imum({left}, {right})", (a.text for a in arguments))
    shape = next(iter(shapes), ())
    return Piece(text, shape, shape).spread() if any(a.held == shape for a in arguments) else _full(text, shape)


def _full(text: str, shape: tuple[int, ...]) -> Piece:
    return atom(f"np.broadcast_to({text}, {shape})", shape)


def _row_sums(arguments: Sequence[Piece]) -> Piece:
    value = _one(arguments).spread()
    if value.is_scalar:
        raise ShapeError(f"rowsum takes a matrix, and got {told(value.shape)}")
    return atom(f"{value.at(ATOM)}.sum(axis=1, keepdims=True)", (value.shape[0], 1))


def _dot(arguments: Sequence[Piece]) -> Piece:
    if len(arguments) != 2:
        raise ShapeError("dot takes two vectors of one length")
    return atom(f"np.vdot({', '.join(a.spread().text for a in arguments)})", ())


def _silu(arguments: Sequence[Piece]) -> Piece:
    value = _one(arguments)
    return Piece(f"{value.at(PRODUCT)} * sigmoid({value.text})", value.shape, value.held, PRODUCT)


def _relu(arguments: Sequence[Piece]) -> Piece:
    value = _one(arguments)
    return Piece(f"np.maximum({value.text}, 0)", value.shape, value.held)


def _step(arguments: Sequence[Piece]) -> Piece:
    """1 where the argument is positive, else 0."""
    value = _one(arguments)
    return Piece(f"np.heaviside({value.text}, 0)", value.shape, value.held)


SOURCES: dict[str, Callable[[Sequence[Piece]], Piece]] = {
    **{name: partial(entrywise, f"np.{name}") for name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: partial(entrywise, f"np.{name}") for name in ("abs", "sqrt", "log")},
    **{name: partial(reduced, f"np.{name}") for name in ("sum", "mean", "var", "std")},
    "sigmoid": partial(entrywise, "sigmoid"),
    "erf": partial(entrywise, "erf"),
    "ln": partial(entrywise, "np.log"),
    "lg": partial(entrywise, "np.log10"),
    "positive": _step,
    "ReLU": _relu,
    "SiLU": _silu,
    "softmax": partial(_by_rows, "softmax"),
    "LayerNorm": partial(_by_rows, "layer_norm"),
    "max": partial(_extreme, "max"),
    "min": partial(_extreme, "min"),
    "norm": partial(reduced, "np.linalg.norm"),
    "transpose": lambda arguments: transposed(_one(arguments)),
    "Concat": lambda arguments: blocks([arguments]),
    "rowsum": _row_sums,
    "dot": _dot,
    "det": lambda arguments: atom(f"np.linalg.det({_one(arguments).spread().text})", ()),
}
