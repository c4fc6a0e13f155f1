"""What stands round spelled parts: a function's name, its brackets, an index."""

from __future__ import annotations

from symtrans.document.plain import spelling
from symtrans.document.plain.spelling import Spelled
from symtrans.document.plain.tokens import Tok


def indexed(item: Tok, index: Tok) -> Spelled:
    """A name with an index in square brackets: `scores[0]` is `\\text{scores}_{0}`."""
    spelled = spelling.name(item.text, item.start)
    inner = index.items[0]
    return [
        *spelled, ("_{", index.start, inner.start), (None, inner.start, inner.end), ("}", inner.end, index.end)
    ]  # fmt: skip


def function(item: Tok) -> Spelled:
    """A function's name."""
    text = item.text
    if text in ("log2", "log10"):
        middle = item.start + 3
        return [(r"\log_{", item.start, middle), (None, middle, item.end), ("}", item.end, item.end)]
    if len(text) == 1 or (len(text) > 1 and text[0].isalpha() and text[1:].isdigit()):
        return spelling.name(text, item.start)
    return [(r"\text{", item.start, item.start), *spelling.literal(text, item.start), ("}", item.end, item.end)]


def closed(spelled: Spelled, items: list[Tok]) -> Spelled:
    """An operand of a product, in brackets where it is a sum."""
    start, end = spelled[0][1], spelled[-1][2]
    if any(item.kind in ("PLUS", "MINUS") and start <= item.start < end for item in items):
        return [("(", start, start), *spelled, (")", end, end)]
    return spelled


def bracketed(group: Tok, parts: list[Spelled]) -> Spelled:
    """The arguments of a call in its brackets."""
    opening, closing = ("(", ")") if group.text in "({（" else ("[", "]")
    spelled: Spelled = [(None if group.text == opening else opening, group.start, group.start + 1)]
    spelled.append((None, group.start + 1, parts[0][0][1]))
    for number, part in enumerate(parts):
        if number:
            whole = len(parts) == 1 + sum(item.kind == "COMMA" for item in group.items)
            spelled.append((None if whole else ", ", parts[number - 1][-1][2], part[0][1]))
        spelled += part
    spelled.append((None if group.text == opening else closing, group.end - 1, group.end))
    return spelled
