"""The value of a side in one world: exact within a budget, else known by enclosures, and computed once each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from symtrans.check.evaluate import Outcome, evaluate
from symtrans.exact.ball_scalars import BallScalars
from symtrans.exact.budget import BudgetedScalars
from symtrans.exact.enclosure import enclose, known_by, precisions, undetermined
from symtrans.exact.field import Element, Enclosed, Field
from symtrans.exact.sign import PATIENCE
from symtrans.notation.name import AnyName
from symtrans.notation.tree import Node, Symbol, walk
from symtrans.ops.tensor import Tensor

Value = Tensor[Element]
Find = Callable[[AnyName], "Value | None"]

MOST_WORK = 4_000  # terms for one side in one world: some hundredths of a second
MOST_TERMS = 120  # of the entries of a value that is kept exactly: what follows from more soon takes too long
MOST_GENERATORS = 96  # of one field; a document goes on with a new one from half of them


class Enclosure:
    """A side carried out on balls, once at each precision; its names mean what they meant when it was first valued."""

    def __init__(self, tree: Node, find: Find, replaced: Mapping[int, Value], loose: bool) -> None:
        self.tree = tree
        self.replaced = replaced
        self.loose = loose
        self.names: dict[AnyName, Value | None] = {}
        self.shape: tuple[int, ...] = ()
        self._find: Find | None = find
        self._known: dict[int, Tensor[Any]] = {}
        self._below: tuple[Enclosure, ...] = ()

    def outcome(self) -> Outcome[Element]:
        """The value, each entry a number where its ball is a point and else known by its balls; or the fault."""
        for bits in precisions():
            found = self._carried_out(bits)
            if found.value is not None and not any(ball.is_nan() for ball in found.value.entries):
                self._find = None
                self.shape = found.value.shape
                self._known[bits] = found.value
                self._below = self._enclosures()
                return Outcome(self._value(found.value))
            if found.code != "ST901" or bits >= PATIENCE:
                break
        return Outcome(code=found.code or "ST901", reason=found.reason, names=found.names)

    def balls(self, bits: int) -> Tensor[Any]:
        """A ball for every entry; what stands below is carried out first, so that nothing nests deep."""
        pending = [self]
        while pending:
            current = pending[-1]
            missing = [one for one in current._below if bits not in one._known]
            if bits in current._known:
                pending.pop()
            elif missing:
                pending.extend(missing)
            else:
                current._known[bits] = current._settled(bits)
        return self._known[bits]

    def is_of(self, find: Find, replaced: Mapping[int, Value]) -> bool:
        """Whether its names and its literals still stand for what they stood for."""
        return (
            all(find(name) == value for name, value in self.names.items())
            and replaced.keys() == self.replaced.keys()
            and all(value == self.replaced[key] for key, value in replaced.items())
        )

    def _carried_out(self, bits: int) -> Outcome[Any]:
        def meant(name: AnyName) -> Tensor[Any] | None:
            if self._find is not None and name not in self.names:
                self.names[name] = self._find(name)
            value = self.names.get(name)
            return None if value is None else value.map(lambda e: enclose(e, bits))

        replaced = {key: value.map(lambda e: enclose(e, bits)) for key, value in self.replaced.items()}
        return evaluate(self.tree, meant, BallScalars(bits), replaced, self.loose)

    def _settled(self, bits: int) -> Tensor[Any]:
        found = self._carried_out(bits).value
        if found is not None and found.shape == self.shape:
            return found
        rows, columns = self.shape or (1, 1)
        return Tensor(self.shape, (undetermined(),) * (rows * columns))

    def _enclosures(self) -> tuple[Enclosure, ...]:
        """Those that the operands are entries of."""
        found: dict[Enclosure, None] = {}
        for value in (*self.names.values(), *self.replaced.values()):
            for entry in () if value is None else value.entries:
                if entry.is_enclosed:
                    for generator in entry.generators():
                        match generator.definition:
                            case Enclosed(ball=BallOf(enclosure=below)):
                                found[below] = None
        return tuple(found)

    def _value(self, balls: Tensor[Any]) -> Value:
        own = Field()
        entries = (known_by(own, ball, BallOf(self, k), f"x_{k + 1}") for k, ball in enumerate(balls.entries))
        return Tensor(balls.shape, tuple(entries))


@dataclass(frozen=True, slots=True)
class BallOf:
    """The ball of one entry at a precision."""

    enclosure: Enclosure
    place: int

    def __call__(self, bits: int) -> Any:
        """The ball at a working precision of `bits`."""
        return self.enclosure.balls(bits).entries[self.place]


class Values:
    """Values sides, each in the field of its operands; `enclosed` keeps those known by enclosures, by side `id`."""

    def __init__(self) -> None:
        self.field = Field(MOST_GENERATORS)
        self.enclosed: dict[int, list[tuple[Enclosure, Outcome[Element]]]] = {}

    def begin(self) -> None:
        """A statement begins; it gets a field of its own where the one in use has grown."""
        if 2 * len(self.field.generators) > MOST_GENERATORS:
            self.field = Field(MOST_GENERATORS)

    @property
    def scalars(self) -> BudgetedScalars:
        """The scalars of the field in use, with a budget of their own."""
        return BudgetedScalars(self.field, MOST_WORK)

    def value(
        self, tree: Node, find: Find, replaced: Mapping[int, Value] | None = None, loose: bool = False
    ) -> Outcome[Element]:
        """The value of a side: exact where the budget allows it, else known by enclosures."""
        given = replaced or {}
        if isinstance(tree, Symbol) and id(tree) not in given:
            own = find(tree.name)
            if own is not None:
                return Outcome(own)
        known = self.enclosed.get(id(tree), [])
        for enclosure, outcome in known:
            if enclosure.tree is tree and enclosure.loose == loose and enclosure.is_of(find, given):
                return outcome
        home = self._home(tree, find, given)
        found = evaluate(tree, find, BudgetedScalars(home, MOST_WORK), given, loose)
        if found.value is None and found.code != "ST901":
            return found
        if found.value is not None and not _is_long(found.value):
            return found
        enclosure = Enclosure(tree, find, given, loose)
        other = enclosure.outcome()
        if other.value is None:
            return found
        self.enclosed.setdefault(id(tree), []).append((enclosure, other))
        return other

    def _home(self, tree: Node, find: Find, replaced: Mapping[int, Value]) -> Field:
        """The field of the first operand that is not rational; the one in use where there is none."""
        names = (find(node.name) for node in walk(tree) if isinstance(node, Symbol))
        for value in (*names, *replaced.values()):
            for entry in () if value is None else value.entries:
                if not (entry.is_rational or entry.infinite or entry.is_enclosed):
                    return entry.home
        return self.field


def _is_long(value: Value) -> bool:
    """Whether the entries have more terms in all than are worth computing with."""
    return sum(entry.length for entry in value.entries) > MOST_TERMS
