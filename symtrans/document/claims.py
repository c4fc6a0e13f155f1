"""From blocks of formulas to statements: chains of sides with their places, every relation numbered in its block."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from symtrans.claim import Claim, Origin
from symtrans.document.block import Block, Document, Formula
from symtrans.notation.reader import read
from symtrans.notation.tree import Chain, Group, Link, Matrix, Node, Number, Power, Product, Sum
from symtrans.notation.trouble import Trouble


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a relation: its tree (None where it could not be read, and then why), and where it stands."""

    node: Node | None
    formula: Formula = field(repr=False)
    start: int
    end: int
    trouble: str = ""

    @property
    def text(self) -> str:
        """The decoded mathematics of this side, as written."""
        return _EDGES.sub("", self.formula.text[self.start : self.end])

    def span_of(self, node: Node) -> tuple[int, int] | None:
        """The stretch of the source that a node of this side was read from."""
        return None if node.span is None else self.formula.source_span(node.span.start, node.span.end)

    def text_of(self, node: Node) -> str:
        """A node's text as written."""
        return "" if node.span is None else self.formula.text[node.span.start : node.span.end]


@dataclass(frozen=True, slots=True)
class Step:
    """A relation: the n-th (`step`) of its block (`block`), both from 1, and its place in the source."""

    block: int
    step: int
    link: Link
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A chain of sides; `steps[i]` stands between sides i and i+1. A first side may be missing.

    `context` is the formula that it begins in, `block` the block; `continues` is the index of the
    statement whose last side it takes up across a border of blocks, or None.
    """

    sides: tuple[Side | None, ...]
    steps: tuple[Step, ...]
    context: Formula = field(repr=False)
    block: Block = field(repr=False)
    continues: int | None = None

    @property
    def claim(self) -> Claim:
        """What is asserted, on the document's word."""
        links = tuple(step.link for step in self.steps)
        sides = tuple(None if side is None else side.node for side in self.sides)
        origin = Origin("", "", self.block.index, self.context.line, self.context.column)
        return Claim(Chain(sides, links), origin, "stated")


@dataclass(frozen=True, slots=True)
class LooseTrouble:
    """Something in a formula that was not understood and belongs to no relation."""

    block: Block = field(repr=False)
    formula: Formula = field(repr=False)
    trouble: Trouble


@dataclass(frozen=True, slots=True)
class Claims:
    """A document's statements in order, how many formulas there are and how many were read without trouble."""

    statements: tuple[Statement, ...]
    formulas: int
    read: int
    troubles: tuple[LooseTrouble, ...]
    decimal_comma: bool


def claims_of(document: Document) -> Claims:
    """Read every formula of every block."""
    comma = decimal_comma(formula.text for block in document.blocks for formula in block.formulas)
    statements: list[Statement] = []
    loose: list[LooseTrouble] = []
    formulas = unread = 0
    for block in document.blocks:
        count = 0
        fresh = True  # no statement of this block yet
        for formula in block.formulas:
            formulas += 1
            reading = read(formula.text, decimal_comma=comma)
            unread += bool(reading.troubles)
            used: set[Trouble] = set()
            reached = 0
            for chain in reading.chains:
                steps = []
                for link in chain.links:
                    count += 1
                    assert link.span is not None
                    line, column = _place(document, formula, link.span.start)
                    steps.append(Step(block.index, count, link, line, column))
                sides = _sides(chain, formula, reading.troubles, used, reached)
                if sides[0] is not None and _hangs_on_a_word(document, formula, sides[0]):
                    sides = (replace(sides[0], node=None, trouble="it continues a word before it"), *sides[1:])
                reached = max((side.end for side in sides if side is not None), default=reached)
                if not steps and sides[0] is not None and sides[0].node is None and not reading.chains[1:]:
                    continue
                _add(statements, Statement(sides, tuple(steps), formula, block), fresh, document.source.text)
                fresh = False
            loose.extend(LooseTrouble(block, formula, t) for t in reading.troubles if t not in used)
    return Claims(tuple(statements), formulas, formulas - unread, tuple(loose), comma)


def _hangs_on_a_word(document: Document, formula: Formula, side: Side) -> bool:
    """Whether a bracketed side is the argument of a word that stands before the formula: `ReLU$(-3)=0$`."""
    text, delimiter = document.source.text, formula.offset_at(side.start) - 1
    opens = formula.kind == "inline" and isinstance(side.node, Group) and side.start == 0
    before = text[delimiter - 1] if opens and delimiter > 0 and text[delimiter] in "$(" else ""
    return before.isascii() and before.isalpha()  # ideographs stand close to what follows


