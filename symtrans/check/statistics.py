"""A mean or a deviation that is stated of a vector without saying so: `x = [1, 2, 3], μ = 2, σ = 1`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from symtrans.check.stated import ungrouped
from symtrans.document.claims import Statement
from symtrans.notation.name import Name
from symtrans.notation.tree import Apply, Matrix, Node

if TYPE_CHECKING:
    from symtrans.check.valuer import Valuer

MOST_COLUMNS = 2_000


@dataclass(slots=True)
class Vectors:
    """The vectors that a statistic may speak of: rows with a label of their own, and the last one of a block."""

    labelled: dict[str, Matrix] = field(default_factory=dict)
    last: Matrix | None = None
    block: int = 0
    confirmed: bool = False

    def note(self, statement: Statement) -> None:
        """A statement has been judged: a vector in it may be what the next ones speak of."""
        side = statement.sides[-1]
        node = None if side is None or side.node is None else ungrouped(side.node)
        if not isinstance(node, Matrix) or len(node.rows[0]) < 2 or len(node.rows[0]) > MOST_COLUMNS:
            return
        notes = statement.context.notes
        if notes and len(notes) == len(node.rows):
            for label, row in zip(notes, node.rows, strict=True):
                self.labelled[_plain(label)] = Matrix((row,))
        if len(node.rows) == 1:
            self.last, self.block, self.confirmed = node, statement.block.index, False


def implied(valuer: Valuer, statement: Statement, name: object, value: Node) -> Node | None:
    """What a stated statistic is computed from, as a formula; None where nothing says that it is one."""
    vectors, cues = valuer.state.vectors, valuer.state.cues
    if not isinstance(name, Name) or name.subscript or name.superscript:
        return None
    function = cues.statistics.get(name.nucleus.lower())
    if function is None:
        return None
    context = statement.context
    row = vectors.labelled.get(_plain(context.label)) if context.label else None
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


def _plain(label: str) -> str:
    return label.strip().strip("\"'“”‘’").strip().rstrip(":").lower()
