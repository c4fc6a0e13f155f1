"""The judgement of one statement: its sides valued in two worlds, its links judged, its names bound."""

from __future__ import annotations

from dataclasses import replace

from symtrans.check.called import with_called_names
from symtrans.check.compare import fits, matches
from symtrans.check.copying import copy_fault
from symtrans.check.equality import Equality
from symtrans.check.evaluate import Outcome
from symtrans.check.finding import LinkVerdict, Root
from symtrans.check.guesses import as_columns, guessed, with_named_e
from symtrans.check.heads import is_application, names, with_euler
from symtrans.check.naming import EQUALITIES, Naming
from symtrans.check.relations import judge_relation
from symtrans.check.show import shown
from symtrans.check.state import State
from symtrans.check.stated import stated
from symtrans.check.statistics import implied
from symtrans.check.units import in_units
from symtrans.check.valued import Valued, has_list
from symtrans.check.valuer import Copy, Valuer
from symtrans.check.world import Value
from symtrans.document.claims import Statement, is_literal
from symtrans.notation.name import Name
from symtrans.notation.tree import Apply, Constant, Dots, Fraction, Matrix, Node, Number, Product, Symbol, rebuild, walk
from symtrans.ops.functions import FUNCTIONS
from symtrans.ops.tensor import Tensor

SIGMA = Name("sigma", is_command=True)
CODE = ("code", "fence", "plain", "output")


