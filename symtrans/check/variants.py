"""A side with one of its parts changed, once for every part that can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symtrans.notation.tree import Node, children, rebuild

Change = Callable[[Node], Iterator[Node]]


def each(tree: Node, change: Change) -> Iterator[Node]:
    """The tree with one node replaced, for every node and every replacement that `change` has for it."""
    yield from change(tree)
    for place, child in enumerate(children(tree)):
        for changed in each(child, change):
            yield _with_child(tree, place, changed)


def _with_child(tree: Node, place: int, new: Node) -> Node:
    """The tree with its child at a place replaced."""
    count = -1

    def swap(child: Node) -> Node:
        nonlocal count
        count += 1
        return new if count == place else child

    return rebuild(tree, swap)
