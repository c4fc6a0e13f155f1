"""Plain text as tokens, with what stands in brackets nested inside one token."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MAX_DEPTH = 40
TEX = "\ue000"
"""The first of the private characters that stand for formulas set in LaTeX within the plain text."""
LAST_TEX = "\uf000"
GAP = "\uf8ff"
"""Stands for what is no plain text: code, an address, a tag."""

_LETTER = r"(?:[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u1e00-\u1eff][\u0300-\u036f]*)"
_TOKEN = re.compile(
    rf"""
    (?P<SPACE>\s+)
  | (?P<SUP>[⁻⁺]?[⁰¹²³⁴-⁹ⁿ]+|ᵀ|⊤)
  | (?P<SUB>[₀-₉ᵢⱼₖₙₘ]+)
  | (?P<PART>[½⅓⅔¼¾⅕⅛])
  | (?P<STRING>"[^"\n]{{1,40}}"|“[^”\n]{{1,40}}”)
  | (?P<NAME>{_LETTER}(?:{_LETTER}|[0-9])*(?:_(?:{_LETTER}|[0-9])+)*)
  | (?P<WORD>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W\d_]+)
  | (?P<OTHER>[0-9]+(?:\.[0-9]+){{2,}}|[!<>]=|[-+*/]=(?=\s)|=>|⇒|\.\.\.\.+|--+(?!>))
  | (?P<NUM>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+(?![\w.]))?)
  | (?P<REL>-->|->|<-|~=|=~|:=|==?|[＝≈≃≅≒≐→⟶←])
  | (?P<POWER>\*\*|\^)
  | (?P<UNDER>_)
  | (?P<ROOT>√)
  | (?P<PERCENT>[%％])
  | (?P<PRIME>['’′](?!\w))
  | (?P<DOTS>\.\.\.|…|⋯)
  | (?P<DOT>\.(?=[A-Za-z]))
  | (?P<COMMA>[,，、])
  | (?P<SEMI>[;；])
  | (?P<COLON>[:：])
  | (?P<BAR>\|\||[|‖])
  | (?P<BIG>[∑∏])
  | (?P<PARTIAL>∂)
  | (?P<INFTY>∞)
  | (?P<PLUS>[+＋])
  | (?P<MINUS>[-−–﹣])
  | (?P<OP>[*×·⋅∙∗✕⨯/÷∕@⊙∘⊗])
  | (?P<OPEN>[(\[{{（])
  | (?P<CLOSE>[)\]}}）])
  | (?P<ANY>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_DOTTED = re.compile(r"(?<![\w.])[0-9]+\.(?=[\s,\];)\-])")
_COMMA_NUMBER = re.compile(r"[0-9]+(?:,[0-9]+)+")
_CLOSES = {"(": ")", "[": "]", "{": "}", "（": "）"}


@dataclass(slots=True)
class Tok:
    """A token; a GROUP's `text` is its opening bracket and `items` what stands inside. `spaced`: after a space."""

    kind: str
    text: str
    start: int
    end: int
    spaced: bool = False
    items: list[Tok] = field(default_factory=list)

    def holds(self, kind: str) -> bool:
        """Whether a token of this kind stands somewhere inside."""
        return any(item.kind == kind or item.holds(kind) for item in self.items)


def tokens(text: str) -> list[Tok]:
    """The tokens of a text; brackets that do not match are OTHER."""
    root: list[Tok] = []
    stack: list[Tok] = []
    level, at, spaced = root, 0, False
    while at < len(text):
        found = _next(text, at, bool(stack))
        at = found.end
        if found.kind == "SPACE":
            spaced = True
            continue
        found.spaced, spaced = spaced, False
        if found.kind == "OPEN" and len(stack) < MAX_DEPTH:
            found.kind = "GROUP"
            level.append(found)
            stack.append(found)
            level = found.items
        elif found.kind == "CLOSE" and any(_CLOSES[each.text] == found.text for each in stack):
            while _CLOSES[stack[-1].text] != found.text:
                level = _give_up(stack, root)
            group = stack.pop()
            group.end = found.end
            level = stack[-1].items if stack else root
        else:
            found.kind = "OTHER" if found.kind in ("OPEN", "CLOSE", "ANY") else found.kind
            level.append(found)
    while stack:
        _give_up(stack, root)
    return root


def _next(text: str, at: int, inside: bool) -> Tok:
    if text[at].isdigit():
        if inside and (match := _DOTTED.match(text, at)):
            return Tok("NUM", match.group(), at, match.end())
        if not inside and (match := _COMMA_NUMBER.match(text, at)):
            return Tok("NUM", match.group(), at, match.end())
    if text[at] in "xX" and at and text[at - 1].isdigit() and text[at + 1 : at + 2].isdigit():
        return Tok("OP", text[at], at, at + 1)
    if TEX <= text[at] < LAST_TEX:
        return Tok("TEX", text[at], at, at + 1)
    match = _TOKEN.match(text, at)
    assert match is not None
    return Tok(match.lastgroup or "ANY", match.group(), at, match.end())


def _give_up(stack: list[Tok], root: list[Tok]) -> list[Tok]:
    """The innermost bracket was never closed: it is an ordinary sign, and what it held stands beside it."""
    group = stack.pop()
    above = stack[-1].items if stack else root
    group.kind = "OTHER"
    group.end = group.start + 1
    above.extend(group.items)
    group.items = []
    return above
