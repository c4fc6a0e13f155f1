r"""A document's own TeX macros, expanded with the way back kept: `\newcommand`, `\def`, `\DeclareMathOperator`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtrans.document.mapped import Mapped, Weaver

MAX_DEPTH = 12
MAX_LENGTH = 50_000

_DEFINITION = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*(?P<name>\\[A-Za-z]+)\s*\}?\s*"
    r"(?:\[(?P<count>\d)\])?(?P<optional>\s*\[[^\]]*\])?\s*(?=\{)"
    r"|\\DeclareMathOperator(?P<star>\*?)\s*\{\s*(?P<operator>\\[A-Za-z]+)\s*\}\s*(?=\{)"
    r"|\\def\s*(?P<defined>\\[A-Za-z]+)(?P<parameters>(?:#\d)*)\s*(?=\{)"
)


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro's number of arguments and its body."""

    count: int
    body: str


def group_end(text: str, at: int) -> int:
    """The index after the brace that closes the one at `text[at]`; the text's length where none does."""
    depth = 0
    for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
    return len(text)


def definitions(text: str) -> tuple[dict[str, Macro], list[tuple[int, int]]]:
    """The macros that a text defines, by name, and where the definitions stand."""
    macros: dict[str, Macro] = {}
    places: list[tuple[int, int]] = []
    for match in _DEFINITION.finditer(text):
        end = group_end(text, match.end())
        places.append((match.start(), end))
        body = text[match.end() + 1 : end - 1]
        if match["operator"]:
            macros[match["operator"]] = Macro(0, rf"\operatorname{{{body}}}")
        elif match["optional"] is None and len(body) < 2_000:
            parameters = len(match["parameters"] or "") // 2
            macros[match["name"] or match["defined"]] = Macro(int(match["count"] or parameters), body)
    return macros, places


def expanded(formula: Mapped, macros: dict[str, Macro]) -> Mapped | None:
    """The formula without the document's own macros; None where that does not end within the caps."""
    names = sorted(macros, key=len, reverse=True)
    if not names:
        return formula
    pattern = re.compile("(?:" + "|".join(map(re.escape, names)) + r")(?![A-Za-z])")
    for _ in range(MAX_DEPTH):
        if pattern.search(formula.text) is None:
            return formula
        weaver, at = Weaver(), 0
        while (match := pattern.search(formula.text, at)) is not None:
            weaver.copy(formula, at, match.start())
            at = _expand(weaver, formula, match, macros[match.group()])
            if len(weaver) > MAX_LENGTH:
                return None
        weaver.copy(formula, at)
        formula = weaver.done()
    return None


def _expand(weaver: Weaver, formula: Mapped, match: re.Match[str], macro: Macro) -> int:
    """Append what a macro's use stands for; gives back where the text goes on behind its arguments."""
    arguments: list[tuple[int, int]] = []
    at = match.end()
    for _ in range(macro.count):
        while at < len(formula.text) and formula.text[at].isspace():
            at += 1
        if formula.text[at : at + 1] == "{":
            end = group_end(formula.text, at)
            arguments.append((at + 1, max(at + 1, end - 1)))
        else:
            command = re.compile(r"\\[A-Za-z]+|.?", re.DOTALL).match(formula.text, at)
            end = command.end() if command else at
            arguments.append((at, end))
        at = end
    done = 0
    for slot in re.finditer(r"#(\d)", macro.body):
        weaver.make(macro.body[done : slot.start()], formula, match.start(), match.end())
        number = int(slot[1]) - 1
        if 0 <= number < len(arguments):
            weaver.copy(formula, *arguments[number])
        done = slot.end()
    rest = macro.body[done:]
    if rest[-1:].isalpha() and formula.text[at : at + 1].isalpha():
        rest += " "
    weaver.make(rest, formula, match.start(), match.end())
    return at
