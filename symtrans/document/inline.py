"""Mathematics within running text: `$…$`, `\\(…\\)`, displays, image addresses, and what is no text at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from symtrans.document.address import formula_in
from symtrans.document.entities import resolved
from symtrans.document.mapped import Mapped

ENVIRONMENTS = (
    "equation|align|alignat|gather|multline|eqnarray|flalign|displaymath|math|aligned|alignedat|gathered|split|dmath"
)
"""The environments that are displays by themselves, with or without a star."""
LONGEST_INLINE = 4_000
LONGEST_DISPLAY = 100_000
LONGEST_ADDRESS = 10_000

_INTEREST = re.compile(
    rf"\\\\?[\[(]|\\begin\{{(?:{ENVIRONMENTS})\*?\}}|\\.|`+|\$\$?|<!--|!?\[|<(?=[A-Za-z/!?])|(?:https?|ftp)://[^\s<>)\]，。）]+|www\.\S+",
    re.DOTALL,
)
_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s+(?:\"[^\"]*\"|'[^']*'|[^\"'<>])*)?/?>", re.DOTALL)
_SOURCE = re.compile(r"\bsrc\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_BEGIN = re.compile(r"\\(begin|end)\{([A-Za-z]+\*?)\}")


@dataclass(frozen=True, slots=True)
class Stretch:
    """`text[start:end]` is a display, an inline formula, an image's formula, literal code, or a gap in the text."""

    kind: Literal["display", "inline", "image", "code", "gap"]
    start: int
    end: int
    mapped: Mapped | None = None


