"""Relations in plain text with mathematics on both sides: which tokens are formulas, and which only look so."""

from __future__ import annotations

from dataclasses import dataclass

from symtrans.document.plain import spelling
from symtrans.document.plain.phrase import expression
from symtrans.document.plain.spelling import Spelled
from symtrans.document.plain.tokens import Tok

_BREAKS = {"REL", "COLON", "OTHER", "COMMA", "SEMI"}
_GLUED = {"DOT", "OTHER", "NUM", "UNDER", "PRIME", "NAME"}
_OPENS = set("([{（\"'“‘*|>—。！？")
_SIDE_WINDOW = 80


@dataclass(slots=True)
class Found:
    """A chain of relations: the tokens `items[first:after]`, its spelling, and what kind of sides it has.

    `counts`: it is mathematics, and not two words with a sign between.
    """

    first: int
    after: int
    spelled: Spelled
    items: list[Tok]
    links: int
    bare_name: bool
    bare_value: bool
    compares: bool
    counts: bool
    label: str = ""


def chains(items: list[Tok], text: str, titled: bool) -> list[Found]:
    """The chains of a line in order. `titled`: several words may be one name, as in a table or a listing."""
    found: list[Found] = []
    floor, at, blocked = 0, 0, -1
    while at < len(items):
        if items[at].kind != "REL":
            at += 1
            continue
        chain = _chain(items, floor, at, text, titled, listed=len(found) > 0)
        if chain is None:
            at += 1
            floor = at
            continue
        at = floor = chain.after
        if not chain.counts:
            blocked = chain.after
            continue
        if chain.first == blocked:  # the end of what could not be read whole
            continue
        chain.label = _label(items, chain.first, text) or (
            found[-1].label if found and _only_commas(items, found[-1].after, chain.first) else ""
        )
        found.append(chain)
    return _with_inner(items, found, text, titled)


def _with_inner(items: list[Tok], found: list[Found], text: str, titled: bool) -> list[Found]:
    """Add the chains that stand inside brackets which no chain has taken."""
    taken = {n for chain in found for n in range(chain.first, chain.after)}
    for number, item in enumerate(items):
        called = number > 0 and items[number - 1].kind == "NAME" and item.text == "(" and not item.spaced
        if item.kind == "GROUP" and number not in taken and not called and item.holds("REL"):
            found.extend(chains(item.items, text, titled))
    return sorted(found, key=lambda chain: chain.items[chain.first].start)


def _chain(items: list[Tok], floor: int, at: int, text: str, titled: bool, listed: bool) -> Found | None:
    """The chain whose first relation is `items[at]`; `listed`: other chains stand before it on its line."""
    first = _left(items, floor, at)
    arrow = items[at].text in spelling.ARROWS
    if first is None and at != 0 and not (arrow and listed and floor == at):
        return None
    first = at if first is None else first
    begun = expression(items, first) if first < at else (at, [])
    assert begun is not None
    spelled, after, links = list(begun[1]), at, 0
    selected = _selected(items, floor, at) if arrow else None
    if selected is not None:
        first, spelled = selected
    sides = [items[first:at]] if first < at else []
    if len(sides) == 1 and len(sides[0]) == 1 and sides[0][0].kind == "NAME":
        first, spelled = _whole_name(items, floor, first, spelled, titled)
    while after < len(items) and items[after].kind == "REL":
        side = expression(items, after + 1)
        if side is None or (listed and links and items[after].text in spelling.ARROWS):
            break
        sign = items[after]
        made = spelling.RELATIONS[sign.text]
        if sign.start > 0 and after > first:
            spelled.append((None, items[after - 1].end, sign.start))
        made = made if made == sign.text or items[after + 1].spaced else made + " "
        spelled += [(None if made == sign.text else made, sign.start, sign.end)]
        spelled += [(None, sign.end, items[after + 1].start), *side[1]]
        sides.append(items[after + 1 : side[0]])
        after, links = side[0], links + 1
    if not links:
        return None
    counts = _is_mathematics(sides, items[at], first < at) and not _is_a_saying(items, first, sides)
    name = first < at and all(item.kind in ("NAME", "WORD", "STRING", "TEX") for item in sides[0])
    value = all(_is_value(item) for item in _literal(sides[-1]))
    return Found(
        first, after, spelled, items, links, name and len(sides[0]) == 1, value, items[at].text == "==", counts
    )


