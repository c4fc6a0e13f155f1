"""Two sides that are said to be equal: how well they agree, why they may not, and what a fault inherits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symtrans.check.align import align
from symtrans.check.compare import Comparison, coarser, compare, fits, matches
from symtrans.check.finding import LinkVerdict, Numeral, Root
from symtrans.check.naming import Naming
from symtrans.check.rereading import agree
from symtrans.check.show import closed, shown
from symtrans.check.slip import Trial, likeliest
from symtrans.check.stated import Numeral as StatedNumeral
from symtrans.check.stated import Stated, numeral, stated
from symtrans.check.valued import Valued
from symtrans.check.valuer import Valuer
from symtrans.check.widen import overlap
from symtrans.check.world import Value
from symtrans.document.claims import is_literal
from symtrans.exact.field import Element
from symtrans.exact.rounding import Agreement, decide
from symtrans.notation.tree import Node, Number, Symbol, walk
from symtrans.ops.tensor import Tensor

CODES = {"ok": None, "explained-by-rounding": "ST102", "last-digit": "ST103"}


class Equality:
    """Compares the sides of one statement; `sides` are those that have values so far."""

    def __init__(self, valuer: Valuer, naming: Naming, sides: list[Valued]) -> None:
        self.valuer = valuer
        self.state = valuer.state
        self.naming = naming
        self.sides = sides
        self.own_root: Root | None = None
        self.agreed_before = False  # the link before holds, if only by rounding

    def judge(self, place: int, plain: LinkVerdict, left: Valued, right: Valued) -> LinkVerdict:
        """The verdict on two sides with values."""
        assert left.value is not None
        assert right.value is not None
        assert left.node is not None
        assert right.node is not None
        unsure = place == 0 and self.naming.unsure
        if not fits(left.value.shape, right.value.shape, self.valuer.is_loose(left.node, right.node)):
            reason = f"{left.value.told} = {right.value.told}"
            if unsure or self._may_mean_another(left, right):
                return replace(plain, verdict="UNDECIDED", code="ST303", reason=reason)
            return replace(plain, verdict="FAILS", level="error", code="ST202", reason=reason, exact=shown(left.value))
        cells = stated(right.node, plain.rel)
        if len(cells.cells) != len(left.value.entries):  # a name, or blocks in a matrix
            count = len(right.value.entries)
            cells = Stated(right.value.shape, (None,) * count, (right.node,) * count, plain.rel == "≈")
        found = self._compared(left.value, cells, right, left)
        claimed = self.naming.claimed if place == 0 else None
        if found.level == "explained-by-rounding" and claimed is not None and matches(claimed.exact, right.value):
            found = Comparison("ok")  # told again before it was rounded
        if found.is_error and self._is_rounded_there(left.node, right.value):
            found = replace(found, level="explained-by-rounding")
        if found.level in ("last-digit", "error") and self._is_true_of_rounded_operands(place, cells, right):
            entries = tuple(replace(entry, level="explained-by-rounding") for entry in found.entries)
            found = replace(found, level="explained-by-rounding", entries=entries)
        self.agreed_before = found.level in ("ok", "explained-by-rounding")
        base = replace(plain, exact=shown(left.value), truth=shown(self._truth(place)), entries=found.entries)
        if found.undecided:
            return replace(base, verdict="UNDECIDED", code="ST903", entries=())
        readers = agree(self.valuer, left, right, self.state.readers)
        base = replace(base, readers=readers.count)
        if readers.disagree:
            return replace(base, verdict="UNDECIDED", code="ST002", readings=readers.readings, entries=())
        if found.is_error and unsure:
            return replace(base, verdict="UNDECIDED", code="ST303")
        if found.is_error:
            verdict = self._wrong(place, base, left, right, cells)
        else:
            self._remember_rounded(left, right, cells, found)
            verdict = self._right(place, base, right, cells, found)
        self._note_numerals(place, verdict, left, right, cells)
        return verdict

    def _is_true_of_rounded_operands(self, place: int, cells: Stated, right: Valued) -> bool:
        """Whether a result is right from the values that the operands had before the chain rounded them."""
        known = place > 0 and self.agreed_before and right.node is not None and is_literal(right.node)
        truth = self._truth(place) if known else None
        if truth is None or len(truth.entries) != len(cells.cells) or self._roots(place):
            return False
        return self._compared(truth, cells, right).level == "ok"

    def _is_rounded_there(self, left: Node, right: Value) -> bool:
        """Whether the left side is a name whose stated digits are rounded, and the right one rounds to them."""
        known = self.valuer.world.find(left.name) if isinstance(left, Symbol) else None
        return known is not None and not matches(known.written, known.exact) and coarser(known.written, right)

    def _may_mean_another(self, left: Valued, right: Valued) -> bool:
        """Whether a name on the left may be another one than was defined: a vector there, and a number is stated."""
        assert left.value is not None
        assert right.value is not None
        assert left.node is not None
        named = any(isinstance(n, Symbol) for n in walk(left.node))
        return named and (len(left.value.entries) == 1) != (len(right.value.entries) == 1)

    # --- how well they agree

    def _compared(self, value: Value, cells: Stated, right: Valued, left: Valued | None = None) -> Comparison:
        side, node = right.side, right.node
        assert side is not None

        def text(k: int) -> str:
            if right.value is not None and cells.nodes[k] is node and len(cells.nodes) > 1:
                return closed(right.value.entries[k])
            return side.text_of(cells.nodes[k]) or side.text

        def span(k: int) -> tuple[int, int] | None:
            return side.span_of(cells.nodes[k])

        def explained() -> bool:
            known = left is not None and left.node is not None and node is not None
            return known and self._explained(value, cells, left.node, node)  # type: ignore[union-attr, arg-type]

        unsure = left is not None and left.node is not None and self.valuer.knows_roundings_only(left.node)
        upstream, before = (None, None) if left is None else (left.upstream, right.upstream)
        return compare(value, cells, right.value, text, span, upstream, explained, before, unsure)

    def _explained(self, value: Value, cells: Stated, left: Node, right: Node) -> bool:
        """Whether rounding of printed operands explains a difference.

        Where the two sides have one structure, every number must be a right rounding of what it stands
        for. Elsewhere the printed numbers that are not known to be exact are widened, for a stated result
        only within one unit of its last digit.
        """
        if not is_literal(right):
            pairs = [p for p in align(left, right) if p.literal is not right]
            if pairs:
                valued = list(self.valuer.pairs(left, right))
                return len(valued) == len(pairs) and all(
                    self.valuer.agrees(written, pair.literal, strictly=True)
                    or (isinstance(pair.meaning, Symbol) and coarser(written, literal))
                    for pair, literal, written, _ in valued
                )
            shown_there = (numeral(n) for n in walk(right) if isinstance(n, Number))
            most = max((n.written.decimals or 0 for n in shown_there if n is not None), default=0)
            if all(e.is_rational and (e.fraction * Fraction(10) ** most).denominator == 1 for e in value.entries):
                return False
        elif not self.valuer.knows_roundings_only(left) and not all(
            _is_near(e, c) for e, c in zip(value.entries, cells.cells, strict=True)
        ):
            return False
        loose = self.valuer.is_loose(left, right)
        rounded = self.valuer.roundings(left) | self.valuer.roundings(right)
        return overlap(left, right, cells, self.valuer.world.meaning, self.state.exact_literals, rounded, loose)

    def reproduces(self, value: Value, right: Valued, relation: str) -> bool:
        """Whether a value gives the numbers that are stated."""
        if right.value is None or right.node is None or not fits(value.shape, right.value.shape, self.valuer.loose):
            return False
        cells = stated(right.node, relation)
        return len(cells.cells) == len(value.entries) and not self._compared(value, cells, right).entries

    # --- the two worlds

    def _truth(self, place: int) -> Value | None:
        """What the chain's value is in truth, by the first of its sides that tells."""
        if self.naming.claimed is not None:
            return self.naming.claimed.truth
        return next((s.truth for s in self.sides[: place + 1] if s.truth is not None), None)

    def _roots(self, place: int) -> tuple[Root, ...]:
        """The faults that the chain depends on so far."""
        found: dict[Root, None] = {}
        if self.naming.claimed is not None and self.naming.claimed.root is not None:
            found[self.naming.claimed.root] = None
        for side in self.sides[: place + 1]:
            found.update(dict.fromkeys(side.roots))
        if self.own_root is not None:
            found[self.own_root] = None
        return tuple(found)

    def _right(self, place: int, base: LinkVerdict, right: Valued, cells: Stated, found: Comparison) -> LinkVerdict:
        """A link that holds as written, at least but for rounding; it may be wrong in truth."""
        code = CODES[found.level]
        roots, truth = self._roots(place) or right.roots, self._truth(place)
        comparable = roots and truth is not None and len(truth.entries) == len(cells.cells)
        if comparable and truth is not None and self._compared(truth, cells, right).is_error:
            return replace(base, verdict="INHERITED", level=found.level, code=code or "ST104", root=roots[0])
        verdict = "HOLDS" if found.level == "ok" else "FAILS"
        return replace(base, verdict=verdict, level=found.level, code=code)  # type: ignore[arg-type]

    def _wrong(self, place: int, base: LinkVerdict, left: Valued, right: Valued, cells: Stated) -> LinkVerdict:
        """A value that does not follow from its operands: a new fault, or one that vanishes with its root."""
        roots = tuple(dict.fromkeys((*self._roots(place), *right.roots)))
        truth = self._truth(place)
        if roots and truth is not None and len(truth.entries) == len(cells.cells):
            literal = right.node is not None and is_literal(right.node)
            other = right if literal else right.in_truth()
            if other.value is not None and not self._compared(truth, cells, other).is_error:
                root = right.roots[-1] if right.roots else roots[-1]
                return replace(base, verdict="INHERITED", level="error", code="ST104", root=root)
        return replace(base, verdict="FAILS", level="error", code="ST101", slip=self._slip(base, left, right))

    def _slip(self, base: LinkVerdict, left: Valued, right: Valued) -> str:
        if left.node is None or left.value is None:
            return ""
        trial = Trial(
            self.valuer.expanded(left.node),
            left.value,
            base.entries,
            lambda node: self.valuer.value_in(node, "written").value,
            lambda value: self.reproduces(value, right, base.rel),
        )
        return likeliest(trial)

    # --- what is remembered

    def _remember_rounded(self, left: Valued, right: Valued, cells: Stated, found: Comparison) -> None:
        """What was printed is known before it was rounded, if it is a right rounding of that."""
        if right.value is None or left.upstream is None or len(left.upstream.entries) != len(cells.cells):
            return
        if not all(e.is_rational for e in right.value.entries) or matches(right.value, left.upstream):
            return
        if not (found.rounded and found.level == "ok"):
            before = self._compared(left.upstream, cells, right)
            if found.level not in ("ok", "explained-by-rounding") or not before.rounded or before.level != "ok":
                return
        self.state.remember_rounded(right.value, Tensor(right.value.shape, left.upstream.entries))

    def _note_numerals(self, place: int, verdict: LinkVerdict, left: Valued, right: Valued, cells: Stated) -> None:
        """The numbers of a stated result, with what they should be, for whoever mends them."""
        if right.node is None or not is_literal(right.node) or right.side is None:
            return
        truth = self._truth(place) if verdict.verdict == "INHERITED" or self._roots(place) else left.value
        if truth is None or len(truth.entries) != len(cells.cells) or verdict.level == "explained-by-rounding":
            return
        if verdict.verdict == "HOLDS" and not self._roots(place):
            return
        self.note(right, cells, truth.entries, verdict, True)

    def note(
        self, side: Valued, cells: Stated, truth: tuple[Element, ...], verdict: LinkVerdict, is_result: bool
    ) -> None:
        """Note numbers of a side with their truths; they are one group."""
        group = self.state.next_group()
        for cell, right in zip(cells.cells, truth, strict=True):
            span = None if cell is None or side.side is None else side.side.span_of(cell.node)
            if cell is not None and span is not None:
                self.state.numerals.append(
                    Numeral(cell.written, span, right, verdict.formula, verdict.step, group, is_result)
                )


def _is_near(value: Element, cell: StatedNumeral | None) -> bool:
    """Whether a stated number is within one unit of its last digit: rounded operands are no excuse for more."""
    if cell is None or value.infinite:
        return False
    if not value.is_rational:
        return decide(value, cell.written, cell.decimals) is not Agreement.WRONG
    distance = abs(value.fraction - cell.written.value)
    return distance == 0 if cell.decimals is None else distance <= Fraction(10) ** -cell.decimals
