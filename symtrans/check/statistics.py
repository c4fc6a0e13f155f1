"""A mean or a deviation that is stated of a vector without saying so: `x = [1, 2, 3], μ = 2, σ = 1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtrans.check.vectors import plain_label
from symtrans.document.claims import Statement
from symtrans.notation.name import Name
from symtrans.notation.tree import Apply, Node

if TYPE_CHECKING:
    from symtrans.check.valuer import Valuer


def implied(valuer: Valuer, statement: Statement, name: object, value: Node) -> Node | None:
    """What a stated statistic is computed from, as a formula; None where nothing says that it is one."""
    vectors, cues = valuer.state.vectors, valuer.state.cues
    if not isinstance(name, Name) or name.subscript or name.superscript:
        return None
    function = cues.statistics.get(name.nucleus.lower())
    if function is None:
        return None
    context = statement.context
    row = vectors.labelled.get(plain_label(context.label)) if context.label else None
    if row is not None:
        return Apply(function, (row,))
    if vectors.last is None or vectors.block != statement.block.index:
        return None
    if function == "mean":
        mean = Apply("mean", (vectors.last,))
        result = valuer.value_in(mean, "written").value
        vectors.confirmed = result is not None and valuer.agrees(result, value)
        return mean if vectors.confirmed else None
    return Apply(function, (vectors.last,)) if vectors.confirmed else None
