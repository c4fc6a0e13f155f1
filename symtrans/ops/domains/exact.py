"""Exact tensors; products of rational matrices go to FLINT where they are large enough to gain."""

from __future__ import annotations

from symtrans.exact.exact_scalars import ExactScalars
from symtrans.exact.field import Element
from symtrans.exact.rational_matrix import rational_product
from symtrans.ops.algebra import Algebra
from symtrans.ops.tensor import Tensor

FLINT_FROM = 8  # scalar products in a matrix product from which it pays to build FLINT's matrices


class ExactAlgebra(Algebra[Element]):
    """Algebra over the exact elements of one field."""

    def __init__(self, scalars: ExactScalars | None = None, *, broadcast: bool = False) -> None:
        self.exact = scalars or ExactScalars()
        super().__init__(self.exact, broadcast=broadcast)

    def matrix_product(self, a: Tensor[Element], b: Tensor[Element]) -> Tensor[Element]:
        """The product of two matrices whose shapes fit."""
        rows, inner, columns = a.shape[0], a.shape[1], b.shape[1]
        if rows * inner * columns >= FLINT_FROM:
            entries = rational_product(self.exact.field, a.entries, b.entries, rows, inner, columns)
            if entries is not None:
                return Tensor((rows, columns), entries)
        return super().matrix_product(a, b)
