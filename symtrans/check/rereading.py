"""The independent second reader's part in a verdict: both must understand a side alike before a link holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from symtrans.document.claims import is_literal
from symtrans.errors import SymtransError
from symtrans.exact.identity import same
from symtrans.notation.tree import Matrix, Node, Symbol

if TYPE_CHECKING:
    from symtrans.check.valued import Valued
    from symtrans.check.valuer import Valuer


@dataclass(frozen=True, slots=True)
class Readers:
    """How many readers understood both sides alike, and what each read where they disagree."""

    count: int
    disagree: bool = False
    readings: tuple[str, ...] = ()


Answer = tuple[Literal["same", "cannot", "differs"], str]


def agree(valuer: Valuer, left: Valued, right: Valued, readers: int) -> Readers:
    """Ask the second reader for both sides; a number, a matrix of numbers or a name alone need no operators."""
    if readers == 1:
        return Readers(1)
    answers = [_answer(valuer, side) for side in (left, right)]
    for (status, reading), side in zip(answers, (left, right), strict=True):
        if status == "differs" and side.side is not None:
            return Readers(1, True, (side.side.text, reading))
    return Readers(2 if all(status == "same" for status, _ in answers) else 1)


def _answer(valuer: Valuer, side: Valued) -> Answer:
    if side.side is None or side.side.node is None or side.value is None:
        return "cannot", ""
    node = side.side.node
    if is_literal(node) or isinstance(node, Symbol):
        return "same", ""
    known = valuer.state.reread.get(id(node))
    if known is None:  # the node is kept with its answer, so that no other gets its identity
        known = valuer.state.reread[id(node)] = (node, _reread(valuer, side, node))
    return known[1]


def _reread(valuer: Valuer, side: Valued, node: Node) -> Answer:
    from symtrans.exact.face import from_sympy
    from symtrans.notation.second_reader import reread

    assert side.side is not None
    assert side.value is not None
    again = reread(side.side.formula.text, node, lambda part: _face(valuer, part))
    if again.status == "cannot":
        return "cannot", again.why
    rows = again.value.tolist() if hasattr(again.value, "tolist") else [[again.value]]
    entries = [entry for row in rows for entry in row]
    reading = f"{again.text} = {again.value}"
    if len(entries) != len(side.value.entries):
        return "differs", reading
    try:
        verdicts = [
            same(own, from_sympy(entry, valuer.state.scalars))
            for own, entry in zip(side.value.entries, entries, strict=True)
        ]
    except SymtransError as fault:
        return "cannot", str(fault)
    if False in verdicts:
        return "differs", reading
    return ("cannot", "not proven alike") if None in verdicts else ("same", "")


def _face(valuer: Valuer, part: Node) -> Any:
    """A name's or a matrix of numbers' value as SymPy has it, or None."""
    if not (isinstance(part, Symbol) or (isinstance(part, Matrix) and is_literal(part))):
        return None
    from sympy import ImmutableMatrix

    from symtrans.exact.face import to_sympy

    value = valuer.value_in(part, "written").value
    if value is None or any(entry.infinite for entry in value.entries):
        return None
    rows = [[to_sympy(entry) for entry in row] for row in value.rows()]
    return ImmutableMatrix(rows) if value.shape else rows[0][0]
