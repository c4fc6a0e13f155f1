"""The formulas of a stretch of plain text: a paragraph, a table's cell, or a listing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symtrans.document.block import Kind
from symtrans.document.event import Math
from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.plain import layout, spelling
from symtrans.document.plain.chains import Found, chains
from symtrans.document.plain.tokens import LAST_TEX, TEX, tokens

MAX_LINE = 40_000
"""The number of characters up to which a logical line is searched."""

_SIGN = re.compile(r"[=＝≈≃≅≒→⟶←]|->|~=|<-|â|\[")
_NUMBERS = r"[-−]?\d+(?:\.\d+)?\s?%?(?:\s*[,;]\s*[-−]?\d+(?:\.\d+)?\s?%?)+"
_SPOKEN = re.compile(
    rf"\b(?P<function>softmax|sigmoid|tanh|exp|log|mean|sum)\s+of\s+(?:[a-z]+\s+){{0,3}}(?P<given>{_NUMBERS})\s*"
    rf"(?::|=|≈|->|→)\s*(?P<stated>{_NUMBERS}|[-−]?\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    r"^\s*(?:import|from|def|class|for|while|if|return|with|print|assert|const|let|var|public|#include|using)\b[^=≈]*(?:[:;({]|$)",
    re.MULTILINE,
)


def scan(
    region: Mapped, *, listing: bool = False, language: str = "", inner: Sequence[Mapped] = (), kind: Kind = "plain"
) -> list[Math]:
    """The formulas in order; `inner` are those set in LaTeX that the private characters stand for.

    `listing` says that lines count (a fence, a `<pre>`); `language` is the fence's, if it has one.
    """
    if not _SIGN.search(region.text) and not _SPOKEN.search(region.text):
        return []
    region = spelling.unmangled(region)
    in_code = listing and (bool(language) or _STATEMENT.search(region.text) is not None)
    found: list[Math] = []
    for line in layout.lines(region, listing):
        mapped = line.mapped
        if len(mapped.text) > MAX_LINE or not (_SIGN.search(mapped.text) or _SPOKEN.search(mapped.text)):
            continue
        spoken = _SPOKEN.search(mapped.text)
        if spoken is not None:
            found.append(Math(_said(mapped, spoken), kind))
            continue
        for chain in chains(tokens(mapped.text), mapped.text, titled=listing and not in_code):
            coded = in_code and not line.is_comment
            if not coded or _counts_in_code(chain):
                one_name = coded and chain.links == 1 and chain.bare_name
                found.append(Math(_woven(mapped, chain, inner), "code" if one_name else kind, chain.label, line.notes))
    return sorted(found, key=lambda math: math.mapped.offset_at(0))


def _counts_in_code(chain: Found) -> bool:
    """Whether a program's line states something: more than an assignment of what is yet to be computed."""
    if chain.compares:
        return not chain.bare_name
    return chain.links > 1 or not chain.bare_name or chain.bare_value


def _woven(mapped: Mapped, chain: Found, inner: Sequence[Mapped]) -> Mapped:
    weaver = Weaver()
    for made, start, end in chain.spelled:
        if made is not None:
            weaver.make(made, mapped, start, end)
            continue
        done = start
        for at in range(start, end):
            if TEX <= mapped.text[at] < LAST_TEX:
                weaver.copy(mapped, done, at)
                weaver.copy(inner[ord(mapped.text[at]) - ord(TEX)])
                done = at + 1
        weaver.copy(mapped, done, end)
    return weaver.done()


def _said(mapped: Mapped, spoken: re.Match[str]) -> Mapped:
    """A function of listed numbers and its values, in words, as a formula."""
    weaver = Weaver()
    start, end = spoken.span("function")
    weaver.make(r"\text{" + spoken["function"].lower() + "}([", mapped, start, end)
    for group, close in (("given", "]) = "), ("stated", "")):
        start, end = spoken.span(group)
        listed = "," in spoken[group] or ";" in spoken[group]
        if group == "stated" and listed:
            weaver.make("[", mapped, start, start)
        weaver.copy(mapped.slice(start, end).replace(re.compile(r"\s?%"), lambda _: r"\%"))
        weaver.make(close or ("]" if listed else ""), mapped, end, end)
    return weaver.done()
