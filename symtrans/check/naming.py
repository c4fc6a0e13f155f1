"""Which names a statement defines, which it speaks of again, and which its literals give a value."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from symtrans.check.align import Pair, align, names_aligned
from symtrans.check.compare import coarser, fits, matches
from symtrans.check.finding import LinkVerdict, Root
from symtrans.check.stated import Numeral, stated, ungrouped
from symtrans.check.sums import entry
from symtrans.check.valued import Valued, transposed
from symtrans.check.valuer import Valuer
from symtrans.check.world import Quantity, Value
from symtrans.document.claims import Statement, is_literal
from symtrans.notation.name import AnyName, Name
from symtrans.notation.tree import Matrix, Node, Number, Symbol, Transpose, walk
from symtrans.ops.tensor import Tensor

FEWEST_DIGITS = 3  # of a rounded result, from which the same digits elsewhere are taken as its copy
EQUALITIES = ("=", "≈", ":=", "→")


class Naming:
    """The names of one statement.

    `fresh` are the places of the sides that are defined here; `claimed` is the quantity that a
    second `name = …` speaks of, `unsure` whether it may be a new one all the same. `bound` tells,
    by the place of a link, which names got their values from the literals after it and what equals
    them; `miscopied` which literal differs from the name that it must stand for.
    """

    def __init__(self, valuer: Valuer, statement: Statement) -> None:
        self.valuer = valuer
        self.state = valuer.state
        self.world = valuer.world
        self.statement = statement
        self.nodes = [None if side is None else side.node for side in statement.sides]
        self.claimed: Quantity | None = None
        self.unsure = False
        self.bound: dict[int, list[tuple[AnyName, Quantity | None, bool]]] = {}
        self.miscopied: dict[int, tuple[Quantity, Value]] = {}
        self.fresh = self._fresh()
        self._bind_aligned()

    def _fresh(self) -> set[int]:
        fresh: set[int] = set()
        for place, node in enumerate(self.nodes):
            if not isinstance(node, Symbol) or (place and not self._equates(place - 1)):
                continue
            known = self.world.find(node.name)
            if known is None:
                fresh.add(place)
            elif place == 0 and self.statement.steps and self.statement.continues is None:
                if self._is_rebinding(node.name, known):
                    fresh.add(place)
                else:
                    self.claimed = known
        return fresh

    def _equates(self, place: int) -> bool:
        return self.statement.steps[place].link.relation in EQUALITIES

    def _is_rebinding(self, name: AnyName, known: Quantity) -> bool:
        relation = self.statement.steps[0].link.relation
        if relation == ":=" or self.statement.context.kind == "code":
            return True
        following = next((n for n in self.nodes[1:] if n is not None), None)
        if following is None or relation not in EQUALITIES:
            return False
        values = (self.valuer.value_in(n, "written").value for n in self.nodes[1:] if n is not None)
        value = next((v for v in values if v is not None), None)
        if self.world.same(name, None if value is None else value.shape) is None:
            return True
        if isinstance(following, Symbol) or value is None:
            return False
        if self.world.changed(known):
            return True
        if self.state.epoch != known.epoch:
            return not matches(value, known.written)
        same_shape = fits(value.shape, known.written.shape, self.valuer.loose)
        is_apart = self.state.prose != known.prose and not self.state.cues.concludes(self.statement.context.prose)
        told_apart = known.is_given or not same_shape or is_apart
        if told_apart and not matches(value, known.written):
            self.unsure = True
        return False

    # --- names by the literals that stand for them

    def _bind_aligned(self) -> None:
        fresh_names = {n.name for place in self.fresh if isinstance(n := self.nodes[place], Symbol)}
        for place, (before, after) in enumerate(pairwise(self.nodes)):
            if before is None or after is None or isinstance(before, Symbol) or not self._equates(place):
                continue
            for symbol, pairs in names_aligned(list(align(before, after))).items():
                known = self.world.find(symbol.name)
                if symbol.name in fresh_names or (known is not None and not known.by_literal):
                    continue
                if known is None and self._is_entry(symbol.name):
                    continue
                value = self._aligned_value(pairs, after)
                if value is not None and (known is None or self._stands_anew(known, value)):
                    self._bind_by_literal(symbol.name, value, place, pairs[0].entry is not None)

    def _is_entry(self, name: AnyName) -> bool:
        """Whether a name may be an entry of a known vector or matrix."""
        return entry(name, self.valuer.written) is not None

    def _stands_anew(self, known: Quantity, value: Value) -> bool:
        """Whether a name that only literals define has got another value."""
        return known.written.shape != value.shape or not coarser(known.written, value)

    def _aligned_value(self, pairs: list[Pair], after: Node) -> Value | None:
        first = pairs[0]
        if first.entry is None:
            value = self.valuer.value_in(first.literal, "written").value
            turned = isinstance(ungrouped(first.meaning), Transpose)
            return value if value is None or not turned else transposed(value)
        after = ungrouped(after)
        if not isinstance(after, Matrix):
            return None
        cells = {p.entry: self.valuer.value_in(p.literal, "written").value for p in pairs}
        entries = [cells.get(k) for k in range(len(after.rows) * len(after.rows[0]))]
        if any(e is None or not e.is_scalar for e in entries):
            return None
        return Tensor((len(after.rows), len(after.rows[0])), tuple(e.item for e in entries if e is not None))

    def _bind_by_literal(self, name: AnyName, value: Value, place: int, by_entries: bool) -> None:
        twins = self.world.equals(value)
        twin = twins[0] if len({q.name for q in twins}) == 1 else None
        base = self._base(name)
        if twin is None and base is not None and base.written.shape == value.shape:
            equal_entries = sum(x == y for x, y in zip(base.written.entries, value.entries, strict=True))
            if 4 * equal_entries >= 3 * len(value.entries) and not matches(base.written, value):
                self.miscopied[place] = (base, value)
                twin = base
        self.world.bind(
            Quantity(
                name,
                value,
                twin.truth if twin else value,
                twin.exact if twin else value,
                twin.root if twin else None,
                epoch=self.state.epoch,
                is_list=self.valuer.loose,
                is_given=True,
                by_literal=twin is None,
                prose=self.state.prose,
            )
        )
        self.bound.setdefault(place, []).append((name, twin, by_entries))

    def _base(self, name: AnyName) -> Quantity | None:
        """What `W_{Q1}` is one of: `W_Q`, where only that is defined."""
        if not isinstance(name, Name) or not name.subscript:
            return None
        text = "".join(piece.text for piece in name.subscript)
        shorter = text.rstrip("0123456789").rstrip(",")
        if shorter == text or not shorter:
            return None
        return self.world.find(replace(name, subscript=(replace(name.subscript[0], text=shorter),)))

    # --- what is defined

    def define(self, sides: list[Valued], own_root: Root | None, verdicts: list[LinkVerdict]) -> None:
        """Bind the names that the statement defines, once its sides have values."""
        if not self.statement.steps:
            return
        extra = tuple(n for n in self.nodes if n is not None and not isinstance(n, Symbol))
        if not self.fresh:
            if self.claimed is not None and not self.unsure and extra:
                self.world.extend(self.claimed, extra)
            elif self.claimed is not None and self.unsure:
                self._doubt(self.claimed, sides)
            return
        values = [s for s in sides if s.value is not None]
        if not values:
            return
        before = _meant(sides, verdicts)
        written = before or values[-1].value
        assert written is not None
        truth = next((s.truth for s in values if s.truth is not None), None)
        exact = next((s.upstream for s in values if s.upstream is not None), None)
        roots = tuple(dict.fromkeys(root for s in values for root in s.roots))
        names = [part.name for n in self.nodes if n is not None for part in walk(n) if isinstance(part, Symbol)]
        heads = {n.name for place in self.fresh if isinstance(n := self.nodes[place], Symbol)}
        for head in heads:
            printed = _printed(values, exact, verdicts, own_root)
            quantity = Quantity(
                head,
                written,
                _shaped(truth, written),
                _shaped(exact if own_root is None else None, written),
                own_root or (roots[0] if roots else None),
                self.world.uses([n for n in names if n not in heads]),
                extra,
                self.state.epoch,
                is_list=self.valuer.loose,
                is_given=len(values) == 1 and all(is_literal(n) for n in extra),
                prose=self.state.prose,
                assumed=self.state.assuming,
                printed=printed,
                digits=None if before is None else values[-1].value,
                uncertain=any(self._is_uncertain(name) for name in names if name not in heads),
            )
            self.world.bind(quantity)
            if quantity.is_known_rounded:
                self.state.rounded_digits.update(_digits(printed))

    def _is_uncertain(self, name: AnyName) -> bool:
        known = self.world.meaning(name)
        return known is not None and (known.uncertain or known.is_known_rounded)

    def _doubt(self, known: Quantity, sides: list[Valued]) -> None:
        """Keep a second value of a name that may be a new quantity: what follows may be meant with either."""
        value = next((s.value for s in reversed(sides[1:]) if s.value is not None), None)
        if value is not None:
            again = replace(known, written=value, truth=value, exact=value, root=None, uses=(), sides=())
            self.world.doubted[known.name.key] = again


def _meant(sides: list[Valued], verdicts: list[LinkVerdict]) -> Value | None:
    """The value before a last `≈` that rounds it rightly: the name stands for that, not for the digits shown."""
    last = verdicts[-1]
    return sides[-2].value if last.rel == "≈" and last.verdict == "HOLDS" and len(sides) > 2 else None


def _printed(
    values: list[Valued], exact: Value | None, verdicts: list[LinkVerdict], own_root: Root | None
) -> tuple[Numeral | None, ...] | None:
    """The numerals of a result that is a rounding: it differs from what it was before, or stands after ≈."""
    last = values[-1]
    if own_root is not None or last.node is None or last.value is None or not is_literal(last.node):
        return None
    cells = stated(last.node, verdicts[-1].rel)
    rounds = verdicts[-1].rel == "≈" or (exact is not None and not matches(exact, last.value))
    return cells.cells if rounds and cells.decimals and len(cells.cells) == len(last.value.entries) else None


def _digits(cells: tuple[Numeral | None, ...] | None) -> list[str]:
    """The digits of numerals, without signs, that are too many to stand for something else by chance."""
    told = [cell for cell in cells or () if cell is not None and cell.decimals]
    many = [cell.node for cell in told if cell.written.significant >= FEWEST_DIGITS]
    return [part.text for node in many for part in walk(node) if isinstance(part, Number) and "." in part.text]


def _shaped(value: Value | None, like: Value) -> Value:
    """The value in the shape that is written; that one itself where there is no other."""
    if value is None or len(value.entries) != len(like.entries):
        return like
    return Tensor(like.shape, value.entries)
