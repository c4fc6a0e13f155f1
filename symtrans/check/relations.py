"""Relations that are no equality: an order, a difference, and the space that a quantity lies in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from symtrans.check.finding import LinkVerdict
from symtrans.check.show import shown
from symtrans.check.world import Value
from symtrans.errors import SymtransError, Undecided
from symtrans.exact.sign import order
from symtrans.notation.tree import Apply, Number

if TYPE_CHECKING:
    from symtrans.check.valued import Valued

HOLDS = {"<": (-1,), ">": (1,), "≤": (-1, 0), "≥": (0, 1), "≠": (-1, 1)}


def judge_relation(plain: LinkVerdict, left: Value | None, right: Valued) -> LinkVerdict:
    """The verdict on `left relation right`."""
    node = None if right.side is None else right.side.node
    if plain.rel == "∈" and isinstance(node, Apply) and node.function == "Reals":
        return _space(plain, left, node)
    if plain.rel not in HOLDS or left is None or right.value is None:
        return replace(plain, code="ST003", reason=f"{plain.rel} is not judged here")
    if len(left.entries) != 1 or len(right.value.entries) != 1:
        return replace(plain, code="ST003", reason=f"{plain.rel} between {left.told} and {right.value.told}")
    try:
        side = order(left.entries[0], right.value.entries[0])
    except Undecided as fault:
        return replace(plain, code="ST903", reason=str(fault))
    except SymtransError as fault:
        return replace(plain, code="ST902", reason=str(fault))
    if side in HOLDS[plain.rel]:
        return replace(plain, verdict="HOLDS", level="ok", exact=shown(left))
    return replace(plain, verdict="FAILS", level="error", code="ST106", exact=shown(left))


def _space(plain: LinkVerdict, left: Value | None, space: Apply) -> LinkVerdict:
    """`∈ ℝ^{2×3}`: the shape must be that one."""
    lengths = [
        int(d.text) if isinstance(d, Number) and d.text.isdigit() and len(d.text) < 7 else None for d in space.arguments
    ]
    if left is None or None in lengths or not lengths:
        return replace(
            plain, code="ST301", reason="a length of the space is not a number here" if left else "not defined"
        )
    shape = left.shape or (1,)
    wanted = tuple(length for length in lengths if length is not None)
    vector = len(wanted) == 1 and len(left.entries) == wanted[0] and (not left.shape or 1 in left.shape)
    if shape == wanted or vector:
        return replace(plain, verdict="HOLDS", code=None)
    told = "×".join(str(length) for length in wanted)
    return replace(plain, verdict="FAILS", level="error", code="ST203", reason=f"{left.told}, not {told}")
