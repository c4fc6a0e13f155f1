"""One line after another: each step as claims, in the chains that the dialect's table tells for its kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from symtrans.claim import Claim, Origin
from symtrans.derive.definitions import definition_chain
from symtrans.derive.elision import has_gaps
from symtrans.derive.evaluate import evaluated_terms, evaluated_total
from symtrans.derive.sides import Side, Sides
from symtrans.derive.symbolic import Expansion, entry_symbols
from symtrans.derive.values import root_of
from symtrans.model.tape import PARTS, Step
from symtrans.notation.tree import Chain, Link, Relation

ChainTable = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Line:
    """A claim with what a page needs to place it: the step, and which of the step's tellings it is.

    `telling` is "definition" (of a let-bound symbol), "symbolic", "expanded" or "numbers". `elided`:
    dots stand for a part of a large matrix.
    """

    claim: Claim
    step: Step
    telling: str
    elided: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Which lines are wanted: the dialect's tables, and the two tellings beside the numbers."""

    chains: ChainTable
    repeated: ChainTable
    symbolic: bool = False
    expand: bool = False


class Lines:
    """Writes the lines of the steps that are told, in tape order."""

    def __init__(self, sides: Sides, plan: Plan, told: Iterable[str], source: str) -> None:
        self.sides = sides
        self.tape = sides.tape
        self.plan = plan
        chosen = frozenset(told)
        steps = (step for step in self.tape if step.id in chosen and not step.silent)
        self.told = sorted(steps, key=lambda step: PARTS.index(step.part))  # constants stand among the inputs
        self.source = source
        self.expansion = Expansion(self.tape)

    def __iter__(self) -> Iterator[Line]:
        for step in self.told:
            yield from self.of(step)

    def of(self, step: Step) -> Iterator[Line]:
        """The lines of one step: definitions of new symbols, then the tellings, the numbers last."""
        first = self._first(step)
        for generator in self.sides.values.introduced(step.id):
            if root_of(generator) is None and self.sides.legible.of_symbol(generator):
                yield self._line(definition_chain(generator, self.sides), step, "definition")
        if step.op is not None and first is None:
            if self.plan.symbolic:
                matrix = self.sides.symbolic(step, entry_symbols)
                yield self._line(_chain([Side(self.sides.name(step)), Side(matrix)]), step, "symbolic")
            if self.plan.expand:
                matrix = self.expansion.of(step)
                yield self._line(_chain([Side(self.sides.name(step)), Side(matrix)]), step, "expanded")
        words = self._words(step, first)
        for part in _split(words, "break"):
            yield self._line(self._chain(step, part, first), step, "numbers")

    def _words(self, step: Step, first: Step | None) -> tuple[str, ...]:
        if first is not None:
            return self.plan.repeated[step.kind]
        return self.plan.chains[step.kind]

    def _first(self, step: Step) -> Step | None:
        """The same quantity of an earlier head that is told and has the identical value, or None."""
        if step.head is None or step.kind not in self.plan.repeated:
            return None
        for other in self.told:
            if other.id == step.id:
                return None
            if other.role == step.role and other.head is not None and other.op is step.op:
                return other if self.sides.values.equal(other.id, step.id) else None
        return None

    def _chain(self, step: Step, words: tuple[str, ...], first: Step | None) -> Chain:
        sides: list[Side] = []
        assumed = False
        entries: Side | None = None
        for word in words:
            match word:
                case "name":
                    sides.append(Side(self.sides.name(step)))
                case "product":
                    sides.append(Side(self.sides.product(step)))
                case "operands":
                    operands = self.sides.operands(step)
                    if not (operands.rounded and self.sides.is_exact(step)):  # rounded numbers give no exact value
                        sides.append(operands)
                case "entries":
                    sides.append(self.sides.entries(step))
                case "terms" | "total":
                    entries = self.sides.entries(step) if entries is None else entries
                    worked_out = evaluated_terms if word == "terms" else evaluated_total
                    reduced = None if entries.rounded else worked_out(entries.node, self.sides)
                    if reduced is not None:
                        sides.append(Side(reduced))
                case "value":
                    sides.extend(self.sides.value(step))
                case "first":
                    assert first is not None
                    sides.append(Side(self.sides.name(first, step)))
                case "≈":
                    assumed = True
                case _:
                    raise ValueError(f"a chain table has the unknown word {word}")
        return _chain(sides, assumed)

    def _line(self, chain: Chain, step: Step, telling: str) -> Line:
        assumed = step.op is not None and bool(step.op.stops)
        told = Chain(tuple(side and self.sides.told(step, side) for side in chain.sides), chain.links)
        claim = Claim(told, Origin(self.source, step.id), "assumed" if assumed else "derived")
        return Line(claim, step, telling, self.sides.is_large(step) and any(map(has_gaps, filter(None, told.sides))))


def _chain(sides: list[Side], assumed: bool = False) -> Chain:
    """The sides joined by relations: ≈ before a rounded side, or everywhere in an assumption."""
    links: list[Link] = []
    kept = [sides[0]]
    for side in sides[1:]:
        if side.node == kept[-1].node:
            continue  # a number that its own formula already is
        relation: Relation = "≈" if assumed or side.rounded else "="
        kept.append(side)
        links.append(Link(relation))
    return Chain(tuple(side.node for side in kept), tuple(links))


def _split(words: tuple[str, ...], mark: str) -> Iterator[tuple[str, ...]]:
    part: list[str] = []
    for word in (*words, mark):
        if word == mark:
            yield tuple(part)
            part = []
        else:
            part.append(word)
