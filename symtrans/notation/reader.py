r"""The reader: a formula's text as chains of sides, each a tree with spans. It never raises for a stranger's text.

A source may hold several chains: cut at `\quad`, `;`, line ends of a display, or a comma before
another relation. A part that begins with a relation continues the chain before it; a chain that
begins with one has None as its first side. A side that cannot be read is None too, and a trouble
whose place is within it says why; the other sides are read all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from symtrans.notation.brackets import row
from symtrans.notation.layout import Parts, formulas
from symtrans.notation.name import AnyName, Name
from symtrans.notation.parser import parse
from symtrans.notation.scanner import Scanner
from symtrans.notation.tokens import Tok, cut
from symtrans.notation.tree import Apply, Chain, Constant, Link, Node, Span, Symbol, children
from symtrans.notation.trouble import Trouble, Unreadable

MAX_LENGTH = 20_000
MAX_HEIGHT = 150  # of a tree; whoever walks one must not run out of stack
_FLAT_ENOUGH = 12  # brackets within brackets that cannot make a tree of that height

_RELATION = re.compile(r"=|<|>|\\(?:approx|simeq|cong|equiv|le|leq|ge|geq|ne|neq)(?![A-Za-z])")

__all__ = ["Reading", "Trouble", "read", "read_expression", "read_name"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the chains, and what was not understood."""

    chains: tuple[Chain, ...]
    troubles: tuple[Trouble, ...]


def read(source: str, decimal_comma: bool = False) -> Reading:
    """Read a formula. `decimal_comma` says that `1,5` is a number in this document."""
    if len(source) > MAX_LENGTH:
        return _unread(source, f"a formula longer than {MAX_LENGTH:,} characters")
    chains: list[Chain] = []
    troubles: list[Trouble] = []
    try:
        scanner = Scanner(source, decimal_comma)
        parts = formulas(scanner.scan())
        for formula in parts:
            chain = _chain(formula, scanner.deepest, troubles)
            if formula.continues and chains:
                last = chains[-1]
                chains[-1] = Chain(last.sides + chain.sides[1:], last.links + chain.links)
            else:
                chains.append(chain)
    except RecursionError:  # only where the caller has used up the stack itself
        return _unread(source, "nested too deep")
    return Reading(tuple(chains), tuple(troubles))


def _unread(source: str, why: str) -> Reading:
    """A formula that is not read at all; where it relates something, what stands on both sides is not known."""
    sign = _RELATION.search(source)
    link = () if sign is None else (Link("=", span=Span(sign.start(), sign.end())),)
    return Reading((Chain((None, None), link),) if link else (), (Trouble(0, len(source), why),))


@lru_cache(maxsize=4096)
def read_expression(source: str) -> Node:
    """Read one side; ValueError, which says what and where, if it is not exactly that."""
    reading = read(source)
    if reading.troubles:
        trouble = reading.troubles[0]
        raise ValueError(f"{source!r}, character {trouble.start + 1}: {trouble.what}")
    if len(reading.chains) != 1 or reading.chains[0].links or reading.chains[0].sides[0] is None:
        raise ValueError(f"{source!r} is not one expression")
    return reading.chains[0].sides[0]


@lru_cache(maxsize=4096)
def read_name(source: str) -> AnyName:
    """Read a name; ValueError where it is something else."""
    node = read_expression(source)
    if node == Constant("pi"):
        return Name("pi", is_command=True)
    if not isinstance(node, Symbol):
        raise ValueError(f"{source!r} is not a name")
    return node.name


def _chain(formula: Parts, deepest: int, troubles: list[Trouble]) -> Chain:
    links = tuple(Link(r.text, str(r.value or ""), span=Span(r.start, r.end)) for r in formula.relations)  # type: ignore[arg-type]
    sides: list[Node | None] = []
    for number, part in enumerate(formula.sides):
        if part:
            in_space = number > 0 and links[number - 1].relation == "∈"
            sides.append(_side(part, in_space, deepest, troubles))
            continue
        sides.append(None)
        if number or not formula.continues:
            relation = formula.relations[max(number - 1, 0)]
            troubles.append(Trouble(relation.start, relation.end, "nothing stands behind this relation"))
    return Chain(tuple(sides), links)


def _side(part: list[Tok], in_space: bool, deepest: int, troubles: list[Trouble]) -> Node | None:
    try:
        node = (_space(part) if in_space else None) or _expression(part)
        sums = sum(token.kind == "SUM" for token in part)
        if (deepest > _FLAT_ENOUGH or sums > _FLAT_ENOUGH) and _height(node) > MAX_HEIGHT:
            raise Unreadable(part[0].start, part[-1].end, "nested too deep")
        return node
    except Unreadable as fault:
        trouble = fault.trouble
        start, end = (trouble.start, trouble.end) if trouble.end else (part[0].start, part[-1].end)
        troubles.append(Trouble(start, end, trouble.what))
    return None


def _expression(part: list[Tok]) -> Node:
    cells = cut(part, "COMMA")
    return parse(part) if len(cells) == 1 or not all(cells) else row(cells, parse)


def _space(part: list[Tok]) -> Node | None:
    r"""`\mathbb{R}^{2\times 3}` as the space of 2×3 matrices, or None."""
    first = part[0]
    if first.kind != "NAME" or len(part) > 2 or first.value not in (Name("R", "blackboard"), Name("R")):
        return None
    if len(part) == 1:
        return Apply("Reals", (), span=Span(first.start, first.end))
    if part[1].kind != "SUP":
        return None
    dimensions: list[list[Tok]] = [[]]
    for token in part[1].parts[0]:
        if token.kind == "OP" and token.text == "times":
            dimensions.append([])
        else:
            dimensions[-1].append(token)
    return Apply("Reals", tuple(map(parse, dimensions)), span=Span(first.start, part[-1].end))


def _height(root: Node) -> int:
    """How many nodes stand on the longest way down."""
    height, level = 0, [root]
    while level:
        height += 1
        level = [child for node in level for child in children(node)]
    return height
