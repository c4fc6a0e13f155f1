"""Which tokens may stand side by side in plain text: signs, products without a sign, calls, spaced entries."""

from __future__ import annotations

from itertools import pairwise

from symtrans.document.plain import spelling
from symtrans.document.plain.tokens import Tok

JUXTAPOSED = {"GROUP", "NAME", "ROOT", "PART", "PARTIAL", "BIG", "TEX"}


def operator(sign: Tok) -> tuple[str | None, int, int]:
    """The spelling of an operator's sign."""
    made = {"x": r"\times", "X": r"\times", "∗": "*", "✕": "×", "⨯": "×", "＋": "+"}.get(sign.text)
    return (made, sign.start, sign.end)


def is_cross(items: list[Tok], at: int) -> bool:
    """Whether an `x` is a multiplication sign: between numbers or brackets, spaced alike on both sides."""
    sign = items[at]
    if sign.text not in ("x", "X") or at == 0 or at + 1 >= len(items):
        return False
    left, right = items[at - 1], items[at + 1]
    numeric = left.kind in ("NUM", "PERCENT", "GROUP", "SUP", "PART")
    return numeric and right.kind in ("NUM", "GROUP", "MINUS", "ROOT", "PART") and sign.spaced and right.spaced


def is_unary(items: list[Tok], at: int) -> bool:
    """Whether a minus after a word and a space belongs to what is behind it, or is a dash between two thoughts."""
    sign = items[at]
    worded = at > 0 and (items[at - 1].kind in ("WORD", "STRING") or is_long(items[at - 1]))
    return (
        sign.kind == "MINUS"
        and worded
        and sign.spaced
        and at + 1 < len(items)
        and (sign.text == "–" or not items[at + 1].spaced)
    )


def may_follow(items: list[Tok], at: int) -> bool:
    """Whether a factor may stand beside the one before it without a sign."""
    left, right = items[at - 1], items[at]
    if left.kind in ("WORD", "STRING") or (is_long(left) and right.kind not in ("GROUP", "NAME")):
        return False
    if right.kind == "GROUP":
        if right.text == "{" or right.holds("REL") or not right.items:
            return False
        if right.spaced and right.text in "(（":
            plain = all(item.kind in ("NUM", "PERCENT", "MINUS") for item in right.items)
            worded = any(item.kind in ("WORD", "STRING") or is_long(item) for item in right.items)
            return not worded and not (plain and len(right.items) < 3) and left.kind != "NAME"
        return left.kind != "NAME" or right.text in "(（"
    if right.kind == "NAME":
        if is_call(items, at):
            return not (is_long(left) and right.spaced)
        return not is_long(right) and (left.kind != "NAME" or not is_long(left))
    return True


def is_long(item: Tok) -> bool:
    """Whether a name is a word rather than a letter with a subscript."""
    base = item.text.split("_")[0].rstrip("0123456789")
    pair = len(base) == 2 and (base.isupper() or (base[0] in "WB" and base[1] in "qkvoxhyif"))
    return item.kind == "NAME" and len(base) > 1 and not pair


def is_call(items: list[Tok], at: int) -> bool:
    """Whether a name is a function with its argument in brackets behind it."""
    if at + 1 >= len(items):
        return False
    right = items[at + 1]
    if right.kind == "DOT" and items[at].text in spelling.MODULES:
        return True
    return right.kind == "GROUP" and right.text in "(（" and not right.spaced


def is_index(group: Tok) -> bool:
    """Whether square brackets hold one index."""
    return len(group.items) == 1 and (group.items[0].text.isdigit() or group.items[0].kind == "NAME")


def spaced_numbers(items: list[Tok]) -> bool:
    """Whether entries stand side by side with nothing but space between."""
    if any(item.kind not in ("NUM", "MINUS", "GROUP", "SEMI", "INFTY", "DOTS", "NAME") for item in items):
        return False
    if any(item.kind == "NAME" and item.text not in ("nan", "inf") for item in items):
        return False
    if any(item.kind == "GROUP" and item.text != "[" for item in items):
        return False
    pairs = list(pairwise(items))
    return any(
        right.kind in ("NUM", "GROUP", "MINUS") and left.kind in ("NUM", "GROUP") and right.spaced
        for left, right in pairs
    ) or any(left.kind == "GROUP" and right.kind == "GROUP" for left, right in pairs)
