"""A piece of NumPy source: an expression with its shape, and how it is bracketed and spread."""

from __future__ import annotations

from dataclasses import dataclass, replace

from symtrans.errors import ShapeError
from symtrans.ops.shapes import Shape, told

SUM, PRODUCT, POWER, ATOM = 1, 2, 3, 4  # how tightly Python binds; a higher one needs no brackets in a lower one


@dataclass(frozen=True, slots=True)
class Piece:
    r"""An expression and what it stands for.

    * `shape`: the shape of the quantity, () for a scalar.
    * `held`: the shape of what the expression gives; NumPy spreads it to `shape` in entrywise
      arithmetic. So `\mu\mathbf{1}_{m}^{T}` is just `mu`.
    * `binding`: SUM, PRODUCT, POWER or ATOM.
    * `ones`: every entry is the number 1, as in `\mathbf{1}_{n}`.
    * `joint`: `@` or `*` where the outermost operation is that product of matrices, else empty.
    """

    text: str
    shape: Shape
    held: Shape
    binding: int = ATOM
    ones: bool = False
    joint: str = ""

    @property
    def is_scalar(self) -> bool:
        """Whether this is one number; a 1×1 matrix is not."""
        return not self.shape

    def at(self, binding: int) -> str:
        """The expression, in brackets where it binds less than that."""
        return self.text if self.binding >= binding else f"({self.text})"

    def spread(self) -> Piece:
        """The same quantity as an expression that gives its whole shape."""
        if self.held == self.shape:
            return self
        if self.ones:
            return atom(f"np.ones({self.shape})", self.shape)
        if not self.held:
            return atom(f"np.full({self.shape}, {self.text})", self.shape)
        return atom(f"np.broadcast_to({self.text}, {self.shape})", self.shape)


def atom(text: str, shape: Shape) -> Piece:
    """An expression that never needs brackets and gives its whole shape."""
    return Piece(text, shape, shape)


def ones(rows: int, columns: int) -> Piece:
    """A matrix of ones, which entrywise arithmetic takes as the number 1."""
    return Piece("1", (rows, columns), (), ones=True)


def pairwise(left: Piece, right: Piece, sign: str) -> Piece:
    """A sum, a difference, an entrywise product or a quotient; ShapeError where the shapes differ."""
    if left.shape != right.shape and not (sign == "/" and right.is_scalar):
        raise ShapeError(f"{told(left.shape)} {sign} {told(right.shape)} is not defined: the shapes must be equal")
    held = _spread_shape(left.held, right.held)
    if sign == "*" and (left.ones or right.ones):
        return replace(right if left.ones else left, shape=left.shape)
    if sign == "/" and right.ones:
        return left
    if sign in "+-":
        return Piece(f"{left.at(SUM)} {sign} {right.at(PRODUCT)}", left.shape, held, SUM)
    before = f"({left.text})" if left.joint == "@" else left.at(PRODUCT)
    joint = "*" if left.shape and sign == "*" else ""
    return Piece(f"{before} {sign} {right.at(POWER)}", left.shape, held, PRODUCT, joint=joint)


def product(left: Piece, right: Piece) -> Piece:
    """The product as the shapes say: of two scalars, a scalar and a matrix, or two matrices."""
    if left.is_scalar or right.is_scalar:
        factor, other = (left, right) if left.is_scalar else (right, left)
        if other.ones:
            return replace(factor, shape=other.shape, ones=factor.text == "1")
        shape, held = other.shape, other.held
        before = f"({left.text})" if left.joint == "@" else left.at(PRODUCT)
        return Piece(f"{before} * {right.at(POWER)}", shape, held, PRODUCT, joint=left.joint and "*")
    (rows, inner), (height, columns) = left.shape, right.shape
    if inner != height:
        raise ShapeError(f"{told(left.shape)} @ {told(right.shape)} is not defined: {inner} columns meet {height} rows")
    shape = (rows, columns)
    if right.ones:
        return replace(_total(left, 1), shape=shape)
    if left.ones:
        return replace(_total(right, 0), shape=shape)
    left, right = left.spread(), right.spread()
    before = f"({left.text})" if left.joint == "*" else left.at(PRODUCT)
    return Piece(f"{before} @ {right.at(POWER)}", shape, shape, PRODUCT, joint="@")


def _total(piece: Piece, axis: int) -> Piece:
    """The sums of the rows (axis 1) or columns (axis 0): the product with a column or a row of ones."""
    count = piece.shape[axis]
    if count == 1:
        return piece
    if piece.held and piece.held[axis] == count:
        held = (piece.held[0], 1) if axis else (1, piece.held[1])
        return Piece(f"{piece.at(ATOM)}.sum(axis={axis}, keepdims=True)", piece.shape, held)
    if piece.ones:
        return Piece(str(count), piece.shape, ())
    return Piece(f"{count} * {piece.at(POWER)}", piece.shape, piece.held, PRODUCT)


def _spread_shape(left: Shape, right: Shape) -> Shape:
    if not left or not right:
        return left or right
    return tuple(max(pair) for pair in zip(left, right, strict=True))
