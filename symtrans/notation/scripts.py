"""Subscripts and superscripts: parts of a name, a transpose, a power, a slice."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from symtrans.notation.name import DerivativeName, Font, Name, Script
from symtrans.notation.tokens import Tok, cut, unwrapped
from symtrans.notation.tree import (
    Apply,
    Constant,
    Fraction,
    Group,
    Matrix,
    Node,
    Number,
    Power,
    Slice,
    Span,
    Symbol,
    Transpose,
)
from symtrans.notation.trouble import Unreadable

Parse = Callable[[list[Tok]], Node]
MAX_SCRIPTS = 6

_EULER = (Name("e"), Name("e", "roman"))
_IN_SCRIPT = {"times": r"\times", "cdot": r"\cdot", "odot": r"\odot", "slash": "/", "at": "@", "otimes": r"\otimes"}
_RELATIONS = {"≤": r"\le", "≥": r"\ge", "≠": r"\ne", "→": r"\to", "≈": r"\approx", "∈": r"\in", "∝": r"\propto"}
_SIGNS = {
    "PLUS": "+",
    "MINUS": "-",
    "COMMA": ",",
    "SEMI": ";",
    "COLON": ":",
    "PRIME": "'",
    "DOTS": r"\ldots",
    "MID": "|",
}
_LABELS = ("text", "roman", "bold", "sans", "typewriter", "calligraphic")


def with_scripts(base: Node, found: list[Tok], parse: Parse) -> Node:
    r"""The base with its scripts, whose order does not matter: `K_1^T` and `K^T_1` are the same."""
    if len(found) > MAX_SCRIPTS:
        raise Unreadable(found[0].start, found[-1].end, f"more than {MAX_SCRIPTS} scripts on one thing")
    assert base.span is not None
    start = base.span.start
    order = {"SUB": 0, "PRIME": 1, "SUP": 2, "PERCENT": 3, "FACT": 3}
    end = base.span.end
    for script in sorted(found, key=lambda script: order[script.kind]):
        end = max(end, script.end)
        base = _with_script(base, script, Span(start, end), parse)
    return base


def _with_script(base: Node, script: Tok, span: Span, parse: Parse) -> Node:
    match script.kind:
        case "SUB":
            return _with_subscript(base, script, span, parse)
        case "SUP":
            return _with_superscript(base, script, span, parse)
        case "PERCENT":
            return Fraction(base, Number("100"), span=span)  # the 100 stands nowhere: so is a percent sign known
        case "FACT":
            return Apply("factorial", (base,), span=span)
        case _:
            return _with_primes(base, 1, script, span)


def _with_primes(base: Node, count: int, script: Tok, span: Span) -> Node:
    if isinstance(base, Symbol) and isinstance(base.name, Name):
        return Symbol(replace(base.name, primes=base.name.primes + count), span=span)
    raise Unreadable(script.start, script.end, "a prime on something that is not a name")


def _with_subscript(base: Node, script: Tok, span: Span, parse: Parse) -> Node:
    """Part of a name, a slice, or the order of a norm."""
    content = unwrapped(script.parts[0])
    if any(token.kind == "COLON" for token in content):
        return _slice(base, content, span, parse)
    if isinstance(base, Constant) and base.which == "pi":
        base = Symbol(Name("pi", is_command=True), span=base.span)
    if isinstance(base, Symbol) and isinstance(base.name, Name):
        return Symbol(replace(base.name, subscript=_merged(base.name.subscript, pieces(content))), span=span)
    if isinstance(base, Apply):
        row = re.fullmatch(r"row([0-9]{1,4})", "".join(token.text for token in content))
        if row:  # programs count from 0
            place = Number(str(int(row[1]) + 1))
            return Slice(base, (place, place), None, span=span)
    if isinstance(base, Group) and base.bracket == "‖":
        return Apply("norm", (base.body,), parse(content), span=span)
    if isinstance(base, Matrix) and _is_size_of(base, content):
        return replace(base, span=span)
    raise Unreadable(script.start, script.end, "a subscript on something that is not a name")


def _is_size_of(base: Matrix, content: list[Tok]) -> bool:
    r"""Whether a matrix's subscript only tells its size: `_{2\times 3}`, `_{(2,3)}`."""
    if len(content) == 1 and content[0].kind == "GROUP":
        content = content[0].parts[0]
    sizes = [token.text for token in content if token.kind == "NUM"]
    between = all(token.kind in ("OP", "COMMA") for token in content[1::2])
    return len(content) == 3 and between and sizes == [str(len(base.rows)), str(len(base.rows[0]))]


