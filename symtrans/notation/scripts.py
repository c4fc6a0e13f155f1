"""Subscripts and superscripts: of a name, a transpose, a power or a slice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symtrans.notation.name import DerivativeName, Font, Name, Script
from symtrans.notation.tokens import Tok
from symtrans.notation.tree import Apply, Constant, Group, Node, Number, Power, Slice, Span, Sum, Symbol, Term, Transpose
from symtrans.notation.trouble import Unreadable

Parse = Callable[[list[Tok]], Any]


def with_subscript(base: Node, token: Tok, span: Span, parse: Parse) -> Node:
    """The base with a subscript: part of a name, or a slice."""
    content = _unwrapped(token.parts[0])
    if any(t.kind == "COLON" for t in content):
        return _slice(base, content, span, parse)
    if isinstance(base, Symbol) and isinstance(base.name, Name):
        added = scripts(content)
        name = replace(base.name, subscript=_merged(base.name.subscript, added))
        return Symbol(name, span=span)
    if (
        isinstance(base, Group)
        and isinstance(base.body, Symbol)
        and isinstance(base.body.name, Name)
        and base.bracket == "{"
    ):
        return with_subscript(base.body, token, span, parse)
    if isinstance(base, Group) and base.bracket == "‖":
        return replace(base, span=span)  # a norm's order: the 2-norm is what is meant here
    word = "".join(t.text for t in content)
    if isinstance(base, Apply) and word.startswith("row") and word[3:].isdigit():
        row = Number(str(int(word[3:]) + 1))  # programs count from 0
        return Slice(base, (row, row), None, span=span)
    raise Unreadable(token.start, token.end, "a subscript on something that is not a name")


def with_superscript(base: Node, token: Tok, span: Span, parse: Parse) -> Node:
    """The base with a superscript: a transpose, part of a name, or a power."""
    content = _unwrapped(token.parts[0])
    if is_transpose(content):
        return Transpose(base, span=span)
    if content and all(t.kind == "PRIME" for t in content) and isinstance(base, Symbol) and isinstance(base.name, Name):
        return Symbol(replace(base.name, primes=base.name.primes + len(content)), span=span)
    if isinstance(base, Symbol) and isinstance(base.name, DerivativeName) and _is_mark(content):
        return Symbol(replace(base.name, superscript=scripts(content)), span=span)
    if isinstance(base, Symbol) and isinstance(base.name, Name):
        if _belongs_to_name(base.name, content):
            name = replace(base.name, superscript=_merged(base.name.superscript, scripts(content)))
            return Symbol(name, span=span)
        if base.name == Name("e"):
            base = Constant("e", span=base.span)
    if not content:
        raise Unreadable(token.start, token.end, "an empty superscript")
    if len(content) == 1 and content[0].kind in ("OP", "PLUS", "MINUS"):
        raise Unreadable(token.start, token.end, "a superscript that is an operator")
    return Power(base, parse(content), span=span)


def is_transpose(content: list[Tok]) -> bool:
    r"""Whether a superscript is a transpose: `T`, `\top`, `\intercal`, in whatever upright font."""
    if len(content) != 1:
        return False
    token = content[0]
    return token.kind == "NAME" and token.value.nucleus == "T" and not token.value.subscript and not token.value.accent


def scripts(content: list[Tok]) -> tuple[Script, ...]:
    """A script's tokens as pieces of text, neighbours of one font joined."""
    pieces: list[Script] = []
    for text, font in _pieces(content):
        if pieces and pieces[-1].font == font:
            pieces[-1] = Script(pieces[-1].text + text, font)
        else:
            pieces.append(Script(text, font))
    return tuple(pieces)


