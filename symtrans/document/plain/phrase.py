"""One side of a relation in plain text: whether tokens are an expression, and how LaTeX spells it.

The characters stay as they were written wherever the reader of LaTeX knows them (`×`, `²`, `[1, 2]`, printed
arrays); what only programs and typewriters write (`**`, `sqrt(x)`, `K.T`, long names) is spelled anew.
"""

from __future__ import annotations

from symtrans.document.plain import spelling
from symtrans.document.plain.neighbours import (
    JUXTAPOSED,
    is_cross,
    is_index,
    is_unary,
    may_follow,
    operator,
    spaced_numbers,
)
from symtrans.document.plain.spelling import Spelled
from symtrans.document.plain.tokens import Tok
from symtrans.document.plain.wrapping import bracketed, closed, function, indexed

_STARTS = {"NUM", "NAME", "WORD", "STRING", "GROUP", "PART", "ROOT", "BAR", "BIG", "PARTIAL", "INFTY", "TEX", "DOTS"}
_LETTERS = str.maketrans("ⁿᵢⱼₖₙₘ", "nijknm")
MAX_SIDE = 4_000

Found = tuple[int, Spelled]
"""The index after the last token, and the spelling."""


def expression(items: list[Tok], at: int) -> Found | None:
    """The longest expression that begins at `items[at]`."""
    spelled: Spelled = []
    after = at
    while after < len(items) and items[after].kind in ("PLUS", "MINUS") and after < at + 2:
        spelled.append((None, items[after].start, items[after].end))
        after += 1
    found = _factor(items, after)
    if found is None:
        return None
    if spelled:
        spelled.append((None, items[after - 1].end, items[after].start))
    after, more = found
    spelled += more
    while after < len(items) and after - at < MAX_SIDE:
        joined = _joined(items, after)
        if joined is None:
            break
        spelled.append((None, items[after - 1].end, items[after].start))
        after, more = joined
        spelled += more
    return after, [piece for piece in spelled if piece[0] is not None or piece[1] < piece[2]]


def _joined(items: list[Tok], at: int) -> Found | None:
    """An operator and its factor, or a factor by juxtaposition."""
    sign = items[at]
    if is_unary(items, at):
        return None
    if sign.kind in ("PLUS", "MINUS", "OP") or is_cross(items, at):
        after, spelled = at + 1, [operator(sign)]
        gap = sign.end
        if after < len(items) and items[after].kind in ("PLUS", "MINUS"):
            spelled += [(None, gap, items[after].end)]
            gap = items[after].end
            after += 1
        found = _factor(items, after)
        if found is None:
            return None
        return found[0], [*spelled, (None, gap, items[after].start), *found[1]]
    if sign.kind in JUXTAPOSED and may_follow(items, at):
        return _factor(items, at)
    return None


def _factor(items: list[Tok], at: int) -> Found | None:
    if at >= len(items) or items[at].kind not in _STARTS:
        return None
    found = _atom(items, at)
    while found is not None and found[0] < len(items):
        more = _postfix(items, found)
        if more is None:
            break
        found = more
    return found


def _atom(items: list[Tok], at: int) -> Found | None:
    item = items[at]
    copied: Spelled = [(None, item.start, item.end)]
    match item.kind:
        case "NUM":
            made = item.text.endswith(".")
            return at + 1, [*copied, ("0", item.end, item.end)] if made else copied
        case "PART" | "INFTY" | "DOTS" | "TEX":
            return at + 1, copied
        case "STRING":
            inner = spelling.literal(item.text[1:-1], item.start + 1)
            return at + 1, [(r"\text{", item.start, item.start + 1), *inner, ("}", item.end - 1, item.end)]
        case "WORD":
            return at + 1, [(r"\text{", item.start, item.start), *copied, ("}", item.end, item.end)]
        case "NAME":
            return _named(items, at)
        case "GROUP":
            return _group(item, at)
        case "ROOT":
            return _root(items, at)
        case "BIG":
            return _big(items, at)
        case "PARTIAL":
            return _partial(items, at)
        case "BAR":
            return _bars(items, at)
    return None


