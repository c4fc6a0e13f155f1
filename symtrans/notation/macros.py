"""Commands that take arguments: fractions, roots, arrows with labels, decorations."""

from __future__ import annotations

import re

from symtrans.notation import commands as table
from symtrans.notation.cursor import Cursor
from symtrans.notation.environments import environment, matrix_command
from symtrans.notation.fonts import accent, font
from symtrans.notation.tokens import Tok

_FRACTIONS = {r"\frac", r"\dfrac", r"\tfrac", r"\cfrac", r"\nicefrac", r"\sfrac"}
_BINOMIALS = {r"\binom", r"\dbinom", r"\tbinom"}
_ARROWS = {r"\xrightarrow", r"\xlongrightarrow", r"\xRightarrow", r"\xmapsto"}
_UNDERSTOOD = {r"\underbrace", r"\overbrace"}
_LABEL = re.compile(r"\s*[_^]")
_TEXT = re.compile(r"\\(?:text|mathrm|operatorname|textbf|mathbf)\s*\{([^{}]*)\}")
_TWO_VALUES = {r"\pm", r"\mp"}


def macro(cursor: Cursor, name: str, start: int) -> Tok | None:
    """What a command with its arguments is; None for what is only drawn, BAD for a command that is not known."""
    token = _macro(cursor, name, start)
    if cursor.unclosed:
        cursor.unclosed = False
        return cursor.bad(start, f"the brace behind {name} is not closed")
    return token


def _macro(cursor: Cursor, name: str, start: int) -> Tok | None:
    if name in table.FONTS:
        return font(cursor, name, start)
    if name in _FRACTIONS:
        above = cursor.argument()
        below = cursor.argument()
        return Tok("FRAC", "", start, cursor.at, [above, below])
    if name in _BINOMIALS:
        parts = [cursor.argument(), cursor.argument()]
        return Tok("FRAC", "binom", start, cursor.at, parts)
    if name == r"\sqrt":
        degree = cursor.optional()
        body = cursor.argument()
        return Tok("SQRT", "", start, cursor.at, [body] if degree is None else [body, degree])
    if name == r"\begin":
        return environment(cursor, start)
    if name in table.ACCENTS:
        return accent(cursor, name, start)
    if name in table.IGNORED:
        cursor.raw()
        return None
    if name in table.TRANSPARENT or name in _UNDERSTOOD:
        inner = cursor.argument()
        if name in _UNDERSTOOD and cursor.skip(_LABEL):
            cursor.argument()
        return shown(inner, start, cursor.at)
    if name in table.DECORATED:
        for _ in range(table.DECORATED[name]):
            if cursor.raw() is None:
                cursor.argument()
        return shown(cursor.argument(), start, cursor.at)
    if name in _ARROWS:
        cursor.optional()
        label = _TEXT.sub(r"\1", cursor.raw() or "").strip()
        return Tok("REL", "→", start, cursor.at, value=label)
    if name[1:] in table.MATRICES | table.DETERMINANTS | table.NORMS:
        return matrix_command(cursor, name[1:], start)
    if name in _TWO_VALUES:
        return cursor.bad(start, f"{name} stands for two values")
    return cursor.bad(start, f"the command {name} is not known")


def shown(inner: list[Tok], start: int, end: int) -> Tok | None:
    """What braces show: a sign alone is that sign, scripts alone belong to what stands before, nothing is nothing."""
    if not inner:
        return None
    only = inner[0]
    if len(inner) == 1 and only.kind in ("REL", "OP", "PLUS", "MINUS", "COMMA", "SEMI", "COLON", "DOTS"):
        return Tok(only.kind, only.text, start, end, value=only.value)
    if all(token.kind in ("SUB", "SUP", "PRIME") for token in inner):
        return Tok("SCRIPTS", "", start, end, [inner])
    return Tok("BRACE", "", start, end, [inner])
