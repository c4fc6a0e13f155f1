"""The second reader's word on a derivation: every side of every formula is read back and must give the same value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from symtrans.derive.elision import has_gaps
from symtrans.derive.lines import Line
from symtrans.derive.naming import Naming
from symtrans.derive.values import Values, root_of
from symtrans.errors import LimitError, Undecided
from symtrans.exact.budget import BudgetedScalars
from symtrans.exact.face import from_sympy, to_sympy
from symtrans.exact.field import Element, Field
from symtrans.exact.identity import same
from symtrans.exact.stand_in import common_field, stand_in
from symtrans.model.names import entry_name
from symtrans.notation.name import AnyName
from symtrans.notation.reader import read
from symtrans.notation.second_reader import reread
from symtrans.notation.tree import Matrix, Node, Slice, Symbol, walk
from symtrans.notation.writer import Writer
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.interpret import UnknownName, interpret
from symtrans.ops.tensor import Tensor


@dataclass(slots=True)
class ReadBack:
    """What the second reader said: how many sides it read, the ones that disagree, and those it cannot express."""

    sides: int = 0
    agreed: int = 0
    disagreed: list[str] = field(default_factory=list)
    cannot: list[tuple[str, str]] = field(default_factory=list)


def read_back(lines: Iterable[Line], values: Values, naming: Naming, writer: Writer) -> ReadBack:
    """Read every side of the lines back, as the writer spells it, with both readers."""
    result = ReadBack()
    for line in lines:
        reader = _LineReader(line, values, naming)
        for side in line.claim.chain.sides:
            assert side is not None
            source = writer.expression(side)
            result.sides += 1
            reader.judge(source, side, result)
    return result


class _LineReader:
    """Reads the sides of one line, whose names mean what they mean in that line."""

    def __init__(self, line: Line, values: Values, naming: Naming) -> None:
        self.line = line
        self.values = values
        told = line.telling in ("symbolic", "expanded")  # where a silent number, too, stands as its name
        steps = [step for step in values.tape if told or not step.silent or step.shape]
        self.table = {naming(step, line.step).key: step.id for step in steps}
        self.entries = _entries(values) if told else {}
        self.numbers: Field | None = None
        self.scalars = BudgetedScalars(values.field)
        self.symbols = {values.symbol(g).key: g for g in values.field.generators if values.is_named(g)}

    def tensor(self, name: AnyName) -> Tensor[Element] | None:
        """The value that a name has in this side: exact, or numbers that stand for it."""
        exact, numbers = self._exact(name), self.numbers
        return exact if exact is None or numbers is None else exact.map(lambda e: stand_in(e, numbers))

    def _exact(self, name: AnyName) -> Tensor[Element] | None:
        if name.key in self.table:
            return self.values.tensor(self.table[name.key])
        if name.key in self.entries:
            step_id, row, column = self.entries[name.key]
            return Tensor.scalar(self.values.tensor(step_id).entry(row, column))
        if name.key in self.symbols:
            return Tensor.scalar(self.values.field.element(self.symbols[name.key]))
        return None

    def judge(self, source: str, side: Node, result: ReadBack) -> None:
        """Compare the second reader's value of a side with the value of the tree that was written."""
        reading = read(source)
        if reading.troubles or len(reading.chains) != 1 or len(reading.chains[0].sides) != 1:
            result.disagreed.append(f"{source}: our own reader does not read it")
            return
        tree = reading.chains[0].sides[0]
        assert tree is not None
        if has_gaps(side):
            result.cannot.append((source, "a matrix or a sum that is not shown whole"))
            return
        try:
            self._stand_for(side)
            own = interpret(side, self.tensor, ExactAlgebra(self.scalars), {})
            again = reread(source, tree, self._face)
            agreed = again.status == "read" and self._agrees(own, again.value)
        except (LimitError, Undecided) as fault:
            result.cannot.append((source, str(fault)))
            return
        if again.status == "cannot":
            result.cannot.append((source, again.why))
        elif agreed:
            result.agreed += 1
        else:
            result.disagreed.append(f"{source}: the second reader, given {again.text}, reads {again.value}")

    def _stand_for(self, side: Node) -> None:
        """Choose what names mean in a side: their exact values, or numbers where those are enclosed or long."""
        self.numbers = None
        names = [node.name for node in walk(side) if isinstance(node, Symbol)]
        entries = [e for name in names for e in _entries_of(self.tensor(name))]
        if common_field(entries, self.values.field) is None:
            self.numbers = Field()
        self.scalars = BudgetedScalars(self.numbers or self.values.field)

    def _agrees(self, own: Tensor[Element], other: Any) -> bool:
        if self.numbers is None and _same([[self._sympy(entry) for entry in row] for row in own.rows()], other):
            return True
        # Back in the field, where sin² + cos² is 1, and a function of a number is the symbol that it is bound to.
        rows = other.tolist() if hasattr(other, "tolist") else [[other]]
        if [len(rows), len(rows[0])] != [len(own.rows()), len(own.rows()[0])]:
            return False
        theirs = [from_sympy(entry, self.scalars) for row in rows for entry in row]
        verdicts = [same(mine, their) for mine, their in zip(own.entries, theirs, strict=True)]
        if None in verdicts and False not in verdicts:
            raise Undecided("not proven alike")
        return False not in verdicts

    def _sympy(self, entry: Element) -> Any:
        """An exact entry as SymPy has it: roots and what has no name in the text written out."""
        if self.numbers is not None:
            return to_sympy(entry)
        return to_sympy(entry, lambda g: not self.values.is_named(g) or root_of(g) is not None)

    def _face(self, node: Node) -> Any:
        """The value of a name, of a part of one or of a matrix of numbers as SymPy has it, or None."""
        from sympy import ImmutableMatrix

        if not isinstance(node, Symbol | Matrix | Slice):
            return None
        try:
            tensor = interpret(node, self.tensor, ExactAlgebra(self.scalars), {})
        except UnknownName:
            return None
        rows = [[self._sympy(entry) for entry in row] for row in tensor.rows()]
        return ImmutableMatrix(rows) if tensor.shape else rows[0][0]


def _entries_of(value: Tensor[Element] | None) -> tuple[Element, ...]:
    return () if value is None else value.entries


def _entries(values: Values) -> dict[str, tuple[str, int, int]]:
    """What the symbol of each entry of each step stands for."""
    return {
        entry_name(step, row, column).key: (step.id, row, column)
        for step in values.tape
        if step.shape
        for row in range(1, step.shape[0] + 1)
        for column in range(1, step.shape[1] + 1)
    }


def _same(own: list[list[Any]], other: Any) -> bool:
    """Whether two SymPy values are identical: as polynomials in the let-bound symbols."""
    from sympy import MatrixBase, expand

    rows = other.tolist() if isinstance(other, MatrixBase) else [[other]]
    if [len(rows), len(rows[0])] != [len(own), len(own[0])]:
        return False
    pairs = [pair for one, two in zip(own, rows, strict=True) for pair in zip(one, two, strict=True)]
    return all(expand(mine - theirs) == 0 for mine, theirs in pairs)
