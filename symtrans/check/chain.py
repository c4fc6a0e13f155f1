"""The judgement of one statement: its sides valued in two worlds, its links judged, its names bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symtrans.check.align import Pair, align, names_aligned
from symtrans.check.call import meanings
from symtrans.check.compare import Comparison, compare, fits, matches
from symtrans.check.evaluate import Outcome, evaluate
from symtrans.check.finding import Entry, LinkVerdict, Numeral, Root
from symtrans.check.relations import judge_relation
from symtrans.check.rereading import Readers, agree
from symtrans.check.show import closed, decimal, shown
from symtrans.check.slip import likeliest
from symtrans.check.state import LiteralTruth, State
from symtrans.check.statistics import implied
from symtrans.check.stated import Stated, numeral, stated, ungrouped
from symtrans.check.widen import overlap
from symtrans.check.world import Quantity, Value
from symtrans.document.claims import Side, Statement, is_literal
from symtrans.exact.field import Element
from symtrans.notation.name import AnyName, Name
from symtrans.notation.tree import Apply, Matrix, Node, Number, Power, Product, Sum, Symbol, Transpose, rebuild, walk
from symtrans.ops.functions import FUNCTIONS
from symtrans.ops.tensor import Tensor

EQUALITIES = ("=", "≈", ":=", "→")
CODE = ("code", "fence", "plain", "output")


@dataclass(slots=True)
class Valued:
    """A side's values: as written, in truth, and before rounding; `roots` are the faults that it depends on."""

    side: Side | None
    written: Outcome[Element]
    truth: Value | None = None
    upstream: Value | None = None
    roots: tuple[Root, ...] = ()
    is_fresh: bool = False

    @property
    def value(self) -> Value | None:
        """The value as written."""
        return self.written.value


