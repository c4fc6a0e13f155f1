"""The independent second reader's part in a verdict: both must understand a side alike before a link holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from symtrans.check.enclosed import MOST_GENERATORS, MOST_WORK
from symtrans.check.evaluate import evaluate
from symtrans.check.world import Value
from symtrans.document.claims import is_literal
from symtrans.errors import SymtransError
from symtrans.exact.budget import BudgetedScalars
from symtrans.exact.field import Field
from symtrans.exact.identity import same
from symtrans.exact.stand_in import common_field, stand_in
from symtrans.notation.name import AnyName
from symtrans.notation.tree import Matrix, Node, Symbol, walk

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
    faces = _Faces(valuer, node, side.value)
    if faces.own is None:
        return "cannot", "no value to compare"
    again = reread(side.side.formula.text, node, faces.of)
    if again.status == "cannot":
        return "cannot", again.why
    rows = again.value.tolist() if hasattr(again.value, "tolist") else [[again.value]]
    entries = [entry for row in rows for entry in row]
    try:
        verdicts: list[bool | None] = [len(entries) == len(faces.own.entries)]
        for own, entry in zip(faces.own.entries, entries, strict=False):
            verdicts.append(same(own, from_sympy(entry, BudgetedScalars(faces.field, MOST_WORK))))
    except SymtransError as fault:
        return "cannot", str(fault)
    if False in verdicts:
        return "differs", f"{again.text} = {again.value}"
    return ("cannot", "not proven alike") if None in verdicts else ("same", "")


class _Faces:
    """The values that both readers are given for the names of a side, and our own value of the side with them.

    Only the structure of the side is compared. So where its names have no common field, or values that are
    known by enclosures or are long, each stands for the number that its first digits are.
    """

    def __init__(self, valuer: Valuer, node: Node, written: Value) -> None:
        self.valuer = valuer
        names = [part.name for part in walk(node) if isinstance(part, Symbol)]
        values = [*filter(None, (valuer.written(name) for name in names)), written]
        common = common_field((e for value in values for e in value.entries), valuer.state.values.field)
        self.stands_in = common is None
        if common is not None:
            self.field = common
            self.own: Value | None = written
            return
        self.field = Field(MOST_GENERATORS)
        scalars = BudgetedScalars(self.field, MOST_WORK)
        self.own = evaluate(valuer.expanded(node), self.value, scalars, None, valuer.is_loose(node)).value

    def value(self, name: AnyName) -> Value | None:
        """What a name stands for."""
        value = self.valuer.written(name)
        return value if value is None or not self.stands_in else value.map(lambda e: stand_in(e, self.field))

    def of(self, part: Node) -> Any:
        """A name's or a matrix of numbers' value as SymPy has it, or None."""
        if isinstance(part, Symbol):
            value = self.value(part.name)
            if value is None:
                value = self.valuer.value_in(part, "written").value
        elif isinstance(part, Matrix) and is_literal(part):
            value = self.valuer.value_in(part, "written").value
        else:
            return None
        from sympy import ImmutableMatrix

        from symtrans.exact.face import to_sympy

        if value is None or any(entry.infinite for entry in value.entries):
            return None
        rows = [[to_sympy(entry) for entry in row] for row in value.rows()]
        return ImmutableMatrix(rows) if value.shape else rows[0][0]