def _big(items: list[Tok], at: int) -> Found | None:
    """A sum sign with its bounds, if it has any, and the factor that follows."""
    spelled: Spelled = [(None, items[at].start, items[at].end)]
    after = at + 1
    while after + 1 < len(items) and items[after].kind in ("UNDER", "POWER"):
        bound = items[after + 1]
        inner = (bound.start + 1, bound.end - 1) if bound.kind == "GROUP" else (bound.start, bound.end)
        mark = "_{" if items[after].kind == "UNDER" else "^{"
        spelled += [(mark, items[after].start, inner[0]), (None, *inner), ("}", inner[1], bound.end)]
        after += 2
    found = _factor(items, after)
    return (
        None if found is None else (found[0], [*spelled, (None, items[after - 1].end, items[after].start), *found[1]])
    )


def _root(items: list[Tok], at: int) -> Found | None:
    found = _atom(items, at + 1) if at + 1 < len(items) else None
    return None if found is None else (found[0], [(None, items[at].start, items[at + 1].start), *found[1]])


def _partial(items: list[Tok], at: int) -> Found | None:
    """`∂L/∂W` as one quantity."""
    if at + 4 >= len(items) or [each.kind for each in items[at + 1 : at + 4]] != ["NAME", "OP", "PARTIAL"]:
        return None
    above, slash, below = items[at + 1], items[at + 2], items[at + 4]
    if slash.text != "/" or below.kind != "NAME":
        return None
    start, end = items[at].start, below.end
    return at + 5, [
        (r"\frac{\partial ", start, above.start),
        *spelling.name(above.text, above.start),
        (r"}{\partial ", slash.start, below.start),
        *spelling.name(below.text, below.start),
        ("}", end, end),
    ]


def _bars(items: list[Tok], at: int) -> Found | None:
    for end in range(at + 2, min(at + 40, len(items))):
        if items[end].kind == "BAR" and items[end].text == items[at].text:
            inner = expression(items[:end], at + 1)
            if inner is None or inner[0] != end:
                return None
            made = r"\|" if items[at].text == "||" else None
            close = (made, items[end].start, items[end].end)
            gap = (None, items[at].end, items[at + 1].start)
            return end + 1, [(made, items[at].start, items[at].end), gap, *inner[1], close]
    return None


def _named(items: list[Tok], at: int) -> Found | None:
    item = items[at]
    if item.text in spelling.MODULES and at + 2 < len(items) and items[at + 1].kind == "DOT":
        found = _named(items, at + 2) if items[at + 2].kind == "NAME" else None
        return found if found is None else (found[0], [("", item.start, items[at + 1].end), *found[1]])
    following = items[at + 1] if at + 1 < len(items) else None
    if following is not None and following.kind == "GROUP":
        if following.text in "(（" and not following.spaced:
            return _call(items, at)
        if item.text in spelling.PREFIX_FUNCTIONS and following.text in "({[":
            return _call(items, at)
        if following.text == "[" and not following.spaced and is_index(following):
            return at + 2, indexed(item, following)
    if following is not None and item.text in spelling.PREFIX_FUNCTIONS:
        if following.kind == "NUM":
            return _applied(item, items, at + 1)
        if following.kind == "SUB" and at + 2 < len(items) and items[at + 2].kind == "NUM":
            return _applied(item, items, at + 2)
    return at + 1, spelling.name(item.text, item.start)


def _applied(item: Tok, items: list[Tok], at: int) -> Found | None:
    """A function before a number, without brackets."""
    found = _atom(items, at)
    if found is None:
        return None
    if item.text == "sqrt":
        end = items[found[0] - 1].end
        return found[0], [(r"\sqrt{", item.start, items[at].start), *found[1], ("}", end, end)]
    gap = (None, item.end, items[at].start)
    return found[0], [*function(item), gap, *found[1]]


