r"""The whole numbers that a formula needs beforehand: sizes in `\mathbf{1}_{m}`, bounds of sums, exponents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from symtrans.exact.whole import whole
from symtrans.notation.name import AnyName, Name
from symtrans.notation.tree import Apply, BigSum, Node, Power, Root, Slice, Symbol, walk
from symtrans.ops.tensor import Tensor

S = TypeVar("S")
SIZED = ("1", "I")


def lengths(tree: Node, find: Callable[[AnyName], Tensor[S] | None]) -> dict[str, int]:
    """The names that a tree needs as whole numbers and that are known to be some, by key."""
    found: dict[str, int] = {}
    for name in _asked(tree):
        value = find(name)
        if value is not None and len(value.entries) == 1:
            number = whole(value.entries[0])
            if number is not None:
                found[name.key] = number
    return found


def size_of(name: AnyName) -> str | None:
    r"""What stands below a bold 1 or I that may tell its size; None for another name."""
    if not isinstance(name, Name) or name.font != "bold" or len(name.subscript) != 1 or name.nucleus not in SIZED:
        return None
    return name.subscript[0].text


def _asked(tree: Node) -> Iterator[AnyName]:
    for node in walk(tree):
        match node:
            case Symbol(name):
                size = size_of(name)
                if size is not None and not size.isdigit():
                    yield Name(size)
            case BigSum(low=low, high=high):
                yield from _names(low, high)
            case Power(exponent=exponent):
                yield from _names(exponent)
            case Root(degree=degree):
                yield from _names(degree)
            case Slice() | Apply():
                yield from _names(node)


def _names(*nodes: Node | None) -> Iterator[AnyName]:
    for node in nodes:
        for part in () if node is None else walk(node):
            if isinstance(part, Symbol):
                yield part.name