def _pieces(content: list[Tok]) -> list[tuple[str, Font]]:
    found: list[tuple[str, Font]] = []
    last: Font = "italic"
    for token in content:
        match token.kind:
            case "NAME":
                value: Name = token.value
                text = value.nucleus
                last = value.font
                found.append((text, value.font))
            case "NUM":
                found.append((token.text, last if last in ("bold", "text", "roman") and found else "italic"))
            case "BRACE":
                found.extend(_pieces(token.parts[0]))
            case "GROUP":
                found.append(("(", "italic"))
                found.extend(_pieces(token.parts[0]))
                found.append((")", "italic"))
            case "COMMA":
                found.append((",", "italic"))
            case "PLUS" | "MINUS":
                found.append(("+" if token.kind == "PLUS" else "-", "italic"))
            case "OP":
                found.append(({"times": "×", "cdot": "·", "slash": "/"}.get(token.text, "*"), "italic"))
            case "SUB":
                found.append(("_", "italic"))
                found.extend(_pieces(token.parts[0]))
            case "SUP":
                found.append(("^", "italic"))
                found.extend(_pieces(token.parts[0]))
            case "PRIME":
                found.append(("'", "italic"))
            case "FUNC":
                found.append((token.text, "text"))
            case "REL":
                found.append((token.text, "italic"))
            case "COLON":
                found.append((":", "italic"))
            case "DOTS":
                found.append(("…", "italic"))
            case "INFTY":
                found.append(("∞", "italic"))
            case _:
                raise Unreadable(token.start, token.end, str(token.value or "this cannot stand in a script"))
    return found


def _merged(first: tuple[Script, ...], second: tuple[Script, ...]) -> tuple[Script, ...]:
    """Scripts one after the other; equal fonts run together."""
    if first and second and first[-1].font == second[0].font:
        return (*first[:-1], Script(first[-1].text + second[0].text, second[0].font), *second[1:])
    return first + second


def _unwrapped(content: list[Tok]) -> list[Tok]:
    while len(content) == 1 and content[0].kind == "BRACE":
        content = content[0].parts[0]
    return content


def _is_mark(content: list[Tok]) -> bool:
    return bool(content) and all(t.kind in ("NAME", "GROUP") for t in content)


def _belongs_to_name(name: Name, content: list[Tok]) -> bool:
    """Whether a superscript is an index or label: `(1)`, `*`, a word, or a letter on a matrix's name."""
    if len(content) != 1:
        return (bool(content) and content[0].kind == "NAME" and content[0].value.font in ("text", "roman")) or (
            len(content) == 3 and content[1].kind == "COMMA"
        )
    token = content[0]
    if token.kind == "GROUP" and token.text in ("(", "["):
        inner = token.parts[0]
        return all(t.kind in ("NUM", "NAME", "COMMA") for t in inner)
    if token.kind == "OP":
        return True
    if token.kind in ("PLUS", "MINUS"):
        return True
    if token.kind != "NAME":
        return False
    value: Name = token.value
    if value.font in ("text", "roman", "bold", "sans"):
        return True
    matrix = name.nucleus[:1].isupper() or name.font != "italic" or bool(name.subscript)
    return matrix and not value.is_command


def _slice(base: Node, content: list[Tok], span: Span, parse: Parse) -> Node:
    sides: list[list[Tok]] = [[]]
    for token in content:
        if token.kind == "COMMA":
            sides.append([])
        else:
            sides[-1].append(token)
    if len(sides) > 2:
        raise Unreadable(content[0].start, content[-1].end, "a slice has rows and columns")
    ranges = [_range(side, parse) for side in sides]
    if len(ranges) == 1:
        ranges.append(None)
    return Slice(base, ranges[0], ranges[1], span=span)


def _range(side: list[Tok], parse: Parse) -> tuple[Node, Node] | None:
    colons = [i for i, token in enumerate(side) if token.kind == "COLON"]
    if not colons:
        only = parse(side)
        return only, only
    if len(side) == 1:
        return None
    first, last = side[: colons[0]], side[colons[0] + 1 :]
    if not first or not last:
        raise Unreadable(side[0].start, side[-1].end, "a range needs its first and its last place")
    return parse(first), parse(last)


def negative_one() -> Node:
    """The exponent of an inverse."""
    return Sum((Term(-1, Number("1")),))