def _call(items: list[Tok], at: int) -> Found | None:
    item, group = items[at], items[at + 1]
    if item.text in spelling.LITERALS:
        found = expression(group.items, 0)
        rest = group.items[found[0] :] if found else []
        if found is None or (rest and rest[0].kind != "COMMA"):
            return None
        return at + 2, [("", item.start, group.start + 1), *found[1], ("", group.end - 1, group.end)]
    if item.text == "sqrt":
        found = expression(group.items, 0)
        if found is None or found[0] != len(group.items):
            return None
        return at + 2, [(r"\sqrt{", item.start, group.start + 1), *found[1], ("}", group.end - 1, group.end)]
    inner = arguments(group.items)
    if inner is None:
        return None
    if item.text in spelling.PRODUCTS and len(inner) == 2:
        sign = (r" \cdot ", inner[0][-1][2], inner[1][0][1])
        return at + 2, [*closed(inner[0], group.items), sign, *closed(inner[1], group.items)]
    return at + 2, [*function(item), *bracketed(group, inner)]


def arguments(items: list[Tok]) -> list[Spelled] | None:
    """Arguments between commas; keywords that only say what is usual are left out."""
    parts: list[Spelled] = []
    at = 0
    while at < len(items):
        keyword: Spelled = []
        if at + 2 < len(items) and items[at].kind == "NAME" and items[at + 1].text == "=":
            stop = next((n for n in range(at, len(items)) if items[n].kind == "COMMA"), len(items))
            value = "".join(item.text for item in items[at + 2 : stop])
            if (items[at].text, value) in spelling.SAME_BY_ROWS:
                at = stop + 1
                continue
            keyword = [*spelling.name(items[at].text, items[at].start), (None, items[at + 1].start, items[at + 1].end)]
            at += 2
        found = expression(items, at)
        if found is None or (found[0] < len(items) and items[found[0]].kind != "COMMA"):
            return None
        parts.append(keyword + found[1])
        at = found[0] + 1
    return parts or None


def _group(group: Tok, at: int) -> Found | None:
    if not group.items or group.text == "{" or group.holds("REL"):
        return None
    opening: tuple[str | None, int, int] = ("(" if group.text == "（" else None, group.start, group.start + 1)
    closing: tuple[str | None, int, int] = (")" if group.text == "（" else None, group.end - 1, group.end)
    inner = _cells(group) if group.text == "[" else _listed(group.items)
    if inner is None:
        return None
    gap = (None, group.start + 1, group.items[0].start)
    return at + 1, [opening, gap, *inner, (None, group.items[-1].end, group.end - 1), closing]


def _listed(items: list[Tok]) -> Spelled | None:
    """Expressions between commas or semicolons, as they stand."""
    spelled: Spelled = []
    at = last = 0
    while at < len(items):
        found = expression(items, at)
        if found is None:
            return None
        if at:
            spelled.append((None, last, items[at].start))
        spelled += found[1]
        at, last = found[0], items[found[0] - 1].end
        if at < len(items):
            if items[at].kind not in ("COMMA", "SEMI"):
                return None
            at += 1
            if at == len(items):  # a comma before the closing bracket
                spelled.append(("", last, items[at - 1].end))
    return spelled


def _cells(group: Tok) -> Spelled | None:
    """What stands in square brackets: a list, rows, or numbers with spaces between."""
    items = group.items
    separated = any(item.kind in ("COMMA", "SEMI") for item in items)
    if not separated or not spaced_numbers(items):
        listed = _listed(items)
        if listed is not None and (separated or len(items) < 2 or not spaced_numbers(items)):
            return listed
    if not spaced_numbers(items):
        return None
    spelled: Spelled = []
    last = items[0].start
    for number, item in enumerate(items):
        spelled.append((None, last, item.start))
        last = item.end
        if item.kind == "GROUP":
            inner = _group(item, 0)
            if inner is None:
                return None
            spelled += inner[1]
        elif item.kind == "NUM" and number + 1 < len(items) and items[number + 1].kind == "PERCENT":
            return None
        else:
            atom = _atom(items, number) if item.kind == "NUM" else None
            spelled += atom[1] if atom else [(None, item.start, item.end)]
    return spelled


