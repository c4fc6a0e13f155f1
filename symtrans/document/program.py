r"""JSX and MDX: formulas in attributes (`tex="…"`), in `String.raw`, and between tags (`<Math>…</Math>`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from symtrans.document.entities import resolved
from symtrans.document.event import Border, Event, Math, Prose
from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.markdown import events as markdown_events

_VALUE = (
    r"(?:\{\s*)?(?:(?P<raw>String\.raw\s*`(?P<r>[^`]*)`)|`(?P<t>(?:[^`\\]|\\.)*+)`|\"(?P<d>(?:[^\"\\\n]|\\.)*+)\""
    r"|'(?P<s>(?:[^'\\\n]|\\.)*+)')\s*\}?"
)
_TEX = re.compile(
    r"<(?P<tag>(?:Inline|Block|Display)?(?:Math|TeX|Tex|Latex|LaTeX|Katex|KaTeX|Equation|Formula|M|MathJax)\w*)\b"
    r"(?P<attributes>[^<>{}]*)(?P<open>>|(?=\{|[a-z]+=))"
    r"|\b(?P<key>tex|math|latex|formula|equation|expression|children)\s*[=:]\s*(?P<brace>\{?)\s*"
    r"|(?P<bare>String\.raw\s*)(?=`)",
    re.DOTALL,
)
_QUOTED = re.compile(_VALUE, re.DOTALL)
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\n|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_INLINE = re.compile(r"(?i)inline|^M$")


@dataclass(frozen=True, slots=True)
class _Formula:
    start: int
    end: int
    mapped: Mapped
    is_inline: bool


def jsx_events(mapped: Mapped) -> Iterator[Event]:
    """The events of a program: every formula is a block, the program between is prose."""
    done = 0
    for formula in _formulas(mapped):
        yield Prose(mapped.slice(done, formula.start), listed=True)
        yield Border()
        yield Math(formula.mapped, "inline" if formula.is_inline else "display")
        yield Border()
        done = formula.end


def mdx_events(mapped: Mapped) -> Iterator[Event]:
    """The events of Markdown with components: each formula stands as if set between dollars."""
    weaver, done = Weaver(), 0
    for formula in _formulas(mapped):
        start = formula.start
        mark = "$" if formula.is_inline else "$$"
        weaver.copy(mapped, done, start)
        weaver.make(mark, mapped, start, start)
        weaver.copy(formula.mapped)
        weaver.make(mark, mapped, formula.end, formula.end)
        done = formula.end
    weaver.copy(mapped, done, len(mapped.text))
    yield from markdown_events(weaver.done())


def _formulas(mapped: Mapped) -> Iterator[_Formula]:
    text, at = mapped.text, 0
    while (match := _TEX.search(text, at)) is not None:
        at = match.end()
        if match["tag"] and match["open"] == ">" and not match["attributes"].endswith("/"):
            found = _between(mapped, match)
        elif match["tag"]:
            found = _in_attributes(mapped, match)
        else:
            found = _quoted(mapped, match.start(), match.start("bare") if match["bare"] else match.end())
        if found is not None and found.mapped.text.strip():
            yield found
            at = max(at, found.end)


def _between(mapped: Mapped, match: re.Match[str]) -> _Formula | None:
    """What stands between an opening and a closing tag: text, or a quoted string in braces."""
    closing = re.compile(rf"</{match['tag']}\s*>").search(mapped.text, match.end())
    if closing is None:
        return None
    inner = mapped.slice(match.end(), closing.start())
    is_inline = _INLINE.search(match["tag"]) is not None
    if inner.text.strip().startswith("{"):
        quoted = _QUOTED.search(inner.text)
        if quoted is None:
            return None
        value = _decoded(inner, quoted, in_braces=True)
    else:
        value = resolved(inner).strip()
    return _Formula(match.start(), closing.end(), _without_dollars(value), is_inline)


def _in_attributes(mapped: Mapped, match: re.Match[str]) -> _Formula | None:
    """A tag that ends in itself and holds its formula in an attribute."""
    key = re.compile(r"\b(?:tex|math|latex|formula|equation|expression|children|src)\s*=\s*").search(
        mapped.text, match.start(), match.start() + 2_000
    )
    if key is None:
        return None
    found = _quoted(mapped, match.start(), key.end())
    if found is None:
        return None
    closing = re.compile(r"[^<>]*?/>").match(mapped.text, found.end)
    props = mapped.text[match.start() : closing.end() if closing else found.end]
    is_inline = _INLINE.search(match["tag"]) is not None or not re.search(r"block|display|Block|Display", props)
    return _Formula(match.start(), closing.end() if closing else found.end, found.mapped, is_inline)


def _quoted(mapped: Mapped, start: int, at: int) -> _Formula | None:
    quoted = _QUOTED.match(mapped.text, at)
    if quoted is None:
        return None
    in_braces = mapped.text[start:at].rstrip().endswith("{") or quoted.group().startswith(("{", "String", "`"))
    value = _without_dollars(_decoded(mapped, quoted, in_braces))
    if not re.search(r"[=\\^_≈]|\d\s*[-+*/×·]", value.text):
        return None
    return _Formula(start, quoted.end(), value, is_inline=False)


def _decoded(mapped: Mapped, quoted: re.Match[str], in_braces: bool) -> Mapped:
    """A quoted string's value; in an attribute without braces a backslash stands for itself."""
    group = next(name for name in ("r", "t", "d", "s") if quoted[name] is not None)
    value = mapped.slice(*quoted.span(group))
    if group == "r":
        return value
    backslashes = re.findall(r"\\+", value.text)
    if group == "t" or in_braces or (backslashes and all(len(run) % 2 == 0 for run in backslashes)):
        return value.replace(_ESCAPE, _unescaped)
    return resolved(value)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "ux" and len(code) > 1:
        number = int(code.strip("ux{}"), 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number <= 0xDFFF else "\ufffd"
    return _SIMPLE.get(code, code)


def _without_dollars(value: Mapped) -> Mapped:
    match = re.fullmatch(r"\s*(?:\$\$(.*?)\$\$|\$(.*?)\$|\\\((.*?)\\\)|\\\[(.*?)\\\])\s*", value.text, re.DOTALL)
    if match is None:
        return value.strip()
    group = next(number for number in range(1, 5) if match[number] is not None)
    return value.slice(*match.span(group)).strip()