def _with_superscript(base: Node, script: Tok, span: Span, parse: Parse) -> Node:
    """A transpose, part of a name, or a power."""
    content = unwrapped(script.parts[0])
    if len(content) == 1 and content[0].kind == "SUP":
        content = unwrapped(content[0].parts[0])  # ^{⊤}: the sign is a superscript already
    if not content:
        raise Unreadable(script.start, script.end, "an empty superscript")
    if _is_transpose(content):
        return Transpose(base, span=span)
    if len(content) == 2 and content[0].kind == "MINUS" and _is_transpose(content[1:]):
        inverse = parse([content[0], Tok("NUM", "1", content[1].start, content[1].end)])
        return Transpose(Power(base, inverse, span=span), span=span)
    label, transposed = _label_and_transpose(content)
    if base == Constant("pi") and content[0].kind == "GROUP" and is_condition(content[0]):
        base = Symbol(Name("pi", is_command=True), span=base.span)
    if all(token.kind == "PRIME" for token in content):
        return _with_primes(base, len(content), script, span)
    if isinstance(base, Symbol) and isinstance(base.name, DerivativeName):
        if all(token.kind in ("NAME", "GROUP") for token in content):
            return Symbol(replace(base.name, superscript=pieces(content)), span=span)
    elif isinstance(base, Symbol) and isinstance(base.name, Name):
        if _belongs_to_name(base.name, label):
            name = replace(base.name, superscript=_merged(base.name.superscript, pieces(label)))
            return Transpose(Symbol(name, span=span), span=span) if transposed else Symbol(name, span=span)
        if base.name in _EULER:
            base = Constant("e", span=base.span)
    if len(content) == 1 and content[0].kind in ("OP", "PLUS", "MINUS"):
        raise Unreadable(script.start, script.end, "a superscript that is an operator")
    return Power(base, parse(content), span=span)


def _is_transpose(content: list[Tok]) -> bool:
    r"""Whether a superscript is a transpose: `T`, `\top`, `\intercal`, in whatever font."""
    content = unwrapped(content)
    if len(content) != 1 or content[0].kind != "NAME":
        return False
    name: Name = content[0].value
    return name.nucleus == "T" and not (name.subscript or name.superscript or name.accent)


def _label_and_transpose(content: list[Tok]) -> tuple[list[Tok], bool]:
    """`(1)T` and `(1)^T` as the label and whether it is transposed."""
    if len(content) < 2:
        return content, False
    last = content[-1]
    if last.kind == "SUP" and _is_transpose(last.parts[0]):
        return content[:-1], True
    if content[-2].kind == "GROUP" and _is_transpose([last]):
        return content[:-1], True
    return content, False


def _belongs_to_name(name: Name, content: list[Tok]) -> bool:
    """Whether a superscript is an index or label: `(1)`, `[l]`, `*`, a word, or a letter on a matrix's name."""
    first = content[0]
    if all(token.kind == "GROUP" and token.text in ("(", "[") for token in content):
        return all(_is_index(token.kind) for t in content for token in t.parts[0]) or is_condition(first)
    if len(content) > 1:
        if first.kind == "NAME" and first.value.font in ("text", "roman"):
            return True
        return content[1].kind == "COMMA" and len(content) % 2 == 1
    if first.kind in ("OP", "PLUS", "MINUS"):
        return True
    if first.kind != "NAME":
        return False
    value: Name = first.value
    if value.font in _LABELS or (len(value.nucleus) > 1 and not value.is_command):
        return True
    matrix = name.nucleus[:1].isupper() or name.font != "italic" or bool(name.subscript)
    return matrix and (not value.is_command or value.nucleus == "ell") and name not in _EULER


def _is_index(kind: str) -> bool:
    return kind in ("NUM", "NAME", "COMMA", "PLUS", "MINUS")


def is_condition(token: Tok) -> bool:
    """Whether brackets hold a condition or a setting, which only a name's arguments do: `(A|B)`, `(x=2)`."""
    inside = token.parts[0]
    marks = [place for place, part in enumerate(inside) if part.kind in ("MID", "REL")]
    return bool(marks) and marks[0] > 0 and marks[-1] < len(inside) - 1


