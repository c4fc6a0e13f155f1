"""A matrix of plain numbers, each kept as its text: it is written, and compared, without a tree for every cell."""

from __future__ import annotations

from symtrans.notation.tree import Fraction, Matrix, Node, Number, Power, Product, Sum, Term

Texts = tuple[tuple[str, ...], ...]


class NumeralMatrix(Matrix):
    """The matrix whose cells are the numbers of `texts`: `-2.5`, `3/4` or `6.54103e-7` each.

    Its `rows` are made when somebody looks at them; it equals the matrix of those cells.
    """

    __slots__ = ("_rows", "texts")

    texts: Texts
    _rows: tuple[tuple[Node, ...], ...] | None

    def __init__(self, texts: Texts) -> None:
        for name, value in (("texts", texts), ("_rows", None), ("span", None)):
            object.__setattr__(self, name, value)

    @property
    def rows(self) -> tuple[tuple[Node, ...], ...]:
        """The cells as trees."""
        known = self._rows
        if known is None:
            known = tuple(tuple(map(numeral_node, row)) for row in self.texts)
            object.__setattr__(self, "_rows", known)
        return known

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumeralMatrix):
            return self.texts == other.texts
        return isinstance(other, Matrix) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash((self.rows,))


def numeral_node(text: str) -> Node:
    """The tree of a number written `-2.5`, `3/4` or `6.54103e-7`, which is 6.54103 times a power of ten."""
    if text.startswith("-"):
        return Sum((Term(-1, numeral_node(text[1:])),))
    above, slash, below = text.partition("/")
    if slash:
        return Fraction(Number(above), Number(below))
    digits, mark, exponent = text.partition("e")
    return Product((Number(digits), Power(Number("10"), numeral_node(exponent))), ("times",)) if mark else Number(text)