def _selected(items: list[Tok], floor: int, at: int) -> tuple[int, Spelled] | None:
    """`f(x), row 1 -> …`: an expression and, behind a comma, which part of it is meant; the part as a subscript."""
    if at - floor < 4 or [each.kind for each in items[at - 3 : at]] != ["COMMA", "NAME", "NUM"]:
        return None
    comma, word, number = items[at - 3 : at]
    for start in range(floor, at - 3):
        found = expression(items, start)
        if found is not None and found[0] == at - 3 and items[at - 4].kind == "GROUP":
            part: Spelled = [
                ("_{", comma.start, comma.end),
                (None, word.start, number.end),
                ("}", number.end, number.end),
            ]
            return start, found[1] + part
    return None


def _left(items: list[Tok], floor: int, at: int) -> int | None:
    """Where the longest expression begins that ends just before `items[at]`."""
    low = at
    while low > max(floor, at - _SIDE_WINDOW) and items[low - 1].kind not in _BREAKS:
        low -= 1
    for start in range(low, at):
        before = items[start - 1] if start else None
        if before is not None and before.kind == "COLON" and not items[start].spaced and items[start].kind == "NUM":
            continue  # 17:30
        if before is not None and not items[start].spaced and before.kind in _GLUED and before.text not in _OPENS:
            continue
        found = expression(items, start)
        if found is not None and found[0] == at and not _is_cut(items, start, at):
            return start
    return None


def _is_cut(items: list[Tok], start: int, at: int) -> bool:
    """Whether `items[start:at]` is only the end of something: `3 apples + 2`, `d/dx x²`."""
    before = items[start - 1] if start else None
    if before is None:
        return False
    if before.kind in ("OP", "PLUS", "MINUS", "POWER", "ROOT", "UNDER"):
        return before.text != "–" or not items[start].spaced
    if at - start < 2:
        return False
    if items[start].kind in ("PLUS", "MINUS") and items[start + 1].spaced and before.kind in ("NAME", "NUM", "GROUP"):
        return True
    above = items[start - 2].kind if start > 1 else ""
    return before.kind in ("NUM", "PERCENT") or (before.kind == "NAME" and above in ("OP", "PLUS", "POWER", "ROOT"))


def _whole_name(
    items: list[Tok], floor: int, first: int, spelled: Spelled, titled: bool
) -> tuple[int, Spelled]:  # fmt: skip
    """A name of several words: all words of a listing's left side, or words with capitals in prose."""
    start = first
    while start > floor and items[start - 1].kind == "NAME" and items[start].spaced and first - start < 4:
        start -= 1
    begins = start == 0 or items[start - 1].kind in ("COLON", "COMMA", "SEMI")
    words = items[start : first + 1]
    if start == first or not begins or not (titled or all(word.text[0].isupper() for word in words)):
        return first, spelled
    if any(len(word.text) == 1 for word in words):
        return first, spelled
    whole: Spelled = [(r"\text{", words[0].start, words[0].start)]
    for number, word in enumerate(words):
        whole += [(None, words[number - 1].end, word.start)] if number else []
        whole += spelling.literal(word.text, word.start)
    return start, [*whole, ("}", words[-1].end, words[-1].end)]


