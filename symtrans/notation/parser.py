"""The Lark LALR parser of one side, driven by tokens that are already scanned."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import lark
from lark.lexer import Lexer, Token

from symtrans.notation.arrange import arranged
from symtrans.notation.builder import Builder
from symtrans.notation.tokens import Tok
from symtrans.notation.tree import Node
from symtrans.notation.trouble import Unreadable

# Tokens that have no place inside one side, and what to say of them.
_NOT_HERE = {
    "REL": "a relation inside brackets",
    "COMMA": "a comma that separates nothing",
    "SEMI": "a semicolon that separates nothing",
    "COLON": "a colon inside an expression",
    "MID": "a condition that is not that of a name",
    "AMP": "an & outside a matrix",
    "ROW": r"a \\ outside a matrix",
    "SEP": "a gap inside an expression",
    "PARTIAL": "a partial derivative that is not that of a name by a name",
    "NABLA": "a gradient that does not say by what",
    "LAYOUT": "a display environment inside an expression",
}


class Scanned(Lexer):
    """Hands tokens that are already scanned to Lark."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        """Each token as Lark wants it: its kind, and itself as the value."""
        for token in data:
            yield Token(token.kind, token)


def grammar() -> str:
    """The grammar's text."""
    return (resources.files("symtrans.notation") / "grammar.lark").read_text(encoding="utf-8")


@cache
def _parser() -> lark.Lark:
    return lark.Lark(grammar(), parser="lalr", lexer=Scanned)


def parse(tokens: list[Tok]) -> Node:
    """The tree of one side. Raises Unreadable with the place and the reason."""
    if not tokens:
        raise Unreadable(0, 0, "there is nothing here")
    tokens = arranged(tokens)
    for token in tokens:
        if token.kind == "BAD":
            raise Unreadable(token.start, token.end, token.value)
        if token.kind in _NOT_HERE:
            raise Unreadable(token.start, token.end, _NOT_HERE[token.kind])
    if not tokens:
        raise Unreadable(0, 0, "there is nothing here")
    if len(tokens) == 1 and tokens[0].kind in ("NUM", "NAME"):
        return _builder.leaf(tokens[0])  # most cells and scripts, without the parser
    try:
        tree = _parser().parse(tokens)
    except lark.exceptions.UnexpectedInput as fault:
        raise _unexpected(fault, tokens) from None
    return _builder.build(tree)


def _unexpected(fault: lark.exceptions.UnexpectedInput, tokens: list[Tok]) -> Unreadable:
    """The token that the parser stumbled over, and what to say."""
    token = getattr(fault, "token", None)
    found = getattr(token, "value", None)
    if isinstance(found, Tok) and getattr(token, "type", "") != "$END":
        return Unreadable(found.start, found.end, "this has no place here")
    return Unreadable(tokens[-1].start, tokens[-1].end, "something is missing behind this")


_builder = Builder(parse)