def pieces(content: list[Tok]) -> tuple[Script, ...]:
    r"""A script's tokens as pieces of text, neighbours of one font joined; `\theta` keeps its backslash."""
    found: list[Script] = []
    for text, font in _pieces(content):
        if found and found[-1].font == font:
            before = found[-1].text
            gap = " " if font == "italic" and text[:1].isalpha() and _ends_in_command(before) else ""
            found[-1] = Script(before + gap + text, font)
        else:
            found.append(Script(text, font))
    return tuple(found)


def _ends_in_command(text: str) -> bool:
    _, slash, word = text.rpartition("\\")
    return bool(slash) and word.isalpha()


def _pieces(content: list[Tok]) -> list[tuple[str, Font]]:
    found: list[tuple[str, Font]] = []
    for place, token in enumerate(content):
        match token.kind:
            case "NAME":
                name: Name = token.value
                text = "\\" + name.nucleus if name.is_command else name.nucleus
                if name.accent:
                    text = f"\\{name.accent}{{{text}}}"
                found.append((text, name.font))
                found.extend((piece.text, name.font) for piece in name.subscript)  # Q1: digits right behind
            case "NUM":
                previous = content[place - 1].value if place and content[place - 1].kind == "NAME" else None
                beside = previous is not None and previous.font in ("bold", "text", "roman")
                found.append((token.text, previous.font if beside and previous is not None else "italic"))
            case "BRACE":
                found.extend(_pieces(token.parts[0]))
            case "GROUP":
                brackets = {"(": "()", "[": "[]", "|": "||"}.get(token.text)
                if brackets is None:
                    raise Unreadable(token.start, token.end, "these brackets cannot stand in a script")
                found += [(brackets[0], "italic"), *_pieces(token.parts[0]), (brackets[1], "italic")]
            case "OP":
                found.append((str(token.value or _IN_SCRIPT[token.text]), "italic"))
            case "SUB" | "SUP":
                inner = _pieces(token.parts[0])
                mark = "_" if token.kind == "SUB" else "^"
                long = len(inner) > 1 or len(inner[0][0]) > 1 or inner[0][1] != "italic"
                if not long:
                    found.append((mark + inner[0][0], "italic"))
                elif all(font == "italic" for _, font in inner):
                    found.append((mark + "{" + "".join(text for text, _ in inner) + "}", "italic"))
                else:
                    found.extend(inner)
            case "FUNC":
                found.append((token.text, "text"))
            case "REL":
                found.append((_RELATIONS.get(token.text, token.text), "italic"))
            case "INFTY":
                found.append((r"\infty", "italic"))
            case "GAP":
                continue
            case kind if kind in _SIGNS:
                found.append((_SIGNS[kind], "italic"))
            case _:
                raise Unreadable(token.start, token.end, str(token.value or "this cannot stand in a script"))
    return found


def _merged(first: tuple[Script, ...], second: tuple[Script, ...]) -> tuple[Script, ...]:
    """Scripts one after the other; equal fonts run together."""
    if first and second and first[-1].font == second[0].font:
        return (*first[:-1], Script(first[-1].text + second[0].text, second[0].font), *second[1:])
    return first + second


def _slice(base: Node, content: list[Tok], span: Span, parse: Parse) -> Node:
    if isinstance(base, Group) and base.bracket == "(":
        base = base.body  # the brackets are there for the subscript
    sides = cut(content, "COMMA")
    if len(sides) > 2 or not all(sides):
        raise Unreadable(content[0].start, content[-1].end, "a slice has rows and columns")
    ranges = [_range(side, parse) for side in sides]
    return Slice(base, ranges[0], ranges[1] if len(ranges) > 1 else None, span=span)


def _range(side: list[Tok], parse: Parse) -> tuple[Node, Node] | None:
    if len(side) == 1 and side[0].kind == "COLON":
        return None
    ends = cut(side, "COLON")
    if len(ends) > 2 or not all(ends) or side[-1].kind == "COLON":
        raise Unreadable(side[0].start, side[-1].end, "a range needs its first and its last place")
    first = parse(ends[0])
    return first, parse(ends[1]) if len(ends) > 1 else first
