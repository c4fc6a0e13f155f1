r"""Sums over the index of a known vector or matrix: how far they run, and which entry a name with an index means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from symtrans.notation.name import AnyName, Name
from symtrans.notation.tree import BigSum, Node, Number, Symbol, rebuild, walk
from symtrans.ops.tensor import Tensor

S = TypeVar("S")
Find = Callable[[AnyName], "Tensor[S] | None"]
MOST = 1000


def bounded(tree: Node, find: Find[S]) -> Node:
    r"""The tree with `\sum_i` as a sum over the whole range of i, where the names with that index tell one range.

    A last index that is a name without a value, behind a first one of 1, is that range's end too.
    """
    if not any(isinstance(part, BigSum) and part.index is not None for part in walk(tree)):
        return tree  # itself: what is known of nodes is known by their identity
    tree = rebuild(tree, lambda child: bounded(child, find))
    if not isinstance(tree, BigSum) or tree.index is None:
        return tree
    open_end = isinstance(tree.high, Symbol) and find(tree.high.name) is None and tree.low == Number("1")
    if not open_end and (tree.low is not None or tree.high is not None):
        return tree
    length = _length(tree.body, tree.index.key, find)
    return tree if length is None else replace(tree, low=Number("1"), high=Number(str(length)))


def _length(body: Node, index: str, find: Find[S]) -> int | None:
    """How far an index runs in a body; None where its names do not agree, or one of them tells nothing."""
    found: set[int | None] = set()
    for part in walk(body):
        if isinstance(part, Symbol) and isinstance(part.name, Name):
            places = _places(part.name)
            if index in places:
                found.add(_range(part.name, places, places.index(index), find))
            elif index in part.name.key.split("_", 1)[-1]:
                return None
    return found.pop() if len(found) == 1 else None


def _range(name: Name, places: list[str], place: int, find: Find[S]) -> int | None:
    base = find(replace(name, subscript=()))
    if base is not None and len(places) == len(base.shape) == 2:
        return base.shape[place]
    if base is not None and len(places) == 1 and len(base.shape) == 2 and 1 in base.shape:
        return len(base.entries) if _are_entries(name, base, find) else None
    if base is not None or len(places) != 1:
        return None
    count = 0
    while count < MOST and find(_with_subscript(name, str(count + 1))) is not None:
        count += 1
    zero_based = find(_with_subscript(name, "0")) is not None
    return count if count and not zero_based else None


def _are_entries(name: Name, base: Tensor[S], find: Find[S]) -> bool:
    """Whether the names `x_0`, `x_1`, … that are defined beside a vector x are its entries, counted from 1."""
    for place in range(len(base.entries) + 1):
        own = find(_with_subscript(name, str(place)))
        if own is not None and (place == 0 or own.entries != (base.entries[place - 1],)):
            return False
    return True


def _with_subscript(name: Name, text: str) -> Name:
    return replace(name, subscript=(replace(name.subscript[0], text=text),))


def _places(name: Name) -> list[str]:
    """The places of a subscript: `i`, `ij`, `i,j`; none where it is something else."""
    if len(name.subscript) != 1:
        return []
    text = name.subscript[0].text
    if "," in text:
        places = [part.strip() for part in text.split(",")]
        return places if len(places) == 2 else []
    if len(text) == 2 and text.isalnum() and not text.isdigit():
        return list(text)
    return [text]


def entry(name: AnyName, find: Find[S]) -> Tensor[S] | None:
    """The entry of a known vector or matrix that a name with an index means: `x_2`, `A_{12}`, counted from 1."""
    if not isinstance(name, Name) or len(name.subscript) != 1:
        return None
    base = find(replace(name, subscript=()))
    text = name.subscript[0].text
    if base is None or len(base.shape) != 2:
        return None
    rows, columns = base.shape
    is_vector = 1 in base.shape
    if text.isdigit() and is_vector and len(text) < 5:
        place = int(text)
        return Tensor.scalar(base.entries[place - 1]) if 1 <= place <= len(base.entries) else None
    places = text.split(",") if "," in text else list(text)
    if is_vector or len(places) != 2 or not all(part.strip().isdigit() for part in places):
        return None
    row, column = (int(part) for part in places)
    inside = 1 <= row <= rows and 1 <= column <= columns
    return Tensor.scalar(base.entries[(row - 1) * columns + column - 1]) if inside else None