class Finder:
    """Goes through a paragraph once."""

    def __init__(self, mapped: Mapped, markdown: bool) -> None:
        """`markdown`: backticks quote code, and brackets with an address behind are links and images."""
        self.mapped = mapped
        self.text = mapped.text
        self.markdown = markdown
        self.found: list[Stretch] = []
        self.unclosed: list[tuple[int, str]] = []
        self._missing: dict[str, int] = {}

    def run(self) -> list[Stretch]:
        """The stretches in order."""
        at = 0
        while (match := _INTEREST.search(self.text, at)) is not None:
            at = self._at(match.start(), match.group())
        return self.found

    def _add(self, kind: str, start: int, end: int, inner: tuple[int, int] | None = None) -> int:
        mapped = None if inner is None else resolved(self.mapped.slice(*inner))
        self.found.append(Stretch(kind, start, end, mapped))  # type: ignore[arg-type]
        return end

    def _at(self, at: int, sign: str) -> int:
        if sign.endswith(("[", "(")) and sign.startswith("\\"):
            return self._bracketed(at, sign)
        if sign.startswith(r"\begin"):
            return self._environment(at)
        if sign.startswith("\\"):
            return at + 2
        if sign.startswith("$"):
            return self._dollars(at, sign)
        if sign.startswith("`"):
            return self._code(at, sign) if self.markdown else at + len(sign)
        if sign == "<!--":
            end = self.text.find("-->", at)
            return self._add("gap", at, len(self.text) if end < 0 else end + 3)
        if sign == "<":
            return self._tag(at)
        if sign in ("[", "!["):
            return self._link(at, sign)
        return self._add("gap", at, at + len(sign))

    def _find(self, closing: str, start: int) -> int:
        r"""Where `closing` stands next and is not escaped, or -1; a miss is remembered."""
        if self._missing.get(closing, len(self.text) + 1) <= start:
            return -1
        at = start
        while (at := self.text.find(closing, at)) >= 0:
            before = self.text[max(start, at - 8) : at]
            if closing.startswith("\\") or (len(before) - len(before.rstrip("\\"))) % 2 == 0:
                return at
            at += 1
        self._missing[closing] = start
        return -1

    def _bracketed(self, at: int, sign: str) -> int:
        display = sign.endswith("[")
        closing = sign[:-1] + ("]" if display else ")")
        end = self._find(closing, at + len(sign))
        longest = LONGEST_DISPLAY if display else LONGEST_INLINE
        if end < 0 or end - at > longest or (not display and "\n\n" in self.text[at:end]):
            if re.match(r"[^\n]{0,200}[=\\^_]", self.text[at + len(sign) : at + 200]) and len(sign) == 2:
                self.unclosed.append((at, sign))
            return at + len(sign)
        inner = self.text[at + len(sign) : end]
        if len(sign) == 2 and self.markdown and not re.search(r"[=\\^_+*/<>≈→-]", inner) and len(inner.strip()) > 2:
            return at + len(sign)  # an escaped bracket of prose
        return self._add("display" if display else "inline", at, end + len(closing), (at + len(sign), end))

    def _environment(self, at: int) -> int:
        end = environment_end(self.text, at)
        if end is None:
            self.unclosed.append((at, _BEGIN.match(self.text, at).group()))  # type: ignore[union-attr]
            return at + 6
        return self._add("display", at, end, (at, end))

    def _dollars(self, at: int, sign: str) -> int:
        start = at + len(sign)
        if self.markdown and sign == "$" and self.text.startswith("`", start):
            end = self.text.find("`$", start + 1)
            if end > 0 and "\n\n" not in self.text[start:end]:
                return self._add("inline", at, end + 2, (start + 1, end))
        if sign == "$$":
            end = self._find("$$", start)
            if 0 <= end - at <= LONGEST_DISPLAY and self.text[start:end].strip():
                return self._add("display", at, end + 2, (start, end))
            if end < 0 and self.text[start : start + 1] != "":
                self.unclosed.append((at, sign))
            return start
        end = self._find("$", start)
        inner = self.text[start:end] if end > 0 else ""
        if not inner.strip() or len(inner) > LONGEST_INLINE or re.search(r"\n[ \t]*\n", inner):
            if end < 0 and not self.text[start : start + 1].isdigit() and re.match(r"[^\n]*[=\\^]", self.text[start:]):
                self.unclosed.append((at, sign))
            return start
        before, after = self.text[at - 1 : at] if at else "", self.text[end + 1 : end + 2]
        if any(side.isascii() and side.isdigit() for side in (before, after)) or _is_money(inner):
            return start
        return self._add("inline", at, end + 1, (start, end))

    def _code(self, at: int, sign: str) -> int:
        end = at + len(sign)
        while (end := self.text.find(sign, end)) >= 0:
            run = len(self.text[end:]) - len(self.text[end:].lstrip("`"))
            if run == len(sign):
                self.found.append(Stretch("code", at, end + run, self.mapped.slice(at + len(sign), end)))
                return end + run
            end += run
        return at + len(sign)

    def _tag(self, at: int) -> int:
        match = _TAG.match(self.text, at)
        if match is None:
            return at + 1
        source = _SOURCE.search(match.group())
        if source is not None:
            group = 1 if source[1] is not None else 2
            address = self.mapped.slice(at + source.start(group), at + source.end(group))
            formula = formula_in(address)
            if formula is not None:
                self.found.append(Stretch("image", at, match.end(), formula))
                return match.end()
        return self._add("gap", at, match.end())

    def _link(self, at: int, sign: str) -> int:
        if not self.markdown:
            return at + 1
        middle = re.compile(r"!?\[[^\[\]\n]*\]\(").match(self.text, at)
        if middle is None:
            return at + len(sign)
        if self._find(")", middle.end()) < 0:
            return at + len(sign)
        end, depth = middle.end(), 1
        while end < min(len(self.text), at + LONGEST_ADDRESS) and depth and self.text[end] != "\n":
            depth += {"(": 1, ")": -1}.get(self.text[end], 0)
            end += 1
        if depth:
            return at + len(sign)
        formula = formula_in(self.mapped.slice(middle.end(), end - 1)) if sign == "![" else None
        if formula is not None:
            self.found.append(Stretch("image", at, end, formula))
            return end
        if sign == "![":
            return self._add("gap", at, end)
        self._add("gap", middle.end() - 2, end)
        return end


def _is_money(inner: str) -> bool:
    """Whether what stands between two dollars is a price and prose, or two formulas' ends and the prose between."""
    if re.search(r"[=\\^_≈→]", inner):
        return False
    words = re.search(r"[^\W\d]{2,}", inner) is not None
    return words and (inner[0].isdigit() or inner[0].isspace() != inner[-1].isspace() or " " in inner.strip())


def environment_end(text: str, at: int) -> int | None:
    r"""Where the environment ends that begins at `text[at]`, or None where it never does."""
    depth = 0
    first = _BEGIN.match(text, at)
    if first is None:
        return None
    for match in _BEGIN.finditer(text, at, at + LONGEST_DISPLAY):
        if match[2] == first[2]:
            depth += 1 if match[1] == "begin" else -1
            if depth == 0:
                return match.end()
    return None
