"""Scalars and matrices as people write them: rows spread over matrices, lists stand for vectors either way."""

from __future__ import annotations

from typing import TypeVar

from symtrans.exact.scalars import Scalars
from symtrans.ops.algebra import Algebra
from symtrans.ops.determinant import inverse
from symtrans.ops.tensor import Tensor

S = TypeVar("S")


class PageAlgebra(Algebra[S]):
    """Algebra for the formulas of documents.

    A scalar is added to every entry and a row to every row; a column is not spread. The product of
    two rows of one length is their scalar product where `dots` allows it. With `loose`, lists are
    vectors that may be rows or columns, as the operation needs.
    """

    def __init__(self, scalars: Scalars[S], *, loose: bool = False, dots: bool = True) -> None:
        super().__init__(scalars, broadcast=True)
        self.loose = loose
        self.dots = dots

    def product(self, a: Tensor[S], b: Tensor[S]) -> Tensor[S]:
        """The product, with a list as the column that is needed and rows multiplied as vectors."""
        if a.shape and b.shape and a.shape[1] != b.shape[0]:
            one_line = a.shape == b.shape and 1 in a.shape
            if one_line and not self.dots:
                return super().product(a, b)  # which is not defined, and says so
            if one_line:
                pairs = zip(a.entries, b.entries, strict=True)
                return Tensor.scalar(self.sum_of([self.scalars.multiply(x, y) for x, y in pairs]))
            if self.loose and b.shape[0] == 1 and b.shape[1] == a.shape[1]:
                return self.transpose(super().product(a, self.transpose(b)))
            if self.loose and a.shape[1] == 1 and a.shape[0] == b.shape[0]:
                return super().product(self.transpose(a), b)
        return super().product(a, b)

    def matrix_power(self, a: Tensor[S], exponent: int) -> Tensor[S]:
        """A power of a square matrix; a negative one by its inverse."""
        if exponent < 0 and len(a.shape) == 2 and a.shape[0] == a.shape[1]:
            return super().matrix_power(inverse(a, self), -exponent)
        return super().matrix_power(a, exponent)

    def _spread(self, a: Tensor[S], like: Tensor[S]) -> Tensor[S]:  # type: ignore[override]
        if not like.shape or a.shape == like.shape:
            return a
        height, width = like.shape
        if len(a.entries) == 1:
            return Tensor(like.shape, a.entries * (height * width))
        if a.shape == (1, width):
            return Tensor(like.shape, a.entries * height)
        if self.loose and a.shape == (height, 1):
            if width == 1:
                return a
            return Tensor(like.shape, tuple(entry for entry in a.entries for _ in range(width)))
        return a
