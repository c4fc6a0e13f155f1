r"""The reader: a formula's text as chains of sides, each a tree with spans. It never raises for a stranger's text.

A source may hold several chains: cut at `\quad`, `;`, line ends of a display, or a comma before
another relation. A part that begins with a relation continues the chain before it. A side that
cannot be read is None, and a trouble with its place says why; the other sides are read all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from symtrans.notation.brackets import as_row
from symtrans.notation.name import AnyName
from symtrans.notation.parser import parse
from symtrans.notation.tokens import Scanner, Tok
from symtrans.notation.tree import Apply, Chain, Link, Node, Span, Symbol
from symtrans.notation.trouble import Trouble, Unreadable

MAX_LENGTH = 20_000

__all__ = ["Reading", "Trouble", "read", "read_expression", "read_name"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the chains, and what was not understood."""

    chains: tuple[Chain, ...]
    troubles: tuple[Trouble, ...]


def read(source: str, decimal_comma: bool = False) -> Reading:
    """Read a formula. `decimal_comma` says that `1,5` is a number in this document."""
    if len(source) > MAX_LENGTH:
        return Reading((), (Trouble(0, len(source), f"a formula longer than {MAX_LENGTH:,} characters"),))
    try:
        tokens = _flat(Scanner(source, decimal_comma).scan())
    except RecursionError:
        return Reading((), (Trouble(0, len(source), "nested too deep"),))
    chains: list[Chain] = []
    troubles: list[Trouble] = []
    for segment in _segments(tokens):
        chain = _chain(segment, troubles)
        if chains and chain.links and chain.sides[0] is None and segment[0].kind == "REL":
            last = chains[-1]
            chains[-1] = Chain(last.sides + chain.sides[1:], last.links + chain.links)
        else:
            chains.append(chain)
    return Reading(tuple(chains), tuple(troubles))


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
    if not isinstance(node, Symbol):
        raise ValueError(f"{source!r} is not a name")
    return node.name


def _flat(tokens: list[Tok]) -> list[Tok]:
    r"""The tokens with display environments opened: their line ends are gaps, their `&` nothing."""
    flat: list[Tok] = []
    for token in tokens:
        if token.kind == "LAYOUT":
            flat.extend(_flat(token.parts[0]))
            flat.append(Tok("SEP", "", token.end, token.end))
        elif token.kind == "ROW":
            flat.append(Tok("SEP", "", token.start, token.end))
        elif token.kind == "BRACE" and any(t.kind in ("REL", "LAYOUT", "SEP", "ROW") for t in token.parts[0]):
            flat.extend(_flat(token.parts[0]))  # braces that only set a size or a colour
        elif token.kind != "AMP":
            flat.append(token)
    return flat


def _segments(tokens: list[Tok]) -> list[list[Tok]]:
    """The tokens cut into formulas: at gaps and semicolons, and at a comma where another relation follows."""
    segments: list[list[Tok]] = [[]]
    for place, token in enumerate(tokens):
        if token.kind in ("SEP", "SEMI") or (token.kind == "COMMA" and _ends_formula(tokens, place)):
            segments.append([])
        else:
            segments[-1].append(token)
    return [segment for segment in segments if segment]


def _ends_formula(tokens: list[Tok], place: int) -> bool:
    for token in tokens[place + 1 :]:
        if token.kind in ("SEP", "SEMI", "COMMA"):
            break
        if token.kind == "REL":
            return True
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    return following is None or following.kind in ("SEP", "SEMI")


def _chain(segment: list[Tok], troubles: list[Trouble]) -> Chain:
    parts: list[list[Tok]] = [[]]
    links: list[Link] = []
    for token in segment:
        if token.kind == "REL":
            links.append(Link(token.text, str(token.value or ""), span=Span(token.start, token.end)))  # type: ignore[arg-type]
            parts.append([])
        else:
            parts[-1].append(token)
    sides: list[Node | None] = []
    for number, part in enumerate(parts):
        if not part and number == 0:
            sides.append(None)
            continue
        if not part:
            place = links[number - 1].span
            assert place is not None
            troubles.append(Trouble(place.start, place.end, "nothing stands after the relation"))
            sides.append(None)
            continue
        dimensions = number > 0 and links[number - 1].relation == "∈"
        sides.append(_side(part, dimensions, troubles))
    return Chain(tuple(sides), tuple(links))


def _side(part: list[Tok], dimensions: bool, troubles: list[Trouble]) -> Node | None:
    try:
        if dimensions:
            space = _space(part)
            if space is not None:
                return space
        return as_row(parse(part))
    except Unreadable as fault:
        trouble = fault.trouble
        start, end = (trouble.start, trouble.end) if trouble.end else (part[0].start, part[-1].end)
        troubles.append(Trouble(start, end, trouble.what))
    except RecursionError:
        troubles.append(Trouble(part[0].start, part[-1].end, "nested too deep"))
    return None


def _space(part: list[Tok]) -> Node | None:
    r"""`\mathbb{R}^{2\times 3}` as the space of 2×3 matrices, or None."""
    first = part[0]
    if first.kind != "NAME" or first.value.nucleus not in ("R", "ℝ") or len(part) > 2:
        return None
    dimensions: list[Node] = []
    if len(part) == 2:
        if part[1].kind != "SUP":
            return None
        piece: list[Tok] = []
        for token in [*part[1].parts[0], Tok("OP", "times", 0, 0)]:
            if token.kind == "OP" and token.text == "times":
                dimensions.append(parse(piece))
                piece = []
            else:
                piece.append(token)
    return Apply("Reals", tuple(dimensions), span=Span(first.start, part[-1].end))
