"""What the checker carries from statement to statement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from symtrans.check.cues import Cues
from symtrans.check.enclosed import Values
from symtrans.check.finding import Numeral, Root
from symtrans.check.vectors import Vectors
from symtrans.check.world import Value, World
from symtrans.document.claims import Statement
from symtrans.exact.field import Element
from symtrans.exact.identity import FIRST_LOOK
from symtrans.exact.sign import apart
from symtrans.notation.tree import Node
from symtrans.ops.tensor import Tensor


@dataclass(frozen=True, slots=True)
class LiteralTruth:
    """What a written-out number or matrix should be in truth, and the fault that it inherits."""

    value: Value
    root: Root | None


@dataclass(slots=True)
class State:
    """The world so far, and what is known of literals, by the `id` of their nodes.

    `rounded` holds what was printed after rounding with its value before; None where two values
    were rounded to one. `rounded_literals` copy names that are known only as roundings, whose digits are in
    `rounded_digits`; `unshown` names have a value that is not told whole; `copied` holds the faults of copies by
    the name, its version and what was written for it.
    """

    readers: int
    cues: Cues
    values: Values = field(default_factory=Values)
    world: World = field(default_factory=World)
    numerals: list[Numeral] = field(default_factory=list)
    literal_truths: dict[int, LiteralTruth] = field(default_factory=dict)
    exact_literals: set[int] = field(default_factory=set)
    rounded_literals: set[int] = field(default_factory=set)
    rounded_digits: set[str] = field(default_factory=set)
    unshown: set[str] = field(default_factory=set)
    copied: dict[tuple[object, ...], Root] = field(default_factory=dict)
    rounded: dict[tuple[object, ...], Value | None] = field(default_factory=dict)
    reread: dict[int, tuple[Node, Any]] = field(default_factory=dict)
    expanded: dict[int, tuple[Node, Node]] = field(default_factory=dict)
    vectors: Vectors = field(default_factory=Vectors)
    epoch: int = 0
    prose: int = 0
    spoken: str = ""
    groups: int = 0
    assuming: bool = False

    def begin(self, statement: Statement) -> None:
        """A statement begins: count what stands between it and the one before."""
        context = statement.context
        self.values.begin()
        if context.prose or context.heading_changed or context.item_changed:
            self.prose += 1
            self.spoken = context.prose
            self.assuming = self.cues.assumes(context.prose)
            if context.heading_changed or context.item_changed or self.cues.renews(context.prose):
                self.epoch += 1
        if context.label and self.cues.renews(context.label):
            self.epoch += 1

    def next_group(self) -> int:
        """A number for the next group of numerals."""
        self.groups += 1
        return self.groups

    def remember_rounded(self, stated: Value, exact: Value) -> None:
        """A result was printed rounded: wherever the same digits stand later, this is what they were."""
        self._remember(key_of(stated), exact)
        for printed, before in zip(stated.entries, exact.entries, strict=True):
            if printed.is_rational and printed.fraction.denominator != 1:
                self._remember(key_of(Tensor.scalar(printed)), Tensor.scalar(before))

    def _remember(self, key: tuple[object, ...], exact: Value) -> None:
        known = self.rounded.get(key, exact)
        told_apart = known is None or any(_differ(x, y) for x, y in zip(known.entries, exact.entries, strict=True))
        self.rounded[key] = None if told_apart else known

    def before_rounding(self, value: Value) -> Value | None:
        """The value that was rounded to this one, as far as the document tells."""
        found = self.rounded.get(key_of(value))
        if found is not None:
            return found
        if len(value.entries) == 1:  # of -1.5 the reader sees the number 1.5 and a sign
            opposite = self.rounded.get(key_of(value.map(lambda e: -e)))
            return None if opposite is None else opposite.map(lambda e: -e)
        if len(value.shape) == 2:
            turned = Tensor(
                (value.shape[1], value.shape[0]), tuple(entry for column in value.columns() for entry in column)
            )
            found = self.rounded.get(key_of(turned))
            if found is not None and found.shape:
                columns = tuple(entry for column in found.columns() for entry in column)
                return Tensor((found.shape[1], found.shape[0]), columns)
        return None


def _differ(one: Element, other: Element) -> bool:
    """Whether two values are told apart; one value can have two forms, and an enclosed one has none."""
    return one != other and (one.infinite != other.infinite or apart(one, other, FIRST_LOOK) != 0)


def key_of(value: Value) -> tuple[object, ...]:
    """A value as a key: a scalar and a 1×1 matrix are one."""
    return (value.shape if len(value.entries) > 1 else (), value.entries)