def _postfix(items: list[Tok], found: Found) -> Found | None:
    after, spelled = found
    item = items[after]
    before = items[after - 1]
    match item.kind:
        case "SUP" | "SUB" | "PRIME":
            plain = item.text.translate(_LETTERS)
            made = None if plain == item.text else ("^{" if item.kind == "SUP" else "_{") + plain + "}"
            return after + 1, [*spelled, (made, item.start, item.end)]
        case "PERCENT" if before.kind == "NUM":
            return after + 1, [*spelled, (r"\%", item.start, item.end)]
        case "POWER" | "UNDER":
            script = _script(items, after)
            return None if script is None else (script[0], spelled + script[1])
        case "GROUP" if item.text == "[" and not item.spaced and is_index(item) and spelled[-1][0] == "}":
            inner = item.items[0]  # a second index: scores[0][1]
            if len(spelled) < 3 or before.kind != "GROUP" or before.text != "[":
                return None
            more: Spelled = [(",", item.start, inner.start), (None, inner.start, inner.end), ("}", inner.end, item.end)]
            return after + 1, [*spelled[:-1], *more]
        case "DOT" if after + 1 < len(items):
            return _attribute(items, after, spelled)
    return None


def _script(items: list[Tok], at: int) -> Found | None:
    """What is raised or lowered: a sign and a number, a name, or a group."""
    mark = "^" if items[at].kind == "POWER" else "_"
    after = at + 1
    sign: Spelled = []
    if after < len(items) and items[after].kind == "MINUS" and mark == "^":
        sign = [(None, items[after].start, items[after].end)]
        after += 1
    if after >= len(items):
        return None
    item = items[after]
    start, end = items[at].start, item.end
    if item.kind == "GROUP" and item.text in "({":
        inner = _listed(item.items)
        if inner is None:
            return None
        return after + 1, [(mark + "{", start, item.start + 1), *sign, *inner, ("}", end - 1, end)]
    if item.kind == "NAME" and item.text != "T":
        found: Found | None = _named(items, after) if mark == "^" else (after + 1, [(None, item.start, end)])
    elif item.kind in ("NUM", "NAME", "WORD", "PART", "INFTY", "TEX"):
        found = (after + 1, [(None, item.start, end)])
    else:
        return None
    if found is None:
        return None
    end = items[found[0] - 1].end
    return found[0], [(mark + "{", start, item.start if not sign else items[at].end), *sign, *found[1], ("}", end, end)]


def _attribute(items: list[Tok], at: int, spelled: Spelled) -> Found | None:
    """`.T`, `.dot(B)`, `.sum()`."""
    member = items[at + 1]
    group = items[at + 2] if at + 2 < len(items) else None
    called = group is not None and group.kind == "GROUP" and group.text == "(" and not group.spaced
    if member.text in ("T", "t", "transpose") and (member.text == "T") != called:
        end = group.end if called and group is not None else member.end
        if called and group is not None and group.items and member.text == "t":
            return None
        return at + (3 if called else 2), [*spelled, ("^{T}", items[at].start, end)]
    if not called or group is None:
        return None
    inner = arguments(group.items) if group.items else []
    if inner is None and any(item.kind == "NAME" and item.text in ("dim", "axis") for item in group.items):
        return None
    inner = inner or []
    if member.text in spelling.PRODUCTS and len(inner) == 1:
        sign = (r" \cdot ", items[at].start, group.start + 1)
        return at + 3, [*spelled, sign, *closed(inner[0], group.items), ("", group.end - 1, group.end)]
    if member.text in ("sum", "mean", "max", "min", "std", "var", "softmax", "exp", "sqrt") and not inner:
        start = spelled[0][1]
        name = (r"\sqrt{" if member.text == "sqrt" else r"\text{" + member.text + "}(", start, start)
        return at + 3, [name, *spelled, ("}" if member.text == "sqrt" else ")", items[at].start, group.end)]
    return None