class ChainJudge:
    """Judges one statement and leaves the names that it defines in the state."""

    def __init__(self, state: State, statement: Statement, index: int, statements: Sequence[Statement]) -> None:
        self.state = state
        self.world = state.world
        self.statement = statement
        self.loose = statement.context.kind in CODE or any(_has_list(side) for side in statement.sides)
        self.bound_here: dict[str, Quantity] = {}
        self.notes: dict[int, str] = {}
        self.copies: dict[int, LinkVerdict] = {}
        self.claimed: Quantity | None = None
        self.unsure = False
        self.own_root: Root | None = None
        self.sides: list[Valued] = []
        self.meant: dict[int, int] = {}
        self.ambiguous: dict[int, int] = {}

    # --- names in the two worlds

    def _written(self, name: AnyName) -> Value | None:
        found = self.world.meaning(name)
        return None if found is None else found.written

    def _truth(self, name: AnyName) -> Value | None:
        found = self.world.meaning(name)
        return None if found is None else found.truth

    def _upstream(self, name: AnyName) -> Value | None:
        found = self.world.meaning(name)
        return None if found is None else found.exact

    def _roots(self, node: Node) -> tuple[Root, ...]:
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

    def _loose_with(self, node: Node) -> bool:
        if self.loose:
            return True
        names = (self.world.meaning(n.name) for n in walk(node) if isinstance(n, Symbol))
        return any(q is not None and q.is_list for q in names)

    def value_in(self, node: Node, which: str) -> Outcome[Element]:
        """A node's value as written, in truth or before rounding."""
        loose, scalars = self._loose_with(node), self.state.scalars
        node = self._expanded(node)
        if which == "written":
            return evaluate(node, self._written, scalars, None, loose)
        if which == "truth":
            known = {key: t.value for key, t in self.state.literal_truths.items()}
            return evaluate(node, self._truth, scalars, known, loose)
        replaced: dict[int, Value] = {}
        for part in walk(node):
            if isinstance(part, Matrix | Number) and is_literal(part):
                literal = evaluate(part, self._written, scalars, None, loose).value
                before = None if literal is None else self.state.before_rounding(literal)
                if before is not None and literal is not None:
                    replaced[id(part)] = before
        return evaluate(node, self._upstream, scalars, replaced, loose)

    def _expanded(self, node: Node) -> Node:
        """The node with calls of well-known procedures as what they mean."""
        if not any(isinstance(part, Apply) and part.function not in FUNCTIONS for part in walk(node)):
            return node
        known = self.state.expanded.get(id(node))
        if known is None:
            known = self.state.expanded[id(node)] = (node, self._expand(node))
        return known[1]

    def _expand(self, node: Node) -> Node:
        found = meanings(node, self._shape)
        if found:
            chosen = self.meant.get(id(node), 0)
            if len(found) > 1 and id(node) not in self.meant:
                self.meant[id(node)] = 0
                self.ambiguous[id(node)] = len(found)
            return found[chosen]
        return rebuild(node, self._expand)

    def _shape(self, node: Node) -> tuple[int, ...] | None:
        value = self.value_in(node, "written").value
        return None if value is None else value.shape

    # --- the statement

    def judge(self) -> list[LinkVerdict]:
        """The verdicts of its links, in order."""
        nodes = [None if side is None else side.node for side in self.statement.sides]
        fresh = self._fresh(nodes)
        self._bind_aligned(nodes, fresh)
        verdicts: list[LinkVerdict] = []
        for place, node in enumerate(nodes):
            self.sides.append(self._valued(place, node, fresh))
            if place:
                verdicts.append(self._link(place - 1))
        self._define(nodes, fresh)
        self.state.vectors.note(self.statement)
        return verdicts

    def _fresh(self, nodes: list[Node | None]) -> set[int]:
        """The sides that are names to be defined here; decides too whether a known first name is claimed again."""
        fresh: set[int] = set()
        for place, node in enumerate(nodes):
            if not isinstance(node, Symbol) or (
                place and self.statement.steps[place - 1].link.relation not in EQUALITIES
            ):
                continue
            known = self.world.find(node.name)
            if known is None:
                fresh.add(place)
            elif place == 0 and self.statement.steps and self.statement.continues is None:
                if self._is_rebinding(node.name, nodes, known):
                    fresh.add(place)
                else:
                    self.claimed = known
        return fresh

    def _is_rebinding(self, name: AnyName, nodes: list[Node | None], known: Quantity) -> bool:
        relation = self.statement.steps[0].link.relation
        if relation == ":=" or self.statement.context.kind == "code":
            return True
        following = next((n for n in nodes[1:] if n is not None), None)
        if following is None or relation not in EQUALITIES:
            return False
        value = next((o.value for n in nodes[1:] if n is not None and (o := self.value_in(n, "written")).value), None)
        if self.world.same(name, None if value is None else value.shape) is None:
            return True
        if isinstance(following, Symbol) or value is None:
            return False
        stands_between = self.state.epoch != known.epoch
        if self.world.changed(known) or stands_between:
            return not (matches(value, known.written) and not self.world.changed(known))
        same_shape = fits(value.shape, known.written.shape, self.loose)
        if not matches(value, known.written) and (known.is_given or not same_shape):
            self.unsure = True
        return False

    # --- names by the literals that stand for them

    def _bind_aligned(self, nodes: list[Node | None], fresh: set[int]) -> None:
        fresh_names = {n.name for place in fresh if isinstance(n := nodes[place], Symbol)}
        for place, (before, after) in enumerate(zip(nodes, nodes[1:], strict=False)):
            if before is None or after is None or isinstance(before, Symbol):
                continue
            if self.statement.steps[place].link.relation not in EQUALITIES:
                continue
            for symbol, pairs in names_aligned(list(align(before, after))).items():
                if self.world.find(symbol.name) is not None or symbol.name in fresh_names:
                    continue
                value = self._aligned_value(symbol, pairs, after)
                if value is not None:
                    self._bind_by_literal(symbol.name, value, place)

    def _aligned_value(self, symbol: Symbol, pairs: list[Pair], after: Node) -> Value | None:
        first = pairs[0]
        if first.entry is None:
            value = self.value_in(first.literal, "written").value
            turned = isinstance(ungrouped(first.meaning), Transpose)
            return value if value is None or not turned else _transposed(value)
        cells = {p.entry: self.value_in(p.literal, "written").value for p in pairs}
        after = ungrouped(after)
        total = len(after.rows) * len(after.rows[0]) if isinstance(after, Matrix) else 0
        entries = [cells.get(k) for k in range(total)]
        if not total or any(e is None or not e.is_scalar for e in entries) or not isinstance(after, Matrix):
            return None
        return Tensor((len(after.rows), len(after.rows[0])), tuple(e.item for e in entries if e is not None))

    def _bind_by_literal(self, name: AnyName, value: Value, place: int) -> None:
        twins = self.world.equals(value)
        twin = twins[0] if len({q.name for q in twins}) == 1 else None
        base = self._base(name)
        if twin is None and base is not None and base.written.shape == value.shape:
            equal_entries = sum(x == y for x, y in zip(base.written.entries, value.entries, strict=True))
            if 2 * equal_entries >= len(value.entries) and not matches(base.written, value):
                self._copy_fault(place, base, value)
                twin = base
        quantity = Quantity(
            name, value, twin.truth if twin else value, twin.exact if twin else value, twin.root if twin else None,
            epoch=self.state.epoch, is_list=self.loose, is_given=True, block=self.statement.block.index,
        )  # fmt: skip
        self.world.bind(quantity)
        self.bound_here[name.key] = quantity
        self.notes[place] = f"{name.key}={twin.name.key}" if twin else f"{name.key}=literal"

    def _base(self, name: AnyName) -> Quantity | None:
        """What `W_{Q1}` is one of: `W_Q`, where only that is defined."""
        if not isinstance(name, Name) or not name.subscript:
            return None
        text = "".join(piece.text for piece in name.subscript)
        shorter = text.rstrip("0123456789").rstrip(",")
        if shorter == text or not shorter:
            return None
        for font in {piece.font for piece in name.subscript} | {"bold", "italic"}:
            found = self.world.find(replace(name, subscript=(replace(name.subscript[0], text=shorter, font=font),)))  # type: ignore[arg-type]
            if found is not None:
                return found
        return None

    def _copy_fault(self, place: int, known: Quantity, value: Value) -> None:
        step = self.statement.steps[place]
        width = value.shape[1] if value.shape else 1
        entries = tuple(
            Entry(k // width + 1, k % width + 1, closed(x), closed(y), decimal(y))
            for k, (x, y) in enumerate(zip(value.entries, known.written.entries, strict=True))
            if x != y
        )
        self.copies[place] = replace(
            self._plain(place, "FAILS"), code="ST304", level="error", entries=entries,
            exact=shown(known.written), truth=shown(known.truth), names=(known.name.key,),
        )  # fmt: skip
        del step

    # --- the values of a side

    def _valued(self, place: int, node: Node | None, fresh: set[int]) -> Valued:
        side = self.statement.sides[place]
        if node is None:
            return Valued(side, Outcome(code="ST001", reason=side.trouble if side else ""))
        if place in fresh:
            return Valued(side, Outcome(), is_fresh=True)
        previous = self.statement.sides[place - 1] if place else None
        before = previous.node if previous is not None else None
        if place and self.statement.steps[place - 1].link.relation in EQUALITIES:
            if before is not None:
                self._know_literals(before, node)
            if place == 1 and self.claimed is not None:
                for known in self.claimed.sides:
                    self._know_literals(known, node)
        written = self.value_in(node, "written")
        truth = self.value_in(node, "truth").value
        upstream = self.value_in(node, "upstream").value
        return Valued(side, written, truth, upstream, self._roots(node))

    def _know_literals(self, before: Node, after: Node) -> None:
        """What the literals of a side stand for, from the side before it: their truth, and whether they are exact."""
        pairs = list(align(before, after))
        for pair in pairs:
            if pair.literal is after:
                continue  # the result itself
            meaning = pair.meaning if pair.entry is None else _entrywise(pair.meaning)
            literal = self.value_in(pair.literal, "written").value
            written, truth = (_entry(self.value_in(meaning, w).value, pair.entry) for w in ("written", "truth"))
            if literal is None or written is None or len(written.entries) != len(literal.entries):
                continue
            if matches(written, literal):
                for part in walk(pair.literal):
                    self.state.exact_literals.add(id(part))
            elif not self.agrees(written, pair.literal):
                continue
            roots = self._roots(pair.meaning)
            if truth is not None and roots and not matches(truth, literal):
                known = Tensor(literal.shape, truth.entries)
                self.state.literal_truths[id(pair.literal)] = LiteralTruth(known, roots[-1])

    def agrees(self, value: Value, literal: Node) -> bool:
        """Whether a literal is a right rounding of a value."""
        cells = stated(literal)
        return len(cells.cells) == len(value.entries) and not self._compared(value, cells, None, None).is_error

    # --- a link

    def _plain(self, place: int, verdict: str) -> LinkVerdict:
        step = self.statement.steps[place]
        left, right = self.statement.sides[place], self.statement.sides[place + 1]
        return LinkVerdict(
            step.block, step.step, step.line, step.column,
            "" if left is None else left.text, step.link.relation, "" if right is None else right.text,
            verdict,  # type: ignore[arg-type]
        )  # fmt: skip

    def _link(self, place: int) -> LinkVerdict:
        verdict = self._judged(place)
        if place in self.copies and verdict.verdict not in ("FAILS",):
            verdict = replace(self.copies[place], readers=verdict.readers)
        wrong = verdict.verdict == "FAILS" and verdict.level == "error"
        if wrong and self.own_root is None and not (verdict.code or "").startswith("ST2"):
            self.own_root = Root(verdict.formula, verdict.step)
        ignored = bool(verdict.code) and self.statement.block.ignores(verdict.code or "")
        return replace(verdict, silenced=ignored) if ignored else verdict

    def _judged(self, place: int) -> LinkVerdict:
        left, right = self.sides[place], self.sides[place + 1]
        relation = self.statement.steps[place].link.relation
        if right.written.code == "ST001" or (left.written.code == "ST001" and left.side is not None):
            fault = right if right.written.code == "ST001" else left
            return replace(self._plain(place, "UNREADABLE"), code="ST001", reason=fault.written.reason)
        if left.side is None:
            return self._plain(place, "DEFINITION")
        if relation not in EQUALITIES:
            return judge_relation(self._plain(place, "UNDECIDED"), self._latest(place), right, self.state.scalars)
        if relation == "→":
            return self._arrow(place)
        return self._equality(place, left, right)

    def _latest(self, place: int) -> Value | None:
        return next((s.value for s in reversed(self.sides[: place + 1]) if s.value is not None), None)

    def _arrow(self, place: int) -> LinkVerdict:
        """An arrow: the operation that its label names, or what a call gives in code."""
        left, right = self.sides[place], self.sides[place + 1]
        label = self.statement.steps[place].link.label.strip()
        by_case = {name.lower(): name for name in FUNCTIONS}
        if label.lower() in by_case and left.side is not None and left.side.node is not None:
            node = Apply(by_case[label.lower()], (left.side.node,), span=left.side.node.span)
            self.sides[place] = Valued(
                left.side, self.value_in(node, "written"), self.value_in(node, "truth").value,
                self.value_in(node, "upstream").value, left.roots,
            )  # fmt: skip
            return self._equality(place, self.sides[place], right)
        calls = left.side is not None and left.side.node is not None and not is_literal(left.side.node)
        if not label and calls and self.statement.context.kind in CODE:
            return self._equality(place, left, right)
        return replace(self._plain(place, "UNDECIDED"), code="ST003", reason=label)

    def _equality(self, place: int, left: Valued, right: Valued) -> LinkVerdict:
        plain = self._plain(place, "DEFINITION")
        is_last = place + 1 == len(self.statement.steps)  # a side with both neighbours is told with what follows it
        for side, told_here in ((left, True), (right, is_last)):
            if side.written.is_shape_fault and told_here:
                return replace(plain, verdict="FAILS", level="error", code="ST201", reason=side.written.reason)
        if right.is_fresh and (left.is_fresh or left.value is not None):
            return plain
        if left.is_fresh:
            return self._definition(place, plain, left, right)
        if place == 0 and right.value is not None and self._is_label(left):
            return plain
        if left.value is None or right.value is None:
            return self._undecided(place, plain, left, right)
        if place in self.notes and not self._others_differ(left.value, right.value):
            return replace(plain, code="ST302" if "literal" not in self.notes[place] else None, note=self.notes[place])
        found = self._compare(place, plain, left, right)
        return self._otherwise(place, plain, left, right, found) if found.level == "error" else found

    def _otherwise(
        self, place: int, plain: LinkVerdict, left: Valued, right: Valued, found: LinkVerdict
    ) -> LinkVerdict:
        """The verdict with another meaning of a call that has several, where that one agrees better."""
        for node, count in list(self.ambiguous.items()):
            for choice in range(1, count):
                self.meant[node] = choice
                self.state.expanded.clear()
                other = self._valued(place, left.side.node if left.side else None, set())
                if other.value is not None and right.value is not None:
                    verdict = self._compare(place, plain, other, right)
                    if verdict.level != "error" or len(verdict.entries) < len(found.entries):
                        found = verdict
            self.meant[node] = 0
            self.state.expanded.clear()
        return found

    def _others_differ(self, left: Value, right: Value) -> bool:
        return not (fits(left.shape, right.shape, self.loose) and matches(left, right))

    def _is_label(self, side: Valued) -> bool:
        """Whether a first side only names what follows: nothing in it has a value here."""
        node = None if side.side is None else side.side.node
        if side.value is not None or node is None or side.written.is_shape_fault:
            return False
        known = any(isinstance(n, Symbol) and self.world.find(n.name) is not None for n in walk(node))
        literal = any(isinstance(n, Matrix) and is_literal(n) and len(n.rows) > 1 for n in walk(node))
        return not known and not literal and side.written.code in ("ST301", "ST902")

    def _definition(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict:
        node = None if right.side is None else right.side.node
        if node is not None and left.side is not None and isinstance(left.side.node, Symbol) and is_literal(node):
            meant = implied(self, left.side.node.name, node)
            if meant is not None:
                value = self.value_in(meant, "written")
                side = replace(left.side, node=meant)
                return self._compare(place, plain, Valued(side, value, value.value, value.value), right)
        if right.value is None:
            if right.is_fresh:
                return plain
            return self._why(plain, right)
        if self.state.assuming and node is not None and (is_literal(node) or isinstance(node, Symbol)):
            truth = self._assumed_truth(right.value)
            known = self.world.find(node.name) if isinstance(node, Symbol) else None
            if truth is not None or plain.rel == "≈" or (known is not None and known.assumed):
                return replace(plain, verdict="ASSUMED", code="ST105", truth=shown(truth))
        if (
            isinstance(node, Symbol)
            and right.roots
            and right.truth is not None
            and not matches(right.truth, right.value)
        ):
            return replace(
                plain, verdict="INHERITED", level="ok", code="ST104", root=right.roots[-1],
                exact=shown(right.value), truth=shown(right.truth),
            )  # fmt: skip
        return plain

    def _assumed_truth(self, value: Value) -> Value | None:
        """What an assumed quantity would truly be: the softmax of the scores that stand before it."""
        context = self.statement.context
        text = " ".join((context.prose, context.label, *self.statement.block.headings[-1:]))
        head = self.statement.sides[0]
        name = head.node.name if head is not None and isinstance(head.node, Symbol) else None
        if not (self.state.cues.names_softmax(text) or self.state.cues.names_softmax(name.key if name else "")):
            return None
        index = "".join(p.text for p in name.subscript) if isinstance(name, Name) else ""
        for quantity in reversed(self.world.order):
            known = quantity.name
            same = isinstance(known, Name) and "".join(p.text for p in known.subscript) == index
            if same and quantity.written.shape == value.shape and quantity.sides and not quantity.assumed:
                node = Apply("softmax", (Symbol(known),))
                return self.value_in(node, "truth").value
        return None

    def _why(self, plain: LinkVerdict, *sides: Valued) -> LinkVerdict:
        fault = next((s.written for s in sides if s.value is None and s.written.code), None)
        if fault is None:
            return replace(plain, verdict="UNDECIDED", code="ST301", reason="not defined")
        names = tuple(name.key for name in fault.names)
        return replace(plain, verdict="UNDECIDED", code=fault.code, reason=fault.reason, names=names)

    def _undecided(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict:
        node = None if right.side is None else right.side.node
        wrong = (
            right.value is not None
            and right.truth is not None
            and right.roots
            and not matches(right.truth, right.value)
        )
        if wrong and (isinstance(node, Symbol) or left.written.is_shape_fault):
            found = self._why(plain, left)
            return replace(
                found, verdict="INHERITED", level="ok", code="ST104", root=right.roots[-1],
                exact=shown(right.value), truth=shown(right.truth),
            )  # fmt: skip
        if left.written.is_shape_fault or right.written.is_shape_fault:
            return replace(self._why(plain, left, right), code="ST201")
        return self._why(plain, left, right)

    # --- comparing

    def _compared(
        self, value: Value, cells: Stated, right: Valued | None, left_node: Node | None, upstream: Value | None = None
    ) -> Comparison:
        side = None if right is None else right.side

        def text(k: int) -> str:
            return "" if side is None else side.text_of(cells.nodes[k]) or side.text

        def span(k: int) -> tuple[int, int] | None:
            return None if side is None else side.span_of(cells.nodes[k])

        def explained() -> bool:
            if left_node is None or side is None or side.node is None:
                return False
            return self._explained(value, cells, left_node, side.node)

        return compare(value, cells, None if right is None else right.value, text, span, upstream, explained)

    def _explained(self, value: Value, cells: Stated, left: Node, right: Node) -> bool:
        """Whether rounding of printed operands explains a difference.

        Where the two sides have one structure, every number must be a right rounding of what it stands
        for. Elsewhere the printed numbers that are not known to be exact are widened.
        """
        if not is_literal(right):
            pairs = [p for p in align(left, right) if p.literal is not right]
            if pairs:
                return all(self._pair_agrees(pair) for pair in pairs)
            most = max((numeral(n).written.decimals or 0 for n in walk(right) if isinstance(n, Number)), default=0)  # type: ignore[union-attr]
            ends = all(e.is_rational and (e.fraction * 10**most).denominator == 1 for e in value.entries)
            if ends:
                return False
        loose = self._loose_with(left) or self._loose_with(right)
        return overlap(left, right, cells, self._written, self.state.exact_literals, loose)

    def reproduces(self, value: Value, cells: Stated, right: Valued) -> bool:
        """Whether a value gives the numbers that are stated."""
        if right.value is None or not fits(value.shape, right.value.shape, self.loose):
            return False
        return not self._compared(value, cells, right, None).entries

    def _pair_agrees(self, pair: Pair) -> bool:
        meaning = pair.meaning if pair.entry is None else _entrywise(pair.meaning)
        value = _entry(self.value_in(meaning, "written").value, pair.entry)
        return value is not None and self.agrees(value, pair.literal)

    def _compare(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict:
        assert left.value is not None
        assert right.value is not None
        assert left.side is not None
        assert left.side.node is not None
        assert right.side is not None
        assert right.side.node is not None
        loose = self._loose_with(left.side.node) or self._loose_with(right.side.node)
        if not fits(left.value.shape, right.value.shape, loose):
            reason = f"{left.value.told} = {right.value.told}"
            if self.claimed is not None and place == 0 and self.unsure:
                return replace(plain, verdict="UNDECIDED", code="ST303", reason=reason)
            return replace(plain, verdict="FAILS", level="error", code="ST202", reason=reason, exact=shown(left.value))
        cells = stated(right.side.node, plain.rel)
        if len(cells.cells) != len(left.value.entries):  # blocks in a matrix
            cells = Stated(
                right.value.shape, (None,) * len(right.value.entries), (right.side.node,) * len(right.value.entries)
            )
        found = self._compared(left.value, cells, right, left.side.node, left.upstream)
        base = replace(plain, exact=shown(left.value), truth=shown(self._truth_so_far(place)), entries=found.entries)
        if found.undecided:
            return replace(base, verdict="UNDECIDED", code="ST903", entries=())
        readers = agree(self, left, right, self.state.readers)
        base = replace(base, readers=readers.count)
        if readers.disagree:
            return replace(base, verdict="UNDECIDED", code="ST002", readings=readers.readings, entries=())
        if found.is_error:
            return self._wrong(place, base, left, right, cells)
        self._remember(left, right, found)
        code = {"ok": None, "explained-by-rounding": "ST102", "last-digit": "ST103"}[found.level]
        inherited = self._inherits(place, left, right, cells)
        if inherited is not None:
            return replace(base, verdict="INHERITED", level=found.level, code=code or "ST104", root=inherited)
        holds = "HOLDS" if found.level == "ok" else "FAILS"
        return replace(base, verdict=holds, level=found.level, code=code)  # type: ignore[arg-type]

    def _truth_so_far(self, place: int) -> Value | None:
        known = self.claimed.truth if self.claimed is not None else None
        return known or next((s.truth for s in self.sides[: place + 1] if s.truth is not None), None)

    def _roots_so_far(self, place: int) -> tuple[Root, ...]:
        found: dict[Root, None] = {}
        if self.claimed is not None and self.claimed.root is not None:
            found[self.claimed.root] = None
        for side in self.sides[: place + 1]:
            found.update(dict.fromkeys(side.roots))
        if self.own_root is not None:
            found[self.own_root] = None
        return tuple(found)

    def _inherits(self, place: int, left: Valued, right: Valued, cells: Stated) -> Root | None:
        """The fault that makes a link wrong in truth which holds as written."""
        roots = self._roots_so_far(place) or right.roots
        truth = self._truth_so_far(place)
        if not roots or truth is None or len(truth.entries) != len(cells.cells):
            return None
        return roots[0] if self._compared(truth, cells, right, None).is_error else None

    def _wrong(self, place: int, base: LinkVerdict, left: Valued, right: Valued, cells: Stated) -> LinkVerdict:
        """A value that does not follow from its operands: a new fault, or one that vanishes with its root."""
        if self.claimed is not None and place == 0 and self.unsure:
            return replace(base, verdict="UNDECIDED", code="ST303")
        roots = tuple(dict.fromkeys((*self._roots_so_far(place), *right.roots)))
        truth = self._truth_so_far(place)
        if roots and truth is not None and len(truth.entries) == len(cells.cells):
            literal = right.side is not None and right.side.node is not None and is_literal(right.side.node)
            other = right if literal else replace_value(right)
            if other.value is not None and not self._compared(truth, cells, other, None).is_error:
                return replace(
                    base, verdict="INHERITED", level="error", code="ST104", root=self._root_of(left, right, roots)
                )
        slip = likeliest(self, left, right, cells)
        return replace(base, verdict="FAILS", level="error", code="ST101", slip=slip)

    def _root_of(self, left: Valued, right: Valued, roots: tuple[Root, ...]) -> Root:
        """The nearest root: that of the right side where it has one."""
        return right.roots[-1] if right.roots else roots[-1]

    def _remember(self, left: Valued, right: Valued, found: Comparison) -> None:
        if found.rounded and found.level == "ok" and right.value is not None and left.upstream is not None:
            if all(e.is_rational for e in right.value.entries) and not matches(right.value, left.upstream):
                self.state.remember_rounded(right.value, Tensor(right.value.shape, left.upstream.entries))

    # --- names

    def _define(self, nodes: list[Node | None], fresh: set[int]) -> None:
        if not self.statement.steps:
            return
        values = [s for s in self.sides if s.value is not None]
        if fresh and values:
            last = values[-1]
            truth = next((s.truth for s in values if s.truth is not None), None)
            exact = next((s.upstream for s in values if s.upstream is not None), None)
            written = last.value
            assert written is not None
            fits_shape = truth is not None and len(truth.entries) == len(written.entries)
            roots = tuple(dict.fromkeys(root for s in values for root in s.roots))
            names = [part.name for n in nodes if n is not None for part in walk(n) if isinstance(part, Symbol)]
            heads = {n.name for place in fresh if isinstance(n := nodes[place], Symbol)}
            sides = tuple(n for n in nodes if n is not None and not isinstance(n, Symbol))
            given = len(values) == 1 and all(is_literal(n) for n in sides)
            for head in heads:
                self.world.bind(
                    Quantity(
                        head,
                        written,
                        Tensor(written.shape, truth.entries) if fits_shape and truth is not None else written,
                        Tensor(written.shape, exact.entries)
                        if exact is not None and len(exact.entries) == len(written.entries)
                        else written,
                        self.own_root or (roots[0] if roots else None),
                        self.world.uses([n for n in names if n not in heads]),
                        sides,
                        self.state.epoch,
                        0,
                        self.loose,
                        given,
                        self.state.assuming,
                        self.statement.block.index,
                    )  # fmt: skip
                )
        elif self.claimed is not None and nodes:
            extra = tuple(n for n in nodes[1:] if n is not None and not isinstance(n, Symbol))
            if not self.unsure and extra:
                self.world.bind(replace(self.claimed, sides=self.claimed.sides + extra))


def replace_value(side: Valued) -> Valued:
    """The side with its truth in place of its value."""
    return Valued(side.side, Outcome(side.truth), side.truth, side.truth, side.roots)


def _entry(value: Value | None, entry: int | None) -> Value | None:
    if value is None or entry is None or value.is_scalar:
        return value
    return Tensor.scalar(value.entries[entry]) if entry < len(value.entries) else None


def _entrywise(node: Node) -> Node:
    """The node with squares as entrywise products: a sum over all entries means them so."""
    node = rebuild(node, _entrywise)
    if isinstance(node, Power) and isinstance(node.exponent, Number) and node.exponent.text == "2":
        return Product((node.base, node.base), ("odot",), span=node.span)
    return node


def _transposed(value: Value) -> Value:
    if not value.shape:
        return value
    return Tensor((value.shape[1], value.shape[0]), tuple(e for column in value.columns() for e in column))


def _has_list(side: Side | None) -> bool:
    """Whether a side has a list in brackets that is written without a matrix environment."""
    if side is None or side.node is None:
        return False
    for node in walk(side.node):
        if (
            isinstance(node, Matrix)
            and len(node.rows) == 1
            and len(node.rows[0]) > 1
            and side.text_of(node)[:1] in "[("
        ):
            return True
    return False


__all__ = ["ChainJudge", "Numeral", "Readers", "Sum", "Valued"]