def _place(document: Document, formula: Formula, index: int) -> tuple[int, int]:
    return document.source.line_column(formula.offset_at(index))


def _sides(
    chain: Chain, formula: Formula, troubles: Iterable[Trouble], used: set[Trouble], reached: int
) -> tuple[Side | None, ...]:
    """The sides with their places: what stands between the relations, troubles included.

    `reached` is where the chain before ends in the formula's text.
    """
    sides: list[Side | None] = []
    for number, node in enumerate(chain.sides):
        before = chain.links[number - 1].span if number else None
        after = chain.links[number].span if number < len(chain.links) else None
        if node is not None and node.span is not None:
            sides.append(Side(node, formula, node.span.start, node.span.end))
            continue
        low = before.end if before else reached
        high = after.start if after else len(formula.text)
        here = [t for t in troubles if low <= t.start and t.end <= high and t not in used]
        if number == 0 and not here:
            sides.append(None)  # it begins with a relation
            continue
        if not here:
            here = [t for t in troubles if t.start <= high and t.end >= low]
        chosen = here[-1] if number == 0 and here else here[0] if here else None
        used.update(here)
        if chosen is not None and (before is None or after is None):
            low, high = (
                max(low, min(chosen.start, high)) if before is None else low,
                high if after else max(low, chosen.end),
            )
        sides.append(Side(None, formula, low, high, chosen.what if chosen else "not understood"))
    return tuple(sides)


def _add(statements: list[Statement], new: Statement, fresh: bool, text: str) -> None:
    """Append a statement; one that begins with a relation continues the chain before it where that is open.

    `text` is the source's: where words stand between, nothing is continued.
    """
    last = statements[-1] if statements else None
    begins_open = bool(new.steps) and new.sides[0] is None
    if not begins_open or last is None or last.sides[-1] is None:
        statements.append(new)
        return
    end = last.sides[-1]
    between = text[end.formula.offset_at(end.end) : new.context.start] if end is not None else ""
    if re.search(r"\w", between) and last.context is not new.context:
        statements.append(new)
        return
    if last.block is new.block and not fresh:
        statements[-1] = Statement(
            last.sides + new.sides[1:], last.steps + new.steps, last.context, last.block, last.continues
        )
        return
    open_end = end is not None and end.node is not None and not is_literal(end.node)
    near = not new.context.heading_changed and not new.context.item_changed
    if open_end and near and last.block.index == new.block.index - 1:
        sides = (end, *new.sides[1:])
        statements.append(Statement(sides, new.steps, new.context, new.block, len(statements) - 1))
        return
    statements.append(new)


def is_literal(node: Node) -> bool:
    """Whether a side is a result written out: a number, perhaps with a sign, or a matrix of them."""
    match node:
        case Number():
            return True
        case Sum(terms):
            return len(terms) == 1 and is_literal(terms[0].node)
        case Matrix(rows):
            return all(is_literal(cell) or _is_scaled(cell) for row in rows for cell in row)
    return False


def _is_scaled(node: Node) -> bool:
    r"""Whether an entry is a number with a power of ten: `8.1\times 10^{-5}`."""
    match node:
        case Sum((term,)):
            return _is_scaled(term.node)
        case Product((Number(), Power(Number("10"), exponent)), (operator,)):
            return operator in ("times", "cdot") and is_literal(exponent)
    return False


_EDGES = re.compile(r"^(?:\s|\\quad|\\qquad|\\[,;:!]|[,;.&]|\\\\)+|(?:\s|\\quad|\\qquad|\\[,;:!]|[,;&]|\\\\)+$")
_COMMA_DECIMAL = re.compile(
    r"(?<![\d.,(\[{])(\d{1,3}),(\d+)(?![\d,])|(?<![\d.,])(\d{1,3}),(\d+)(?![\d,)\]}])|\d\{,\}\d"
)
_POINT_DECIMAL = re.compile(r"\d\.\d")


def decimal_comma(texts: Iterable[str]) -> bool:
    """Whether a document writes 1,5 for one and a half: some such numbers, and none with a point.

    `[10,20]` and `x_{1,12}` count for nothing: a pair between brackets is a list. One digit behind
    the comma may be a list too.
    """
    commas = points = 0
    for text in texts:
        points += len(_POINT_DECIMAL.findall(text))
        for match in _COMMA_DECIMAL.finditer(text):
            whole, behind = match[1] or match[3] or "0", match[2] or match[4] or "00"
            before = text[: match.start()]
            listed = sum(before.count(opening) - before.count(closing) for opening, closing in ("[]", "()")) > 0
            if whole == "0" or not (listed or len(behind) == 3):  # [10,20] is a list, 1,000 a thousand
                commas += len(behind) > 1
    return commas > 0 and points == 0
