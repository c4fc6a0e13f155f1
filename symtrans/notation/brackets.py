"""Brackets and matrices: a bracketed expression, a function's arguments, a row, or a matrix written out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symtrans.notation.tokens import Tok, cut, unwrapped
from symtrans.notation.tree import Apply, Group, Matrix, Node, Number, Span, Sum, Symbol, Term
from symtrans.notation.trouble import Unreadable

Parse = Callable[[list[Tok]], Node]
Cells = list[list[Tok]]
MAX_CELLS = 40_000
KEYWORD = "name=…"  # the function name of an argument that is given by its name

_NO_OPERAND_BEFORE = {"OP", "PLUS", "MINUS", "FUNC", "SUM", "GAP"}
_NO_OPERAND = {"OP", "PLUS", "GAP", "SUB", "SUP", "PRIME", "PERCENT", "FACT"}


def group(token: Tok, parse: Parse) -> Node:
    """What a pair of brackets holds: an expression, a row, or a matrix."""
    inner, bracket, span = token.parts[0], token.text, Span(token.start, token.end)
    if bracket == "<":
        raise Unreadable(token.start, token.end, "angle brackets")
    rows = _rows(inner, bracket)
    if rows is not None:
        if bracket not in ("[", "("):
            raise Unreadable(token.start, token.end, "a list in these brackets")
        return _matrix(rows, token, parse, is_list=True)
    inner = [part for part in inner if part.kind not in ("GAP", "SEP")]
    if not inner:
        raise Unreadable(token.start, token.end, "empty brackets")
    body = parse(inner)
    if isinstance(body, Matrix) and len(unwrapped(inner)) == 1:
        return _around(body, bracket, span)
    return Group(body, bracket, span=span)  # type: ignore[arg-type]


def arguments(token: Tok, parse: Parse) -> tuple[Node, ...]:
    """The arguments that stand behind a function's name: what brackets hold, or what stands there without any."""
    if token.kind == "BRACE":
        inner = unwrapped(token.parts[0])
        if len(inner) == 1 and inner[0].kind == "GROUP":
            return arguments(inner[0], parse)
        return (parse(inner),)
    if token.kind == "MATRIX" or token.text in ("|", "‖", "<"):
        return (parse([token]),)
    inner = [part for part in token.parts[0] if part.kind not in ("GAP", "SEP")]
    kinds = {part.kind for part in inner}
    if token.text != "[" and "COMMA" in kinds and not kinds & {"SEMI", "ROW", "AMP"}:
        return tuple(_argument(part, parse) for part in cut(inner, "COMMA"))
    if token.text == "(" and "REL" in kinds:
        return (_argument(inner, parse),)
    node = group(token, parse)
    return (node.body,) if isinstance(node, Group) else (node,)


def _argument(part: list[Tok], parse: Parse) -> Node:
    """An argument of a call, or one that is given by its name: `n=2`."""
    relations = [token for token in part if token.kind == "REL"]
    if not relations:
        return parse(part)
    sides = cut(part, "REL")
    name = parse(sides[0])
    if len(relations) > 1 or len(sides) < 2 or relations[0].text != "=" or not isinstance(name, Symbol):
        raise Unreadable(relations[0].start, relations[0].end, "a relation inside brackets")
    return Apply(KEYWORD, (name, parse(sides[1])), span=Span(part[0].start, part[-1].end))


def row(parts: list[list[Tok]], parse: Parse) -> Node:
    """Entries that stand side by side without brackets: `i = 1, 2, 3`."""
    cells = tuple(parse(part) for part in parts)
    first, last = parts[0][0], parts[-1][-1]
    return Matrix((cells,), span=Span(first.start, last.end))


def matrix(token: Tok, parse: Parse) -> Node:
    """A matrix environment."""
    node = _matrix(token.value, token, parse)
    name = token.text
    if name == "vmatrix":
        return Apply("det", (node,), span=node.span)
    return Group(node, "‖", span=node.span) if name == "Vmatrix" else node


def _around(inner: Node, bracket: str, span: Span) -> Node:
    if bracket in ("(", "[", "{"):
        return replace(inner, span=span)
    return Apply("det", (inner,), span=span) if bracket == "|" else Group(inner, bracket, span=span)  # type: ignore[arg-type]


def _matrix(rows: list[Cells], token: Tok, parse: Parse, is_list: bool = False) -> Node:
    """The matrix of these rows; a list of rows in brackets of their own, `[[1, 2], [3, 4]]`, is their matrix."""
    span = Span(token.start, token.end)
    rows = [cells for cells in rows if cells != [[]]]
    if not rows:
        raise Unreadable(token.start, token.end, "a matrix without entries")
    width = len(rows[0])
    if width * len(rows) > MAX_CELLS:
        raise Unreadable(token.start, token.end, f"a matrix of more than {MAX_CELLS} entries")
    for cells in rows:
        if len(cells) != width:
            raise Unreadable(token.start, token.end, f"rows of {width} and of {len(cells)} entries in one matrix")
    built = tuple(tuple(_cell(cell, token, parse) for cell in cells) for cells in rows)
    if is_list and len(rows) == 1 and all(map(_is_bracketed, rows[0])):
        lines = [_line(cell) for cell in built[0]]
        if all(line is not None for line in lines):
            if len({len(line) for line in lines if line is not None}) > 1:
                raise Unreadable(token.start, token.end, "rows of different lengths in one matrix")
            return Matrix(tuple(line for line in lines if line is not None), span=span)
    return Matrix(built, span=span)