class ChainJudge:
    """Judges one statement and leaves the names that it defines in the state."""

    def __init__(self, state: State, statement: Statement) -> None:
        self.state = state
        self.world = state.world
        self.statement = statement = with_called_names(with_euler(statement, state.world), state.world)
        is_code = statement.context.kind in CODE
        self.valuer = Valuer(state, is_code or any(has_list(side) for side in statement.sides), is_code)
        self.naming = Naming(self.valuer, statement)
        self.sides: list[Valued] = []
        self.copies: dict[int, list[Copy]] = {}
        self.equality = Equality(self.valuer, self.naming, self.sides)

    def judge(self) -> list[LinkVerdict]:
        """The verdicts of its links, in order."""
        verdicts: list[LinkVerdict] = []
        for place in range(len(self.statement.sides)):
            self.sides.append(self._valued(place))
            if place:
                verdicts.append(self._link(place - 1))
        self.naming.define(self.sides, self.equality.own_root, verdicts)
        self._note_unshown()
        self.state.vectors.note(self.statement)
        return verdicts

    def _valued(self, place: int) -> Valued:
        side, node = self.statement.sides[place], self.naming.nodes[place]
        if node is None:
            return Valued(side, Outcome(code="ST001", reason=side.trouble if side else ""))
        if place in self.naming.fresh:
            return Valued(side, Outcome(), is_fresh=True)
        before = self.naming.nodes[place - 1] if place else None
        if place and self.statement.steps[place - 1].link.relation in EQUALITIES:
            if before is not None:
                self.copies[place - 1] = self.valuer.know_literals(before, node)
            if place == 1 and self.naming.claimed is not None:
                for known in self.naming.claimed.sides:
                    self.valuer.know_literals(known, node)
        worlds = (self.valuer.value_in(node, "truth").value, self.valuer.value_in(node, "upstream").value)
        return Valued(side, self.valuer.value_in(node, "written"), *worlds, self.valuer.roots(node))

    # --- a link

    def _note_unshown(self) -> None:
        """Remember the names that stand for a matrix of this statement with an ellipsis, or for such a name."""
        nodes = [node for node in self.naming.nodes if node is not None]
        heads = {node.name.key for node in nodes if isinstance(node, Symbol)}
        dots = any(isinstance(part, Dots) for node in nodes if isinstance(node, Matrix) for part in walk(node))
        if dots or (len(heads) == len(nodes) and heads & self.state.unshown):
            self.state.unshown |= heads

    def _plain(self, place: int) -> LinkVerdict:
        step = self.statement.steps[place]
        left, right = self.statement.sides[place], self.statement.sides[place + 1]
        texts = ("" if left is None else left.text, step.link.relation, "" if right is None else right.text)
        return LinkVerdict(step.block, step.step, step.line, step.column, *texts, "DEFINITION")

    def _link(self, place: int) -> LinkVerdict:
        verdict = self._judged(place)
        if verdict.code == "ST101" or verdict.verdict not in ("FAILS", "UNDECIDED", "UNREADABLE"):
            verdict = self._miscopied(place, verdict)
        is_fault = verdict.verdict == "FAILS" and verdict.level == "error"
        if is_fault and self.equality.own_root is None and not (verdict.code or "").startswith("ST2"):
            self.equality.own_root = Root(verdict.formula, verdict.step)
        self._note_operands(place, verdict)
        ignored = bool(verdict.code) and self.statement.block.ignores(verdict.code or "")
        return replace(verdict, silenced=ignored) if ignored else verdict

    def _judged(self, place: int) -> LinkVerdict:
        left, right = self.sides[place], self.sides[place + 1]
        plain = self._plain(place)
        if right.written.code == "ST001" or (left.written.code == "ST001" and left.side is not None):
            fault = right if right.written.code == "ST001" else left
            return replace(plain, verdict="UNREADABLE", code="ST001", reason=fault.written.reason)
        if left.side is None:
            return plain
        relation = self.statement.steps[place].link.relation
        if relation not in EQUALITIES:
            latest = next((s.value for s in reversed(self.sides[: place + 1]) if s.value is not None), None)
            return judge_relation(replace(plain, verdict="UNDECIDED"), latest, right)
        if relation == "→":
            return self._arrow(place, plain)
        return self._equality(place, plain, left, right)

    def _arrow(self, place: int, plain: LinkVerdict) -> LinkVerdict:
        """An arrow: the operation that its label names, or what a call gives in code."""
        left, right = self.sides[place], self.sides[place + 1]
        label = self.statement.steps[place].link.label.strip()
        by_case = {name.lower(): name for name in FUNCTIONS}
        if label.lower() in by_case and left.node is not None:
            node = Apply(by_case[label.lower()], (left.node,), span=left.node.span)
            written, truth, upstream = (self.valuer.value_in(node, w) for w in ("written", "truth", "upstream"))
            side = replace(left.side, node=node) if left.side is not None else None
            self.sides[place] = Valued(side, written, truth.value, upstream.value, left.roots)
            return self._equality(place, plain, self.sides[place], right)
        calls = left.node is not None and not is_literal(left.node)
        if not label and calls and self.statement.context.kind in CODE:
            return self._equality(place, plain, left, right)
        return replace(plain, verdict="UNDECIDED", code="ST003", reason=label)

    def _equality(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict:
        is_last = place + 1 == len(self.statement.steps)  # a side with both neighbours is told with what follows it
        for side, told_here in ((left, True), (right, is_last)):
            if (side.written.is_shape_fault or side.written.is_outside) and told_here:
                reason = side.written.reason
                return replace(plain, verdict="FAILS", level="error", code=side.written.code, reason=reason)
        if right.is_fresh and (left.is_fresh or left.value is not None):
            return plain
        if left.is_fresh:
            return self._definition(place, plain, left, right)
        if place == 0 and right.value is not None and self._is_label(left, right.value):
            return plain
        if left.value is None or right.value is None:
            found = self._undecided(plain, left, right)
            meant = (self.valuer, self.equality, place, plain, left, right)
            return (found.code == "ST301" and (in_units(*meant) or guessed(*meant))) or found
        bound = self.naming.bound.get(place)
        if bound and fits(left.value.shape, right.value.shape, True) and matches(left.value, right.value):
            return self._by_literals(place, plain, right)
        found = self.equality.judge(place, plain, left, right)
        if found.code in ("ST202", "ST303"):
            found = as_columns(self.valuer, self.equality, place, plain, left, right) or found
        if found.level != "error":
            return found
        if place == 0 and is_application(left.node) and not self._is_sigmoid(left, right):
            return replace(plain, verdict="UNDECIDED", code="ST003", reason="a function of its argument, or a product")
        other_way = (
            self._entrywise(place, plain, left, right)
            or self._doubted(place, plain, left, right)
            or self._from_digits(place, plain, left, right)
            or self._in_hundredths(place, plain, left, right)
            or with_named_e(self.valuer, self.equality, place, plain, left, right)
        )
        if other_way is not None:
            return other_way
        for _ in self.valuer.other_meanings():
            other = self._valued(place)
            if other.value is not None:
                verdict = self.equality.judge(place, plain, other, right)
                if verdict.level != "error" or len(verdict.entries) < len(found.entries):
                    found = verdict
        return found

    def _is_sigmoid(self, left: Valued, right: Valued) -> bool:
        """Whether σ(x) must be the logistic function: a value between 0 and 1 is stated, and tanh does not give it."""
        match left.node, right.value:
            case Product((Symbol(name), argument)), Tensor(entries=(stated_value,)) if name == SIGMA:
                if not (stated_value.is_rational and 0 < stated_value.fraction < 1):
                    return False
                other = self.valuer.value_in(Apply("tanh", (argument,)), "written").value
                return other is not None and not self.equality.reproduces(other, right, "≈")
        return False

    def _entrywise(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict | None:
        """The verdict with × between matrices taken entry by entry, as programs do, where that agrees."""
        if left.node is None or not any(isinstance(n, Product) and "times" in n.operators for n in walk(left.node)):
            return None
        node = _with_entrywise_products(left.node)
        side = Valued(left.side, self.valuer.value_in(node, "written"), left.truth, left.upstream, left.roots)
        if side.value is None or side.value == left.value or side.side is None:
            return None
        other = Valued(replace(side.side, node=node), side.written, side.written.value, side.written.value, left.roots)
        verdict = self.equality.judge(place, plain, other, right)
        return verdict if verdict.level != "error" and verdict.verdict == "HOLDS" else None

    def _in_hundredths(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict | None:
        """The verdict where the 100 of a percentage is told twice, as in `0.9 * 100 = 90%`, if that agrees."""
        match left.node, right.node:
            case Product(factors), Fraction(number, Number("100", span=None)) if (
                Number("100") in factors and right.side is not None
            ):
                written = self.valuer.value_in(number, "written")
                side = Valued(replace(right.side, node=number), written, written.value, written.value, right.roots)
                verdict = self.equality.judge(place, plain, left, side)
                return verdict if verdict.level != "error" else None
        return None

    def _doubted(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict | None:
        """The verdict with names that were given twice at their second value, where that agrees."""
        parts = [n for side in (left, right) if side.node is not None for n in walk(side.node)]
        if not any(isinstance(n, Symbol) and n.name.key in self.world.doubted for n in parts):
            return None
        self.world.takes_doubted = True
        try:
            sides = [self._valued_anew(side) for side in (left, right)]
            verdict = self.equality.judge(place, plain, *sides)
        finally:
            self.world.takes_doubted = False
        return None if verdict.level == "error" else verdict

    def _from_digits(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict | None:
        """The verdict with names that a last ≈ rounded at the digits printed of them, where that agrees."""
        known = (self.world.find(n.name) for n in walk(left.node) if isinstance(n, Symbol)) if left.node else ()
        if place == 0 or not any(quantity is not None and quantity.digits is not None for quantity in known):
            return None
        self.world.takes_digits = True
        try:
            verdict = self.equality.judge(place, plain, self._valued_anew(left), right)
        finally:
            self.world.takes_digits = False
        return None if verdict.level == "error" else verdict

    def _valued_anew(self, side: Valued) -> Valued:
        if side.node is None:
            return side
        written = self.valuer.value_in(side.node, "written")
        return Valued(side.side, written, written.value, written.value)

    def _by_literals(self, place: int, plain: LinkVerdict, right: Valued) -> LinkVerdict:
        """A link whose literals give undefined names their values."""
        bound = self.naming.bound[place]
        by_value = [(name.key, twin.name.key) for name, twin, _ in bound if twin is not None]
        note = ", ".join(f"{name} = {twin}" for name, twin in by_value)
        guessed = any(by_entries for _, _, by_entries in bound)
        names = tuple(name.key for name, _, _ in bound)
        code = "ST302" if by_value else None
        if guessed:
            return replace(plain, verdict="UNDECIDED", code="ST302" if by_value else "ST301", names=names, note=note)
        return replace(plain, code=code, names=names, note=note)

    def _is_label(self, side: Valued, right: Value) -> bool:
        """Whether a first side only names what follows: it is a name that has no value here."""
        if side.node is None or side.written.is_shape_fault:
            return False
        if side.value is not None:
            return side.node == Constant("pi") and not right.is_scalar  # a distribution π, say
        return names(side.node, lambda symbol: self.world.find(symbol.name) is not None)

    def _definition(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict:
        node = right.node
        if node is not None and left.side is not None and isinstance(left.node, Symbol) and is_literal(node):
            meant = implied(self.valuer, self.statement, left.node.name, node)
            if meant is not None:
                value = self.valuer.value_in(meant, "written")
                side = Valued(replace(left.side, node=meant), value, value.value, value.value)
                return self.equality.judge(place, plain, side, right)
        if right.value is None:
            return plain if right.is_fresh else self._why(plain, right)
        if self.state.assuming and node is not None and (is_literal(node) or isinstance(node, Symbol)):
            truth = self._assumed_truth(right.value)
            known = self.world.find(node.name) if isinstance(node, Symbol) else None
            if truth is not None or plain.rel == "≈" or (known is not None and known.assumed):
                return replace(plain, verdict="ASSUMED", code="ST105", truth=shown(truth))
        return self._handed_on(plain, right) or plain

    def _handed_on(self, plain: LinkVerdict, right: Valued) -> LinkVerdict | None:
        """A name that takes over another name's value, which is wrong in truth."""
        if not isinstance(right.node, Symbol) or not right.roots or right.truth is None or right.value is None:
            return None
        if matches(right.truth, right.value):
            return None
        values = {"exact": shown(right.value), "truth": shown(right.truth)}
        return replace(plain, verdict="INHERITED", level="ok", code="ST104", root=right.roots[-1], **values)  # type: ignore[arg-type]

    def _assumed_truth(self, value: Value) -> Value | None:
        """What an assumed quantity would truly be: the softmax of the scores that stand before it."""
        context, head = self.statement.context, self.naming.nodes[0]
        name = head.name if isinstance(head, Symbol) else None
        text = " ".join(
            (self.state.spoken, context.label, *self.statement.block.headings[-1:], name.key if name else "")
        )
        if not self.state.cues.names_softmax(text) or not isinstance(name, Name):
            return None
        index = "".join(piece.text for piece in name.subscript)
        for quantity in reversed(self.world.order):
            known = quantity.name
            same = isinstance(known, Name) and "".join(piece.text for piece in known.subscript) == index
            if same and quantity.written.shape == value.shape and not quantity.assumed and not quantity.is_given:
                return self.valuer.value_in(Apply("softmax", (Symbol(known),)), "truth").value
        return None

    def _why(self, plain: LinkVerdict, *sides: Valued) -> LinkVerdict:
        fault = next((s.written for s in sides if s.value is None and s.written.code), None)
        if fault is None:
            return replace(plain, verdict="UNDECIDED", code="ST301", reason="not defined")
        names = tuple(name.key for name in fault.names)
        if names and self.state.unshown.issuperset(names):
            reason = "an ellipsis stands for a part of " + ", ".join(names)
            return replace(plain, verdict="UNDECIDED", code="ST902", reason=reason, names=names)
        return replace(plain, verdict="UNDECIDED", code=fault.code, reason=fault.reason, names=names)

    def _undecided(self, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict:
        found = self._why(plain, left, right)
        handed_on = self._handed_on(found, right)
        if handed_on is not None:
            return handed_on
        if left.written.is_shape_fault or right.written.is_shape_fault:
            return replace(found, code="ST201")
        return found

    # --- operands

    def _miscopied(self, place: int, verdict: LinkVerdict) -> LinkVerdict:
        """A literal that does not agree with the name that it stands for, where all else would hide it."""
        if place in self.naming.miscopied:
            base, value = self.naming.miscopied[place]
            return copy_fault(self.state, verdict, base.name, value, base.written, base.truth)
        wrong = self.copies.get(place, [])
        if len(wrong) != 1 or wrong[0].pair.entry is not None:
            return verdict
        copy = wrong[0]
        copied = self.valuer.value_in(copy.pair.literal, "written").value
        if copied is None or copied.shape != copy.written.shape:
            return verdict
        return copy_fault(self.state, verdict, copy.name, copied, copy.written, copy.truth)

    def _note_operands(self, place: int, verdict: LinkVerdict) -> None:
        """The operands of a right side that are not what they should be in truth, for whoever mends them."""
        right = self.sides[place + 1]
        if right.node is None or is_literal(right.node):
            return
        copies = self.copies.get(place, []) if verdict.code == "ST304" else []
        wrong: dict[int, Value] = {id(copy.pair.literal): copy.truth for copy in copies}
        for part in walk(right.node):
            known = self.state.literal_truths.get(id(part))
            truth: Value | None = wrong.get(id(part)) or (known.value if known is not None else None)
            cells = stated(part) if truth is not None else None
            if truth is not None and cells is not None and len(cells.cells) == len(truth.entries):
                self.equality.note(right, cells, truth.entries, verdict, False)


def _with_entrywise_products(node: Node) -> Node:
    node = rebuild(node, _with_entrywise_products)
    if isinstance(node, Product):
        return replace(node, operators=tuple("odot" if o == "times" else o for o in node.operators))
    return node
