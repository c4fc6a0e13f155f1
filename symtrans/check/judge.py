"""The judgement of a document: every statement in order, each link in two worlds, names bound as they come."""

from __future__ import annotations

from collections.abc import Callable

from symtrans.check.chain import ChainJudge
from symtrans.check.cues import Cues
from symtrans.check.evaluate import evaluate
from symtrans.check.finding import Coverage, FileReport, LinkVerdict
from symtrans.check.show import shown
from symtrans.check.state import State
from symtrans.check.valued import has_list
from symtrans.check.world import Quantity
from symtrans.document.block import Document
from symtrans.document.claims import Claims, Statement, claims_of, is_literal
from symtrans.document.source import Remark
from symtrans.errors import SymtransError
from symtrans.notation.tree import Symbol

JUDGED = ("HOLDS", "FAILS", "INHERITED", "ASSUMED")


def judge(
    document: Document,
    readers: int = 2,
    skip: frozenset[int] = frozenset(),
    progress: Callable[[int], None] | None = None,
    is_late: Callable[[], bool] = lambda: False,
) -> FileReport:
    """Judge a document; nothing in it raises.

    The statements in `skip`, by index, are left undecided, since judging them took too long;
    so are those that come when it `is_late`. `progress` is told the index of each statement before it is judged.
    """
    claims = claims_of(document)
    state = State(readers=readers, cues=Cues.load())
    state.world.expect(given(claims.statements, state))
    links: list[LinkVerdict] = []
    for index, statement in enumerate(claims.statements):
        if progress is not None:
            progress(index)
        state.begin(statement)
        if index in skip or is_late():
            links.extend(limited(statement))
            continue
        try:
            links.extend(ChainJudge(state, statement).judge())
        except (SymtransError, RecursionError):  # a cap that was reached where nothing could be said instead
            links.extend(limited(statement))
    return FileReport(
        document.source.path,
        coverage(claims, links),
        tuple(links),
        tuple(state.numerals),
        (*document.remarks, *missing(document, state.cues)),
        document.source,
        claims.statements,
        {q.name.key: value for q in state.world.order if (value := shown(q.written)) is not None},
    )


def missing(document: Document, cues: Cues) -> list[Remark]:
    """The formulas that a document announces and does not have, each with its line."""
    return [
        Remark("a formula is announced here, and none follows", announcement.line)
        for announcement in document.announcements
        if cues.announces(announcement.text)
    ]


def limited(statement: Statement) -> list[LinkVerdict]:
    """The links of a statement that takes too long to judge."""
    sides = ["" if side is None else side.text for side in statement.sides]
    return [
        LinkVerdict(
            formula=step.block,
            step=step.step,
            line=step.line,
            column=step.column,
            lhs=sides[place],
            rel=step.link.relation,
            rhs=sides[place + 1],
            verdict="UNDECIDED",
            code="ST901",
            reason="limit: it takes too long to judge",
        )
        for place, step in enumerate(statement.steps)
    ]


def given(statements: tuple[Statement, ...], state: State) -> dict[str, Quantity]:
    """The names that are given by a literal and bound only once, by key."""
    found: dict[str, Quantity | None] = {}
    for statement in statements:
        heads = [side.node for side in statement.sides if side is not None and isinstance(side.node, Symbol)]
        last = statement.sides[-1]
        if not heads or not statement.steps or statement.sides[0] is None or statement.sides[0].node is not heads[0]:
            continue
        literal = last is not None and last.node is not None and is_literal(last.node)
        plain = literal and len(heads) == len(statement.sides) - 1 and last is not None and last.node is not None
        for head in heads:
            key = head.name.key
            if key in found or not plain or last is None or last.node is None:
                found[key] = None
                continue
            value = evaluate(last.node, lambda name: None, state.values.scalars).value
            lists = statement.context.kind not in ("display", "inline") or has_list(last)
            found[key] = (
                None if value is None else Quantity(head.name, value, value, value, is_list=lists, is_given=True)
            )
    return {key: quantity for key, quantity in found.items() if quantity is not None}


def coverage(claims: Claims, links: list[LinkVerdict]) -> Coverage:
    """How much was seen, read and judged."""
    return Coverage(
        formulas=claims.formulas,
        read=claims.read,
        links=len(links),
        checked=sum(link.verdict in JUDGED for link in links),
        undecided=sum(link.verdict == "UNDECIDED" for link in links),
        unreadable=sum(link.verdict == "UNREADABLE" for link in links),
        read_twice=sum(link.verdict in JUDGED and link.readers == 2 for link in links),
    )