def _is_bracketed(cell: list[Tok]) -> bool:
    return len(cell) == 1 and cell[0].kind == "GROUP" and not any(t.kind == "MATRIX" for t in cell[0].parts[0])


def _line(cell: Node) -> tuple[Node, ...] | None:
    """The entries of a row in brackets: `[1, 2]`, `[1]`."""
    if isinstance(cell, Matrix):
        return cell.rows[0] if len(cell.rows) == 1 else None
    return (cell.body,) if isinstance(cell, Group) and cell.bracket == "[" else None


def _cell(cell: list[Tok], token: Tok, parse: Parse) -> Node:
    """A cell; plain numbers, which most cells are, without the parser."""
    if len(cell) == 1 and cell[0].kind == "NUM":
        return Number(cell[0].text, span=Span(cell[0].start, cell[0].end))
    if len(cell) == 2 and cell[0].kind == "MINUS" and cell[1].kind == "NUM":
        number = Number(cell[1].text, span=Span(cell[1].start, cell[1].end))
        return Sum((Term(-1, number),), span=Span(cell[0].start, cell[1].end))
    if not cell:
        raise Unreadable(token.start, token.end, "a matrix with an empty entry")
    return parse(cell)


def _rows(tokens: list[Tok], bracket: str) -> list[Cells] | None:
    r"""The rows that brackets hold, or None where they hold one expression.

    Rows are cut at `;` or `\\`, cells at `,` or `&`, and in square brackets, where there is neither, at
    drawn spaces (`a\ b`, `a\quad b`) and at blanks between numbers (`1 2 -3`, `[1 2] [3 4]`).
    """
    kinds = {token.kind for token in tokens}
    if kinds & {"SEMI", "ROW"}:
        lines = cut(tokens, "SEMI", "ROW")
        if "COMMA" not in kinds and "AMP" not in kinds and any(token.value == "," for token in tokens):
            return [[_undrawn(line) for line in lines]]  # [0,7 ; 0 ; 0,3]: commas are decimal signs here
        return [_cells(line, bracket, in_rows=True) or [_undrawn(line)] for line in lines]
    cells = _cells(tokens, bracket, in_rows=False)
    return None if cells is None else [cells]


def _cells(tokens: list[Tok], bracket: str, in_rows: bool) -> Cells | None:
    kinds = {token.kind for token in tokens}
    if kinds & {"COMMA", "AMP"}:
        return [_undrawn(cell) for cell in cut(tokens, "COMMA", "AMP")]
    if bracket != "[":
        return None
    cells = _at_gaps(tokens) if kinds & {"GAP", "SEP"} else None
    return cells or _at_blanks(tokens, in_rows)


def _undrawn(tokens: list[Tok]) -> list[Tok]:
    return [token for token in tokens if token.kind not in ("GAP", "SEP")]


def _at_gaps(tokens: list[Tok]) -> Cells | None:
    """Cells cut at spaces that are drawn between two operands."""
    cells: Cells = [[]]
    for place, token in enumerate(tokens):
        if token.kind not in ("GAP", "SEP"):
            cells[-1].append(token)
        elif cells[-1] and cells[-1][-1].kind not in _NO_OPERAND_BEFORE and _begins(tokens, place + 1):
            cells.append([])
    return cells if len(cells) > 1 and cells[-1] else None


def _begins(tokens: list[Tok], place: int) -> bool:
    """Whether an operand begins here; a minus with a gap behind it stands between two."""
    if place >= len(tokens) or tokens[place].kind in _NO_OPERAND:
        return False
    if tokens[place].kind != "MINUS":
        return True
    return place + 1 < len(tokens) and tokens[place + 1].start == tokens[place].end and tokens[place + 1].kind != "GAP"


def _at_blanks(tokens: list[Tok], in_rows: bool) -> Cells | None:
    """Cells cut at blanks between numbers or rows; in a list with `;`, between names too."""
    if len(tokens) < 2:
        return None
    allowed = {"NUM", "MINUS", "INFTY", "GROUP"} | ({"NAME", "SUB", "SUP", "PRIME"} if in_rows else set())
    if any(token.kind not in allowed or (token.kind == "GROUP" and token.text != "[") for token in tokens):
        return None
    if not in_rows and len({token.kind == "GROUP" for token in tokens if token.kind != "MINUS"}) > 1:
        return None
    cells: Cells = [[tokens[0]]]
    for place, token in enumerate(tokens[1:], 1):
        before = tokens[place - 1]
        apart = token.start > before.end or (before.kind, token.kind) == ("GROUP", "GROUP")
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        if token.kind == "MINUS":
            if following is None or following.start > token.end or not apart:
                return None  # a difference
            cells.append([token])
        elif before.kind == "MINUS" or token.kind in ("SUB", "SUP", "PRIME") or not apart:
            cells[-1].append(token)
        else:
            cells.append([token])
    return cells if len(cells) > 1 else None
