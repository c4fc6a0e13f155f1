"""What an undefined name may mean: Euler's number, or an entry of a known vector; it counts only where all agrees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symtrans.check.equality import Equality
from symtrans.check.finding import LinkVerdict
from symtrans.check.heads import EULER, as_euler, has_euler
from symtrans.check.valued import Valued
from symtrans.check.valuer import Valuer
from symtrans.notation.name import Name
from symtrans.notation.tree import Apply, Constant, Node, Product, Symbol, Transpose, rebuild, walk


def guessed(
    valuer: Valuer, equality: Equality, place: int, plain: LinkVerdict, left: Valued, right: Valued
) -> LinkVerdict | None:
    """The verdict with undefined names as what they may mean, or None where the sides do not agree then."""
    for sides in _readings(valuer, left, right):
        if all(side.value is not None for side in sides):
            verdict = equality.judge(place, plain, *sides)
            if verdict.verdict == "HOLDS":
                return verdict
    return None


def with_named_e(
    valuer: Valuer, equality: Equality, place: int, plain: LinkVerdict, left: Valued, right: Valued
) -> LinkVerdict | None:
    """The verdict with e as the name that was defined, an error e, say, where the sides then agree."""
    known = next((name for name in EULER if valuer.world.find(name) is not None), None)
    if known is None:
        return None
    sides = []
    for side in (left, right):
        if side.side is None or side.node is None:
            return None
        sides.append(_anew(valuer, replace(side, side=replace(side.side, node=_e_as(known, side.node)))))
    if any(side.value is None for side in sides):
        return None
    verdict = equality.judge(place, plain, *sides)
    return verdict if verdict.level != "error" and verdict.verdict != "UNDECIDED" else None


def _e_as(name: Name, node: Node) -> Node:
    if node == Constant("e"):
        return Symbol(name, span=node.span)
    return rebuild(node, lambda child: _e_as(name, child))


def as_columns(
    valuer: Valuer, equality: Equality, place: int, plain: LinkVerdict, left: Valued, right: Valued
) -> LinkVerdict | None:
    """The verdict on `x^T y = 5` with lists as columns, as a number on the right tells; None for another side."""
    if left.node is None or left.side is None or right.value is None or len(right.value.entries) != 1:
        return None
    node = _with_dots(valuer, left.node)
    side = _anew(valuer, replace(left, side=replace(left.side, node=node)))
    if node is left.node or side.value is None or len(side.value.entries) != 1:
        return None
    return equality.judge(place, plain, side, right)


def _with_dots(valuer: Valuer, node: Node) -> Node:
    """The node with the products of a transposed list and a list as scalar products; itself where there is none."""
    match node:
        case Product((Transpose(Symbol(first) as a), Symbol(second) as b), ("" | "cdot",)):
            known = [valuer.world.meaning(name) for name in (first, second)]
            if all(q is not None and q.is_list and q.written.shape[:1] == (1,) for q in known):
                return Apply("dot", (a, b), span=node.span)
    if not any(isinstance(part, Transpose) for part in walk(node)):
        return node
    return rebuild(node, lambda child: _with_dots(valuer, child))


def _readings(valuer: Valuer, left: Valued, right: Valued) -> Iterator[tuple[Valued, Valued]]:
    nodes = [side.node for side in (left, right) if side.node is not None]
    if len(nodes) < 2:
        return
    if any(map(has_euler, nodes)) and valuer.world.meaning(EULER[0]) is None:
        yield _as_euler(valuer, left), _as_euler(valuer, right)
    valuer.world.takes_entries = True
    try:
        yield _anew(valuer, left), _anew(valuer, right)
    finally:
        valuer.world.takes_entries = False


def _as_euler(valuer: Valuer, side: Valued) -> Valued:
    assert side.side is not None
    assert side.node is not None
    return _anew(valuer, replace(side, side=replace(side.side, node=as_euler(side.node))))


def _anew(valuer: Valuer, side: Valued) -> Valued:
    assert side.node is not None
    written = valuer.value_in(side.node, "written")
    return Valued(side.side, written, written.value, written.value, side.roots)
