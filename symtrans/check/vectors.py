"""The vectors that a stated mean or deviation may speak of: rows with a label, and the last one of a block."""

from __future__ import annotations

from dataclasses import dataclass, field

from symtrans.check.stated import ungrouped
from symtrans.document.claims import Statement
from symtrans.notation.tree import Matrix

MOST_COLUMNS = 2_000


@dataclass(slots=True)
class Vectors:
    """Rows with a label of their own, and the last vector of a block; `confirmed`: its mean has been stated rightly."""

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
                self.labelled[plain_label(label)] = Matrix((row,))
        if len(node.rows) == 1:
            self.last, self.block, self.confirmed = node, statement.block.index, False


def plain_label(label: str) -> str:
    """A label without quotes, blanks and colon, in small letters."""
    return label.strip().strip("\"'“”‘’").strip().rstrip(":").lower()
