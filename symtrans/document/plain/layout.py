"""Physical lines put together into what is said on one: open brackets, continuations, columns, printed outputs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.plain.stacked import stacked

MAX_JOINED = 400
_PROMPT = re.compile(r"\s*(?:(?:>>>|\.\.\.|In\s*\[\d*\]:|Out\s*\[\d*\]:)\s?|(?:=>|⇒|[•◦▪‣∙·●○*]|-|>)\s+)?")
_COMMENT = re.compile(r"(?:^|(?<=[\s,;\]\)]))(?:#+|(?<!\d )//|//(?! ?\d))(?![\d.]*[A-Fa-f0-9]{6}\b)[ \t]*(?P<text>.*)")
_CONTINUES = re.compile(r"\s*(?:=(?![=>])|≈|≃|≅|~=|->|→|==\s)")
_GOES_ON = re.compile(r"(?:[=≈→+×·*/⋅√]|->|~=|\s[-−])\s*\Z")
_JOINS = re.compile(r"\s*[+×·*/@⋅−]\s")
_PRINTED = re.compile(r"\s*(?:(?:array|tensor|matrix|Matrix)\s*\(\s*)?\[")
_OPENING = re.compile(r"(?:[^\W\d]\w*\s*=\s*)+\[\s*\[[^\[\]]*\]\s*,?")
_ROW = re.compile(r"\[[^\[\]]*\]\s*[\],]?")


@dataclass(slots=True)
class Line:
    """A logical line: its text, the comments that stood in it, and the column where it begins."""

    mapped: Mapped
    notes: tuple[str, ...] = ()
    is_comment: bool = False
    column: int = 0


def lines(region: Mapped, listing: bool) -> list[Line]:
    """The logical lines of a paragraph, or of a listing (where `#` begins a comment)."""
    physical, comments = _physical(region, listing)
    joined: list[Line] = []
    openers = "[({" if listing else "["
    depths = [_depth(line.mapped.text, openers) for line in physical]
    at = 0
    placed = [(line.mapped, line.column) for line in physical]
    while at < len(physical):
        drawn, after = stacked(placed, at)
        if drawn:
            joined += [Line(formula) for formula in drawn]
            at = after
            continue
        columns, after = _columns(physical, at)
        if columns:
            joined += columns
            at = after
            continue
        after = _balanced(depths, at)
        while after < len(physical) and _follows(physical[after - 1], physical[after], listing):
            after = _balanced(depths, after)
        parts = physical[at:after]
        notes = tuple(note for part in parts for note in part.notes)
        joined.append(Line(_stacked([part.mapped for part in parts]), notes))
        at = after
    if listing:
        joined = _printed(joined)
    return [line for line in joined if line.mapped.text.strip()] + comments


def _physical(region: Mapped, listing: bool) -> tuple[list[Line], list[Line]]:
    """The lines without prompts, bullets, line numbers and comments; and the comments as lines of their own."""
    found: list[Line] = []
    comments: list[Line] = []
    start = 0
    numbered = listing and _is_numbered(region.text)
    for number, text in enumerate(region.text.split("\n"), start=1):
        end = start + len(text)
        first = start + len(_PROMPT.match(text).group())  # type: ignore[union-attr]
        if numbered:
            first = start + len(str(number))
        notes: tuple[str, ...] = ()
        comment = _COMMENT.search(region.text[first:end]) if listing and ("#" in text or "//" in text) else None
        if comment is not None and not _in_string(region.text[first:end], comment.start()):
            words = region.slice(first + comment.start("text"), end)
            notes = (words.text.strip(),) if words.text.strip() else ()
            comments.append(Line(words, is_comment=True))
            end = first + comment.start()
        found.append(Line(region.slice(first, end), notes, column=first - start))
        start += len(text) + 1
    return found, comments


def _is_numbered(text: str) -> bool:
    """Whether every line begins with its own number, glued to a letter, as a copied listing shows them."""
    each = [line for line in text.split("\n") if line.strip()]
    return len(each) > 1 and all(
        re.match(rf"{number}(?=[^\W\d])", line) is not None for number, line in enumerate(each, start=1)
    )


def _in_string(text: str, at: int) -> bool:
    return text[:at].count('"') % 2 == 1 or text[:at].count("'") % 2 == 1


def _depth(text: str, openers: str) -> int:
    closers = openers.translate(str.maketrans("[({", "])}"))
    return sum((c in openers) - (c in closers) for c in re.sub(r'"[^"\n]*"|\'[^\'\n]*\'', "", text))


def _balanced(depths: list[int], at: int) -> int:
    """The index after the line that closes what line `at` opens; `at + 1` where nothing does."""
    depth = 0
    for after in range(at, min(at + MAX_JOINED, len(depths))):
        depth += depths[after]
        if depth <= 0:
            return after + 1
    return at + 1


def _follows(above: Line, below: Line, listing: bool) -> bool:
    if not below.mapped.text.strip() or not above.mapped.text.strip():
        return False
    if _CONTINUES.match(below.mapped.text):
        return True
    goes_on = _GOES_ON.search(above.mapped.text) is not None and re.search(r"[\d\])=]", above.mapped.text) is not None
    return goes_on or (listing and _JOINS.match(below.mapped.text) is not None)


def _stacked(parts: list[Mapped]) -> Mapped:
    weaver = Weaver()
    for number, part in enumerate(parts):
        if number:
            weaver.make("\n", part, 0, 0)
        weaver.copy(part)
    return weaver.done()


def _columns(physical: list[Line], at: int) -> tuple[list[Line], int]:
    """Several matrices side by side: the k-th bracket of each further line belongs to the k-th matrix."""
    head = physical[at].mapped
    if len(head.text) > 2_000 or head.text.count("[") < 4:
        return [], at
    openings = list(_OPENING.finditer(head.text))
    if len(openings) < 2 or head.text[openings[-1].end() :].strip():
        return [], at
    if any(_depth(opening.group(), "[") != 1 for opening in openings):
        return [], at
    grown = [[head.slice(*opening.span())] for opening in openings]
    depth = len(openings)
    after = at + 1
    while after < len(physical) and depth:
        row = physical[after].mapped
        cells = list(_ROW.finditer(row.text))
        if len(cells) != len(openings) or _ROW.sub("", row.text).strip():
            return [], at
        for column, cell in zip(grown, cells, strict=True):
            column.append(row.slice(*cell.span()))
            depth += _depth(cell.group(), "[")
        after += 1
    return ([], at) if depth else ([Line(_stacked(column)) for column in grown], after)


def _printed(joined: list[Line]) -> list[Line]:
    """What a program prints below an expression is its value: an arrow is put between."""
    found: list[Line] = []
    for line in joined:
        above = _asked(found[-1].mapped) if found and _is_printed(line.mapped.text) else None
        if above is None:
            found.append(line)
            continue
        weaver = Weaver()
        weaver.copy(above)
        weaver.make(" → ", line.mapped, 0, 0)
        weaver.copy(line.mapped)
        found[-1] = Line(weaver.done(), found[-1].notes + line.notes)
    return found


def _is_printed(text: str) -> bool:
    """Whether a line is nothing but an array as it is printed."""
    return (
        _PRINTED.match(text) is not None
        and _depth(text, "[(") == 0
        and "=" not in re.sub(r",\s*\w+=[\w.']+", "", text)
        and re.search(r"\d", text) is not None
    )


def _asked(above: Mapped) -> Mapped | None:
    """The line whose value is printed below it, without `print(…)`; None where it computes nothing."""
    unwrapped = re.fullmatch(r"\s*print\((?P<inner>.*)\)\s*", above.text, re.DOTALL)
    if unwrapped is not None:
        above = above.slice(*unwrapped.span("inner"))
    last = re.split(r"(?<![=!<>])=(?!=)(?![^(]*\))|→|->", above.text)[-1]
    if re.search(r"(?:array|tensor|asarray|Matrix)\s*\(\s*\[", last):
        return None
    called = "(" in last and re.search(r"[A-Za-z]", last) is not None
    joined = re.search(r"[\w)\]]\s*[@*+/·×]\s*[\w(\[]", last) is not None
    named = unwrapped is not None and re.fullmatch(r"\s*[A-Za-z]\w*(?:\.T)?\s*", last) is not None
    turned = re.fullmatch(r"\s*[A-Za-z]\w*\.T\s*", last) is not None
    return above if called or joined or named or turned else None
