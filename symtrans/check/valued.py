"""A side with its values: as written, in truth and before rounding."""

from __future__ import annotations

from dataclasses import dataclass

from symtrans.check.evaluate import Outcome
from symtrans.check.finding import Root
from symtrans.check.world import Value
from symtrans.document.claims import Side
from symtrans.exact.field import Element
from symtrans.notation.tree import Matrix, Node, Number, Power, Product, rebuild, walk
from symtrans.ops.tensor import Tensor


@dataclass(slots=True)
class Valued:
    """A side's values: as written, in truth, and before rounding; `roots` are the faults that it depends on.

    `is_fresh`: it is a name that is defined here.
    """

    side: Side | None
    written: Outcome[Element]
    truth: Value | None = None
    upstream: Value | None = None
    roots: tuple[Root, ...] = ()
    is_fresh: bool = False

    @property
    def value(self) -> Value | None:
        """The value as written."""
        return self.written.value

    @property
    def node(self) -> Node | None:
        """Its tree, where it was read."""
        return None if self.side is None else self.side.node

    def in_truth(self) -> Valued:
        """The same side with its truth in place of its value."""
        return Valued(self.side, Outcome(self.truth), self.truth, self.truth, self.roots)


def entry_of(value: Value | None, entry: int | None) -> Value | None:
    """One entry (from 0) of a matrix; a scalar is every entry."""
    if value is None or entry is None or value.is_scalar:
        return value
    return Tensor.scalar(value.entries[entry]) if entry < len(value.entries) else None


def entrywise(node: Node) -> Node:
    """The node with squares as entrywise products: a sum over all entries means them so."""
    node = rebuild(node, entrywise)
    if isinstance(node, Power) and isinstance(node.exponent, Number) and node.exponent.text == "2":
        return Product((node.base, node.base), ("odot",), span=node.span)
    return node


def transposed(value: Value) -> Value:
    """Rows and columns exchanged."""
    if not value.shape:
        return value
    return Tensor((value.shape[1], value.shape[0]), tuple(e for column in value.columns() for e in column))


def has_list(side: Side | None) -> bool:
    """Whether a side has a list in brackets that is written without a matrix environment."""
    if side is None or side.node is None:
        return False
    return any(
        isinstance(node, Matrix)
        and len(node.rows) == 1
        and len(node.rows[0]) > 1
        and side.text_of(node)[:1] in ("[", "(")
        for node in walk(side.node)
    )
