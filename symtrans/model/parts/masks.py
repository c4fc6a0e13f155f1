"""Which keys a query may look at: the causal mask, padding, and a mask that the specification gives, as one matrix."""

from __future__ import annotations

from symtrans.errors import SpecError
from symtrans.exact.written import Written
from symtrans.model.spec import Literal, Spec
from symtrans.model.tape import Cell

ZERO = Written.parse("0")


def causal(positions: int) -> Literal:
    """0 up to the diagonal and minus infinity beyond it: no position looks at a later one."""
    return tuple(tuple(ZERO if key <= query else None for key in range(positions)) for query in range(positions))


def padding(queries: int, keep: Literal) -> Literal:
    """Minus infinity in the columns of the keys that are padding; `keep` has a 1 for each that is not."""
    row: tuple[Cell, ...] = tuple(ZERO if cell is not None and cell.value else None for (cell,) in keep)
    return (row,) * queries


def combined(spec: Spec, key: str, masks: list[Literal]) -> Literal | None:
    """The masks laid over each other; None where nothing is masked.

    SpecError where a query may look at no key at all.
    """
    if not masks:
        return None
    rows = tuple(
        tuple(None if any(cell is None for cell in cells) else ZERO for cells in zip(*lines, strict=True))
        for lines in zip(*masks, strict=True)
    )
    for number, row in enumerate(rows, 1):
        if all(cell is None for cell in row):
            raise SpecError(
                f"{spec.source}: {key}: position {number} may look at no position at all, so its attention weights "
                "have no value; leave at least one key unmasked"
            )
    return rows if any(cell is None for row in rows for cell in row) else None
