"""The judgement of a document: every statement in order, each link in two worlds, names bound as they come."""

from __future__ import annotations

from symtrans.check.chain import ChainJudge
from symtrans.check.cues import Cues
from symtrans.check.finding import Coverage, FileReport, LinkVerdict
from symtrans.check.show import shown
from symtrans.check.state import State
from symtrans.document.block import Document
from symtrans.document.claims import Claims, claims_of

JUDGED = ("HOLDS", "FAILS", "INHERITED", "ASSUMED")


def judge(document: Document, readers: int = 2) -> FileReport:
    """Judge a document; nothing in it raises."""
    claims = claims_of(document)
    state = State(readers=readers, cues=Cues.load())
    links: list[LinkVerdict] = []
    for index, statement in enumerate(claims.statements):
        state.begin(statement, index)
        links.extend(ChainJudge(state, statement, index, claims.statements).judge())
    return FileReport(
        document.source.path,
        coverage(claims, links),
        tuple(links),
        tuple(state.numerals),
        document.remarks,
        document.source,
        claims.statements,
        {q.name.key: value for q in state.world.order if (value := shown(q.written)) is not None},
    )


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