def _is_mathematics(sides: list[list[Tok]], relation: Tok, has_left: bool) -> bool:
    """Whether numbers are compared, or names with an operation between them."""
    if not all(sides):
        return False
    numeric = [any(_has_number(item) for item in side) for side in sides]
    if relation.text in spelling.ARROWS:
        left = sides[0] if has_left else []
        worked = any(item.kind in ("GROUP", "OP", "PLUS", "TEX", "POWER", "DOT") for item in left)
        printed = any(item.kind == "GROUP" and item.text == "[" for item in sides[-1])
        return numeric[-1] and (worked or printed or not has_left)
    if any(numeric):
        return True
    operators = ("OP", "PLUS", "POWER", "SUP", "DOT", "ROOT")
    return has_left and any(
        len(side) > 1 and (any(item.kind in operators for item in side) or _letters(side)) for side in sides
    )


def _is_a_saying(items: list[Tok], first: int, sides: list[list[Tok]]) -> bool:
    """Whether bare numbers are equated behind a word or a sign: neither `75% of 8 = 6` nor `7 % 5 = 2` says 8 is 6."""
    worded = first > 0 and items[first - 1].kind not in ("COLON", "COMMA", "SEMI")
    bare = worded and all(item.kind in ("NUM", "PERCENT") for side in sides for item in side)
    return bare or _are_shapes(sides)


def _are_shapes(sides: list[list[Tok]]) -> bool:
    """Whether the shapes of a product are told, as in `(2×3) · (3×4) = (2×4)`: no arithmetic."""
    sizes = [_sizes(side) for side in sides]
    if len(sizes) < 2 or not all(sizes) or len(sizes[-1]) != 2:
        return False
    first = sizes[0]
    inner = all(left == right for left, right in zip(first[1:-1:2], first[2:-1:2], strict=False))
    return len(first) >= 4 and len(first) % 2 == 0 and inner and [first[0], first[-1]] == sizes[-1]


def _sizes(items: list[Tok]) -> list[str]:
    """The whole numbers of a side that holds nothing else but signs of multiplication, else nothing."""
    found: list[str] = []
    for item in items:
        if item.kind == "GROUP":
            inner = _sizes([each for each in item.items if each.kind != "COMMA"])
            if not inner:
                return []
            found += inner
        elif item.kind == "NUM" and item.text.isdigit():
            found.append(item.text)
        elif item.kind != "OP" and item.text not in ("x", "X"):
            return []
    return found


def _letters(side: list[Tok]) -> bool:
    return all(item.kind == "NAME" and len(item.text.split("_")[0]) <= 2 for item in side)


def _has_number(item: Tok) -> bool:
    if item.kind == "NAME":
        return False
    return item.kind in ("NUM", "PART", "SUP", "INFTY", "TEX") or any(_has_number(inner) for inner in item.items)


def _literal(side: list[Tok]) -> list[Tok]:
    """A side without what a program wraps a literal in: `np.array([1, 2], dtype=float)` is `[1, 2]`."""
    if len(side) > 2 and side[0].text in spelling.MODULES and side[1].kind == "DOT":
        side = side[2:]
    if len(side) == 2 and side[0].text in spelling.LITERALS and side[1].items:
        return side[1].items[:1]
    return side


def _is_value(item: Tok) -> bool:
    """Whether nothing but numbers stands here: a literal."""
    return item.kind in ("NUM", "MINUS", "COMMA", "SEMI", "PERCENT", "DOTS", "PART") or (
        item.kind == "GROUP" and all(_is_value(inner) for inner in item.items)
    )


def _only_commas(items: list[Tok], start: int, end: int) -> bool:
    return all(item.kind in ("COMMA", "SEMI") for item in items[start:end])


def _label(items: list[Tok], first: int, text: str) -> str:
    """What stands before a colon that introduces the chain."""
    if not first or items[first - 1].kind != "COLON":
        return ""
    start = first - 1
    while start and items[start - 1].kind not in ("SEMI",) and first - start < 16:
        start -= 1
    return text[items[start].start : items[first - 1].start].strip(" \t\"'“”*")[-80:]
