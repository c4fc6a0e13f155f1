"""Which operands an op needs only the same rows of, to make some rows of its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from symtrans.errors import ShapeError
from symtrans.ops.op import Op
from symtrans.ops.plan import Call, plan
from symtrans.ops.shapes import Settings, Shape, assign, settled

ALIKE = ("add", "subtract", "odot", "divide")  # entry by entry


def by_rows(op: Op, shapes: Sequence[Shape], settings: Mapping[str, int]) -> frozenset[int]:
    """The places of the operands whose rows go with the result's rows; the others are needed whole.

    Empty where the op is not known to work row by row: then all of it has to be carried out.
    """
    return _by_rows(op, tuple(shapes), settled(settings))


@lru_cache(maxsize=4096)
def _by_rows(op: Op, shapes: tuple[Shape, ...], settings: Settings) -> frozenset[int]:
    first = op.result.shape[:1]
    going = frozenset(
        place
        for place, (operand, _) in enumerate(assign(op, len(shapes)))
        if operand.shape[:1] == first and first and not first[0].isdigit() and not first[0].endswith("*")
    )
    if not going or any(name in dict(settings) for name in first):
        return frozenset()
    height = next(shapes[place][0] for place in going)
    other = height + 1 if height == 1 else 1
    fewer = tuple((other, *shape[1:]) if place in going else shape for place, shape in enumerate(shapes))
    try:
        whole, part = plan(op, shapes, settings), plan(op, fewer, settings)
    except ShapeError:  # no other height fits
        return frozenset()
    if whole is None or part is None or len(whole.calls) != len(part.calls):
        return frozenset()
    kinds = ["row" if place in going else "fixed" for place in range(len(shapes))]
    for one, two in zip(whole.calls, part.calls, strict=True):
        kind = _kind(one, two, [kinds[place] for place in one.places], height)
        if kind is None or one.places != two.places:
            return frozenset()
        kinds.append(kind)
    return going if kinds[whole.result] == "row" else frozenset()


def _kind(call: Call, shorter: Call, kinds: Sequence[str], height: int) -> str | None:
    """Whether a call's value has rows that go with the result's, given which operands have; None where that is open.

    `shorter` is the same call for operands with another number of such rows: what does not go with the rows is alike
    in both.
    """
    name, result = call.name, call.shapes[-1]
    if name != shorter.name:
        return None
    if name == "constant":
        return "fixed" if result == shorter.shapes[-1] else "row" if result[0] == height else None
    if "row" not in kinds:
        return "fixed" if call == shorter else None
    if name in ALIKE or (name == "blocks" and len(call.fixed[0]) == 1):
        spread = [kind == "row" or not shape for kind, shape in zip(kinds, call.shapes[:-1], strict=True)]
        return "row" if all(spread) else None
    if name in ("negate", "entrywise", "relu", "power", "softmax"):
        return "row" if call.fixed == shorter.fixed else None
    if name == "product":
        left, right = call.shapes[0], call.shapes[1]
        if not left or not right:
            return "row"
        return "row" if kinds == ["row", "fixed"] else None
    if name == "slice":
        return "row" if call.fixed[0] == (1, height) and call.fixed[1] == shorter.fixed[1] else None
    return None
