"""Values of nodes in the worlds of one statement, and what its literals stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from symtrans.check.align import Pair, align
from symtrans.check.call import meanings
from symtrans.check.compare import coarser, compare, matches
from symtrans.check.evaluate import Outcome
from symtrans.check.finding import Root
from symtrans.check.state import LiteralTruth, State
from symtrans.check.stated import stated, ungrouped
from symtrans.check.valued import entry_of, entrywise
from symtrans.check.world import Value
from symtrans.document.claims import is_literal
from symtrans.exact.field import Element
from symtrans.notation.name import AnyName
from symtrans.notation.tree import Apply, Matrix, Node, Number, Product, Symbol, Transpose, rebuild, walk
from symtrans.ops.functions import FUNCTIONS
from symtrans.ops.tensor import Tensor

Which = Literal["written", "truth", "upstream"]


@dataclass(frozen=True, slots=True)
class Copy:
    """A literal that stands for a name, and does not agree with it: the name's values there."""

    pair: Pair
    name: AnyName
    written: Value
    truth: Value


class Valuer:
    """Values nodes; `loose` says that the statement's lists are vectors either way, `calls` that it may call
    procedures by name, as programs do.
    """

    def __init__(self, state: State, loose: bool, calls: bool) -> None:
        self.state = state
        self.calls = calls
        self.world = state.world
        self.loose = loose
        self.meant: dict[int, int] = {}
        self.ambiguous: dict[int, int] = {}

    def roots(self, node: Node) -> tuple[Root, ...]:
        """The faulty links that a node depends on."""
        found: dict[Root, None] = {}
        for part in walk(node):
            if isinstance(part, Symbol):
                quantity = self.world.find(part.name)
                if quantity is not None and quantity.root is not None:
                    found[quantity.root] = None
            known = self.state.literal_truths.get(id(part))
            if known is not None and known.root is not None:
                found[known.root] = None
        return tuple(found)

    def is_loose(self, *nodes: Node) -> bool:
        """Whether lists take part: here, or by a name that was given as one."""
        if self.loose:
            return True
        names = (self.world.meaning(n.name) for node in nodes for n in walk(node) if isinstance(n, Symbol))
        return any(quantity is not None and quantity.is_list for quantity in names)

    def written(self, name: AnyName) -> Value | None:
        """A name's value as its author states it."""
        found = self.world.meaning(name)
        return None if found is None else found.written

    def _truth(self, name: AnyName) -> Value | None:
        found = self.world.meaning(name)
        return None if found is None else found.truth

    def _upstream(self, name: AnyName) -> Value | None:
        found = self.world.meaning(name)
        return None if found is None else found.exact

    def value_in(self, node: Node, which: Which) -> Outcome[Element]:
        """A node's value as written, in truth or before rounding."""
        loose, values = self.is_loose(node), self.state.values
        node = self.expanded(node)
        if which == "written":
            return values.value(node, self.written, None, loose)
        if which == "truth":
            truths = self.state.literal_truths
            known = {id(part): truths[id(part)].value for part in walk(node) if id(part) in truths}
            return values.value(node, self._truth, known, loose)
        return values.value(node, self._upstream, self._before_rounding(node, loose), loose)

    def _before_rounding(self, node: Node, loose: bool) -> dict[int, Value]:
        found: dict[int, Value] = {}
        for part in walk(node):
            if isinstance(part, Matrix | Number | Product) and is_literal(part):
                literal = self.state.values.value(part, self.written, None, loose).value
                before = None if literal is None else self.state.before_rounding(literal)
                if before is not None:
                    found[id(part)] = before
        return found

    # --- calls

    def expanded(self, node: Node) -> Node:
        """The node with calls of well-known procedures as what they mean."""
        if not self.calls or not any(isinstance(part, Apply) and part.function not in FUNCTIONS for part in walk(node)):
            return node
        known = self.state.expanded.get(id(node))
        if known is None:
            known = self.state.expanded[id(node)] = (node, self._expand(node))
        return known[1]

    def _expand(self, node: Node) -> Node:
        found = meanings(node, self._shape)
        if not found:
            return rebuild(node, self._expand)
        if len(found) > 1:
            self.meant.setdefault(id(node), 0)
            self.ambiguous[id(node)] = len(found)
        return found[self.meant.get(id(node), 0)]

    def _shape(self, node: Node) -> tuple[int, ...] | None:
        value = self.value_in(node, "written").value
        return None if value is None else value.shape

    def other_meanings(self) -> Iterator[None]:
        """One after the other, the other meanings of calls that have several; the first ones again at the end."""
        for node, count in list(self.ambiguous.items()):
            for choice in (*range(1, count), 0):
                self.meant[node] = choice
                self.state.expanded.clear()
                if choice:
                    yield

    # --- literals

    def pairs(self, before: Node, after: Node) -> Iterator[tuple[Pair, Value, Value, Value | None]]:
        """What each literal of a side stands for in the side before: the pair, the literal's value, its meaning's
        value as written and in truth.
        """
        for pair in align(before, after):
            if pair.literal is after:
                continue  # the result itself
            meaning = pair.meaning if pair.entry is None else entrywise(pair.meaning)
            literal = self.value_in(pair.literal, "written").value
            written = entry_of(self.value_in(meaning, "written").value, pair.entry)
            if literal is not None and written is not None and len(literal.entries) == len(written.entries):
                yield pair, literal, written, entry_of(self.value_in(meaning, "truth").value, pair.entry)

    def know_literals(self, before: Node, after: Node) -> list[Copy]:
        """Remember what the literals of a side should be in truth and which are exact; return those copied wrong."""
        wrong: list[Copy] = []
        for pair, literal, written, truth in list(self.pairs(before, after)):
            name = _name_of(pair.meaning)
            parts = {id(part) for part in walk(pair.literal)}
            if self.knows_roundings_only(pair.meaning):
                self.state.rounded_literals |= parts
            elif matches(written, literal):
                self.state.exact_literals |= parts
            if matches(written, literal):
                pass
            elif not self.agrees(written, pair.literal) and not (name is not None and coarser(written, literal)):
                if name is not None:
                    wrong.append(Copy(pair, name, written, truth if truth is not None else written))
                continue
            roots = self.roots(pair.meaning)
            if truth is not None and roots and not matches(truth, literal):
                known = Tensor(literal.shape, truth.entries)
                self.state.literal_truths[id(pair.literal)] = LiteralTruth(known, roots[-1])
        return wrong

    def roundings(self, side: Node) -> set[int]:
        """The numbers of a side, by `id`, that copy names of which only a rounding is known."""
        state = self.state
        numbers = [part for part in walk(side) if isinstance(part, Number)]
        return {id(n) for n in numbers if id(n) in state.rounded_literals or n.text in state.rounded_digits}

    def knows_roundings_only(self, side: Node) -> bool:
        """Whether a side has names of which only a rounding is known, or copies of them."""
        known = (self.world.find(part.name) for part in walk(side) if isinstance(part, Symbol))
        return any(quantity is not None and quantity.is_known_rounded for quantity in known) or bool(
            self.roundings(side)
        )

    def agrees(self, value: Value, literal: Node, strictly: bool = False) -> bool:
        """Whether a literal is a rounding of a value: a careless one too, unless `strictly`."""
        cells = stated(literal)
        if len(cells.cells) != len(value.entries):
            return False
        found = compare(value, cells, None, lambda k: "", lambda k: None)
        return not found.is_error and not (strictly and found.level == "last-digit")


def _name_of(meaning: Node) -> AnyName | None:
    meaning = ungrouped(meaning)
    base = ungrouped(meaning.base) if isinstance(meaning, Transpose) else meaning
    return base.name if isinstance(base, Symbol) else None
