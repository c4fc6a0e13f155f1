"""Values bound to steps: each step's exact tensor, computed when somebody asks, and the symbols it introduces."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from math import prod
from typing import Any

from symtrans.derive.enclosures import Enclosures, Exact
from symtrans.derive.gears import Gears, is_large
from symtrans.errors import LimitError, UndefinedValue
from symtrans.exact.budget import BudgetedScalars
from symtrans.exact.enclosure import FIRST_BITS, is_told, known_by, precisions
from symtrans.exact.field import Element, Field, FunctionOf, Generator
from symtrans.exact.rounding import MOST_BITS_ENCLOSED
from symtrans.exact.written import Written
from symtrans.model.names import entry_name, plain_entry_name
from symtrans.model.tape import Step, Tape
from symtrans.notation.name import Name, Script
from symtrans.notation.tree import Node, Number, Root, Symbol
from symtrans.ops.domains.ball import Balls
from symtrans.ops.domains.exact import ExactAlgebra
from symtrans.ops.domains.rational import RATIONAL, Whole, carried_out, whole
from symtrans.ops.formulas import run
from symtrans.ops.tensor import Tensor

MOST_GENERATORS = 96  # let-bound symbols beyond which polynomials in them are slow to compute and of no use to a reader
ENOUGH = 32  # bits of an entry that six digits are read off, mostly
LARGEST_RADICAND = 1000  # whose root is written as a root where it stands


class Values:
    """The exact values of a tape's steps over one field, computed once each and only where needed.

    A value that is not rational introduces let-bound symbols: the field's generators, which are
    named after the first step and entry that is exactly such a symbol (`a_{11}`). Where that would
    grow beyond the budget a step is *enclosed*: its entries, and all that follows from them, are
    known by balls at any precision, each entry a symbol of the step's own field.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.field = Field()
        self._scalars = BudgetedScalars(self.field)
        self.algebra = ExactAlgebra(self._scalars)
        self._programs = tape.programs(RATIONAL)
        self._whole: dict[str, Whole] = {}  # rational matrices, as long as nobody asks for their entries
        self._tensors: dict[str, Tensor[Element]] = {}
        self._names: dict[int, Name] = {}
        self._introduced: dict[str, tuple[Generator, ...]] = {}
        self._origins: dict[int, str] = {}
        self._enclosed: set[str] = set()
        self._bits = FIRST_BITS
        self._enclosures = Enclosures(tape, self._known_exactly)

    @cached_property
    def gears(self) -> Gears | None:
        """What proves the decimals of a large model, or None for one whose exact values are computed."""
        return Gears(self.tape) if is_large(self.tape) else None

    def tensor(self, step_id: str) -> Tensor[Element]:
        """The exact value of a step, with the step's shape."""
        if step_id not in self._tensors:
            self.settle(step_id)
            if step_id not in self._tensors:
                self._tensors[step_id] = self._whole[step_id].tensor(self.field)
        return self._tensors[step_id]

    def settle(self, *step_ids: str) -> None:
        """Have the values of steps computed, and all that they need; rational ones stay whole matrices."""
        for step in self._missing(step_ids):
            rational = self._rationally(step)
            if rational is None:
                self._compute(step)
            else:
                self._whole[step.id] = rational
                self._introduced[step.id] = ()

    def _missing(self, step_ids: Iterable[str]) -> list[Step]:
        """What has no value yet of these steps and those that they need, in the tape's order."""
        known, found = self._introduced, dict[str, Step]()
        pending = [*step_ids]
        for current in pending:  # which grows
            if current not in found and current not in known:
                found[current] = self.tape[current]
                pending += found[current].operands
        return [found[i] for i in sorted(found, key=self.tape.places.__getitem__)]

    def is_enclosed(self, step_id: str) -> bool:
        """Whether a step has no exact value in let-bound symbols."""
        self.tensor(step_id)
        return step_id in self._enclosed

    def _compute(self, step: Step) -> None:
        before = len(self.field.generators)
        try:
            value = self._exactly(step)
            enclosed = None if value is not None else self._enclosure(step)
        except UndefinedValue as fault:
            raise UndefinedValue(f"{step.id}: {fault}") from None
        new = tuple(self.field.generators[before:])
        if value is None:
            assert enclosed is not None
            self._introduced[step.id] = ()
            self._tensors[step.id] = enclosed
            return
        self._tensors[step.id] = value
        self._introduced[step.id] = new
        self._origins |= {generator.index: step.id for generator in new}
        for i, row in enumerate(value.rows(), 1):
            for j, entry in enumerate(row, 1):
                only = _single_generator(entry)
                if only is not None and only.index not in self._names:
                    self._bind(only, self._free_name(step, i, j))
        for count, generator in enumerate((g for g in new if g.index not in self._names), 1):
            letter = f"{step.id}{count}".replace("_", "").replace("/", "")
            self._bind(generator, Name("t", subscript=(Script(letter, "text"),)))

    def _rationally(self, step: Step) -> Whole | None:
        """The step's value as a whole rational matrix, or None where it is not known to be one."""
        if step.op is None:
            assert step.literal is not None
            values = [cell.value for row in step.literal for cell in row if cell is not None]
            return whole(step.shape, values) if len(values) == prod(step.shape) else None
        try:
            operands = [self._whole[i] for i in step.operands]
        except KeyError:
            return None
        known = self._programs[step.id]
        return None if known is None else carried_out(known, operands)

    def _exactly(self, step: Step) -> Tensor[Element] | None:
        """The step's exact value, or None where it has none within the budget."""
        if step.op is None:
            assert step.literal is not None
            cells = tuple(self._given(cell) for row in step.literal for cell in row)
            return Tensor(step.shape, cells)
        if self.gears is not None:  # one row of a softmax alone would bind more symbols than anybody reads, for minutes
            return None
        if any(i in self._enclosed for i in step.operands) or len(self.field.generators) > MOST_GENERATORS:
            return None
        try:
            return run(step.op, [self.tensor(i) for i in step.operands], self.algebra, step.settings)
        except LimitError:
            return None

    def _given(self, cell: Written | None) -> Element:
        return self.field.minus_infinity if cell is None else self.field.rational(cell.value)

    def _enclosure(self, step: Step) -> Tensor[Element]:
        """The step's balls as entries; it is enclosed from now on."""
        self._enclosed.add(step.id)
        return self._from_balls(step)

    def _from_balls(self, step: Step) -> Tensor[Element]:
        """Each entry as a symbol that is known by its balls; one whose ball is a point is that number."""
        own = Field()
        balls = self._told_balls(step)
        entries: list[Element] = []
        for place, ball in enumerate(balls.entries):
            row, column = divmod(place, step.shape[1]) if step.shape else (0, 0)
            label = entry_name(step, row + 1, column + 1).key if step.shape else step.name.key
            entries.append(known_by(own, ball, partial(self._ball, step.id, place), label))
        return Tensor(step.shape, tuple(entries))

    def _known_exactly(self, step_id: str) -> Exact | None:
        """A step's exact value, whole if it is rational; None for an enclosed step."""
        if step_id in self._enclosed:
            return None
        self.settle(step_id)
        return self._whole.get(step_id) or self.tensor(step_id)

    def _told_balls(self, step: Step) -> Balls:
        """The step's balls at the first precision that tells something of every entry.

        Precision is lost little by little along the tape, so the one that this step needs is where the next begin.
        """
        for bits in precisions(self._bits):
            balls = self._enclosures.of(step.id, bits)
            enough = ENOUGH if bits < MOST_BITS_ENCLOSED else 0
            if all(is_told(ball, enough) for ball in balls.entries):
                break
        self._bits = max(bits, self._bits)
        return balls

    def _ball(self, step_id: str, place: int, bits: int) -> Any:
        """A ball of an entry at `bits` or more: at those that the tape is known to need, if these are more."""
        return self._enclosures.of(step_id, max(bits, self._bits)).entries[place]

    def _free_name(self, step: Step, row: int, column: int) -> Name:
        """An entry's symbol: without the mark of its quantity for the first of its kind, if no other has that name."""
        plain = plain_entry_name(step, row, column)
        first = next(other for other in self.tape if other.role == step.role)
        return plain if step is first and plain not in self._names.values() else entry_name(step, row, column)

    def _bind(self, generator: Generator, name: Name) -> None:
        self._names[generator.index] = name
        generator.label = name.key

    def symbol(self, generator: Generator) -> Name:
        """The name of a let-bound symbol."""
        return self._names[generator.index]

    def written(self, generator: Generator) -> Node:
        """A let-bound symbol as it stands in a formula: its name, or the root that it is of a whole number."""
        radicand = root_of(generator)
        return Symbol(self._names[generator.index]) if radicand is None else Root(Number(str(radicand)))

    def is_named(self, generator: Generator) -> bool:
        """Whether a let-bound symbol has its name yet."""
        return generator.index in self._names

    def introduced_by(self, generator: Generator) -> str:
        """The step whose value was the first to need a let-bound symbol."""
        return self._origins[generator.index]

    def introduced(self, step_id: str) -> tuple[Generator, ...]:
        """The let-bound symbols that a step's value was the first to need."""
        self.tensor(step_id)
        return self._introduced[step_id]

    def equal(self, one: str, other: str) -> bool:
        """Whether two steps have identical exact values."""
        left, right = self.tensor(one), self.tensor(other)
        return left.shape == right.shape and left.entries == right.entries


def root_of(generator: Generator) -> int | None:
    """The small whole number that a let-bound symbol is the square root of, or None; such a root needs no name."""
    definition = generator.definition
    if isinstance(definition, FunctionOf) and definition.name == "sqrt" and definition.argument.is_rational:
        radicand = definition.argument.fraction
        return radicand.numerator if radicand.denominator == 1 and radicand < LARGEST_RADICAND else None
    return None


def _single_generator(entry: Element) -> Generator | None:
    """The generator that an entry is exactly, or None."""
    if entry.length != 1:
        return None
    terms = entry.terms()
    if len(terms) == 1 and terms[0][0] == 1 and len(terms[0][1]) == 1 and terms[0][1][0][1] == 1:
        return terms[0][1][0][0]
    return None
