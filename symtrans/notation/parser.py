"""The Lark LALR parser of one side, driven by tokens that are already scanned."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import lark
from lark.lexer import Lexer, Token

from symtrans.notation.builder import Builder
from symtrans.notation.tokens import Tok
from symtrans.notation.trouble import Unreadable

# Tokens that have no place inside one side, and what to say of them.
_NOT_HERE = {
    "REL": "a relation inside brackets",
    "COMMA": "a comma that separates nothing",
    "SEMI": "a semicolon that separates nothing",
    "COLON": "a colon inside an expression",
    "AMP": "an & outside a matrix",
    "ROW": r"a \\ outside a matrix",
    "SEP": "a gap inside an expression",
    "PARTIAL": "a partial derivative that is not written as a fraction",
    "LAYOUT": "a display environment inside an expression",
}


class _Scanned(Lexer):
    """Hands tokens that are already scanned to Lark."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        for token in data:
            yield Token(token.kind, token)


def grammar() -> str:
    """The grammar's text."""
    return (resources.files("symtrans.notation") / "grammar.lark").read_text(encoding="utf-8")


@cache
def _parser() -> lark.Lark:
    return lark.Lark(grammar(), parser="lalr", lexer=_Scanned, transformer=Builder(parse))


def parse(tokens: list[Tok]) -> Any:
    """The tree of one side. Raises Unreadable with the place and the reason."""
    tokens = _scripts_freed(tokens)
    for token in tokens:
        if token.kind == "BAD":
            raise Unreadable(token.start, token.end, token.value)
        if token.kind in _NOT_HERE:
            raise Unreadable(token.start, token.end, _NOT_HERE[token.kind])
    if not tokens:
        raise Unreadable(0, 0, "there is nothing here")
    try:
        return _parser().parse(tokens)
    except lark.exceptions.VisitError as fault:
        if isinstance(fault.orig_exc, Unreadable):
            raise fault.orig_exc from None
        raise
    except lark.exceptions.UnexpectedInput as fault:
        found, where = _place(fault, tokens)
        raise Unreadable(found.start, found.end, where) from None


def _place(fault: lark.exceptions.UnexpectedInput, tokens: list[Tok]) -> tuple[Tok, str]:
    """The token that the parser stumbled over, and what to say."""
    token = getattr(fault, "token", None)
    value = getattr(token, "value", None)
    if isinstance(value, Tok) and getattr(token, "type", "") != "$END":
        return value, "this has no place here"
    return tokens[-1], "the formula ends too early"


def _scripts_freed(tokens: list[Tok]) -> list[Tok]:
    r"""The tokens with the braces round nothing but scripts opened: `\delta{_2}` is `\delta_2`."""
    if not any(token.kind == "BRACE" for token in tokens):
        return tokens
    freed: list[Tok] = []
    for place, token in enumerate(tokens):
        inner = token.parts[0] if token.kind == "BRACE" and place else []
        freed.extend(inner if inner and all(t.kind in ("SUB", "SUP", "PRIME") for t in inner) else [token])
    return freed
