"""Brackets and matrices: a bracketed expression, a list of arguments, a row, or a matrix written out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symtrans.notation.tokens import Tok
from symtrans.notation.tree import Apply, Group, Matrix, Node, Number, Span, Sum, Symbol, Term
from symtrans.notation.trouble import Unreadable

Parse = Callable[[list[Tok]], Any]
LIST = "(…)"  # the function name of a list of arguments, until a call takes it
KEYWORD = "name=…"  # the function name of an argument that is given by its name
MAX_CELLS = 40_000


def group(token: Tok, parse: Parse) -> Node:
    """What a pair of brackets holds."""
    inner, bracket, span = token.parts[0], token.text, Span(token.start, token.end)
    if not inner:
        raise Unreadable(token.start, token.end, "empty brackets")
    if bracket == "<":
        raise Unreadable(token.start, token.end, "angle brackets")
    if len(inner) == 1 and inner[0].kind == "MATRIX":
        return _around(matrix(inner[0], parse), bracket, span)
    kinds = {t.kind for t in inner}
    if bracket == "(" and "REL" in kinds and not kinds & {"SEMI", "ROW", "AMP"}:
        return Apply(LIST, tuple(_argument(part, parse) for part in _cut(inner, ("COMMA",))), span=span)
    if bracket == "(" and "COMMA" in kinds and not kinds & {"SEMI", "ROW", "AMP"}:
        return Apply(LIST, tuple(parse(part) for part in _cut(inner, ("COMMA",))), span=span)
    if bracket in ("[", "(") and kinds & {"COMMA", "SEMI", "ROW", "AMP"}:
        return _matrix_of(_rows(inner), token, parse)
    if bracket == "[" and _is_spaced(inner):
        return _matrix_of([_spaced(inner)], token, parse)
    return Group(parse(inner), bracket, span=span)  # type: ignore[arg-type]


def _argument(part: list[Tok], parse: Parse) -> Node:
    """An argument of a call, or one that is given by its name: `n=2`."""
    place = next((i for i, token in enumerate(part) if token.kind == "REL"), None)
    if place is None:
        node: Node = parse(part)
        return node
    if part[place].text != "=" or not place:
        raise Unreadable(part[place].start, part[place].end, "a relation inside brackets")
    name, value = parse(part[:place]), parse(part[place + 1 :])
    if not isinstance(name, Symbol):
        raise Unreadable(part[place].start, part[place].end, "a relation inside brackets")
    return Apply(KEYWORD, (name, value), span=Span(part[0].start, part[-1].end))


def matrix(token: Tok, parse: Parse) -> Node:
    """A matrix environment."""
    rows = token.value
    node = _matrix_of(rows, token, parse)
    if token.text == "vmatrix":
        return Apply("det", (node,), span=node.span)
    return Group(node, "‖", span=node.span) if token.text == "Vmatrix" else node


def as_row(node: Node) -> Node:
    """A list in brackets that no function takes: a row vector."""
    if isinstance(node, Apply) and node.function == LIST:
        return Matrix((node.arguments,), span=node.span)
    return node


def _around(inner: Node, bracket: str, span: Span) -> Node:
    if bracket in ("(", "["):
        return replace(inner, span=span)
    return Apply("det", (inner,), span=span) if bracket == "|" else Group(inner, bracket, span=span)  # type: ignore[arg-type]


def _matrix_of(rows: list[list[list[Tok]]], token: Tok, parse: Parse) -> Node:
    span = Span(token.start, token.end)
    rows = [row for row in rows if row != [[]]]
    if not rows or not rows[0]:
        raise Unreadable(token.start, token.end, "a matrix without entries")
    if sum(len(row) for row in rows) > MAX_CELLS:
        raise Unreadable(token.start, token.end, f"a matrix of more than {MAX_CELLS} entries")
    if any(len(row) != len(rows[0]) for row in rows):
        first, other = len(rows[0]), next(len(row) for row in rows if len(row) != len(rows[0]))
        raise Unreadable(token.start, token.end, f"rows of {first} and of {other} entries in one matrix")
    built = tuple(tuple(_cell(cell, token, parse) for cell in row) for row in rows)
    if (
        len(built) == 1
        and len(built[0]) >= 1
        and all(_is_row(c, cell) for c, cell in zip(rows[0], built[0], strict=True))
    ):
        lines = tuple(cell.rows[0] if isinstance(cell, Matrix) else (ungrouped(cell),) for cell in built[0])
        if any(len(line) != len(lines[0]) for line in lines):
            raise Unreadable(token.start, token.end, "rows of different lengths in one matrix")
        return Matrix(lines, span=span)
    return Matrix(built, span=span)


def _is_row(tokens: list[Tok], cell: Node) -> bool:
    """Whether a cell is a row written in brackets of its own: `[[1, 2], [3, 4]]`, `[[1], [2]]`."""
    if len(tokens) != 1 or tokens[0].kind != "GROUP" or tokens[0].text != "[":
        return False
    return isinstance(cell, Group) or (isinstance(cell, Matrix) and len(cell.rows) == 1)


def ungrouped(cell: Node) -> Node:
    """The only entry of a row in brackets."""
    return cell.body if isinstance(cell, Group) else cell


def _cell(tokens: list[Tok], token: Tok, parse: Parse) -> Node:
    """A cell; plain numbers, which most cells are, without the parser."""
    match [t.kind for t in tokens]:
        case ["NUM"]:
            return Number(tokens[0].text, span=Span(tokens[0].start, tokens[0].end))
        case ["MINUS", "NUM"]:
            number = Number(tokens[1].text, span=Span(tokens[1].start, tokens[1].end))
            return Sum((Term(-1, number),), span=Span(tokens[0].start, tokens[1].end))
        case []:
            raise Unreadable(token.start, token.end, "a matrix with an empty entry")
        case _:
            node: Node = parse(tokens)
            return as_row(node)


def _cut(tokens: list[Tok], kinds: tuple[str, ...]) -> list[list[Tok]]:
    parts: list[list[Tok]] = [[]]
    for token in tokens:
        if token.kind in kinds:
            parts.append([])
        else:
            parts[-1].append(token)
    if len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


def _rows(tokens: list[Tok]) -> list[list[list[Tok]]]:
    """Rows cut at `;` or `\\\\`, cells at `,` or `&`, or at spaces between plain numbers."""
    rows: list[list[list[Tok]]] = []
    for line in _cut(tokens, ("SEMI", "ROW")):
        cells = _cut(line, ("COMMA", "AMP"))
        rows.append(_spaced(cells[0]) if len(cells) == 1 and _is_spaced(cells[0]) else cells)
    return rows


def _is_spaced(tokens: list[Tok]) -> bool:
    """Whether entries stand side by side with nothing but space between: `1 2 -3`, `[1 2] [3 4]`."""
    if len(tokens) < 2 or any(t.kind not in ("NUM", "MINUS", "GROUP", "INFTY") for t in tokens):
        return False
    numbers = [t for t in tokens if t.kind != "MINUS"]
    if any(t.kind == "GROUP" and t.text != "[" for t in numbers) or len({t.kind == "GROUP" for t in numbers}) > 1:
        return False
    return len(numbers) > 1 and len(_spaced(tokens)) > 1


def _spaced(tokens: list[Tok]) -> list[list[Tok]]:
    """Entries cut where a space stands before a number or its sign, and not behind the sign."""
    cells: list[list[Tok]] = []
    for token in tokens:
        if cells and cells[-1][-1].kind == "MINUS":
            cells[-1].append(token)
        elif cells and token.kind == "MINUS" and token.start == cells[-1][-1].end:
            cells[-1].append(token)  # 3-2: a difference
        else:
            cells.append([token])
    return cells
