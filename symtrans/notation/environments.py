r"""Environments: matrices with their cells, and displays whose lines are formulas."""

from __future__ import annotations

import re

from symtrans.notation import commands as table
from symtrans.notation.cursor import Cursor
from symtrans.notation.tokens import Tok

_POSITION = re.compile(r"\s*\[[tbcrl]\]")
_END = re.compile(r"\\end\s*\{([^{}]*)\}")
_BRACE = re.compile(r"\s*\{")


def environment(cursor: Cursor, start: int) -> Tok:
    r"""What stands between `\begin{…}`, just read, and its `\end{…}`."""
    written = (cursor.raw() or "").strip()
    name = written.rstrip("*")
    cursor.skip(_POSITION)
    if name in ("array", "tabular", "alignedat", "alignat"):
        cursor.raw()
    is_layout = name in table.LAYOUTS
    cursor.layouts += is_layout
    inner = cursor.until("end")
    cursor.layouts -= is_layout
    end = cursor.skip(_END)
    if end is None or end[1].strip() != written:
        token = cursor.bad(start, f"\\begin{{{written}}} is not closed")
        token.parts = [inner]
        return token
    if is_layout:
        return Tok("LAYOUT", name, start, cursor.at, [inner])
    if name in table.MATRICES or name in table.DETERMINANTS or name in table.NORMS:
        return Tok("MATRIX", name, start, cursor.at, value=cells(inner))
    return cursor.bad(start, f"the environment {name} is not known")


def matrix_command(cursor: Cursor, name: str, start: int) -> Tok:
    r"""Plain TeX's `\pmatrix{1&2\cr 3&4}`."""
    cursor.skip(_BRACE)
    inner = cursor.until("}")
    if not cursor.source.startswith("}", cursor.at):
        return cursor.bad(start, f"\\{name} is not closed")
    cursor.at += 1
    return Tok("MATRIX", name, start, cursor.at, value=cells(inner))


def cells(tokens: list[Tok]) -> list[list[list[Tok]]]:
    r"""Rows of cells, cut at `&` and `\\`; an empty last row is none."""
    rows: list[list[list[Tok]]] = [[[]]]
    for token in tokens:
        if token.kind == "AMP":
            rows[-1].append([])
        elif token.kind == "ROW":
            rows.append([[]])
        elif token.kind not in ("GAP", "SEP"):
            rows[-1][-1].append(token)
    if rows[-1] == [[]]:
        rows.pop()
    return rows
