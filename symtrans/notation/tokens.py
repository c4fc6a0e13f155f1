"""The tokens of a formula: nested, with brackets, arguments and matrix cells already in their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Tok:
    r"""A token: its kind, its text, its place in the source, and what hangs on it.

    Kinds that stand for a value: NUM (text; value: "," where a comma was the decimal sign), NAME (value: the
    Name), DOTS, INFTY, FRAC (two parts; text: `binom`, or nothing), SQRT (the body, then the degree if there is
    one), BRACE (one part),
    GROUP (text: the bracket; one part), MATRIX (text: the environment; value: rows of cells), FUNC (text: the
    function's name), SUM (text: `sum` or `prod`), PARTIAL, NABLA.

    Kinds that stand beside one: SUB and SUP (one part), PRIME, PERCENT, FACT (a factorial), PLUS, MINUS, OP (text: the
    operator).

    Kinds that part formulas, sides and cells: REL (text: the relation; value: an arrow's label), SEP, ROW, AMP,
    COMMA, SEMI, COLON, MID (a condition), GAP (a drawn space), LAYOUT (a display environment; one part).

    BAD is what was not understood (value: why); its part, if any, is what stands behind it all the same.
    """

    kind: str
    text: str
    start: int
    end: int
    parts: list[list[Tok]] = field(default_factory=list)
    value: Any = None

    def __str__(self) -> str:
        return self.text


def cut(tokens: list[Tok], *kinds: str) -> list[list[Tok]]:
    """The tokens between tokens of these kinds; nothing behind the last of these is no part."""
    parts: list[list[Tok]] = [[]]
    for token in tokens:
        if token.kind in kinds:
            parts.append([])
        else:
            parts[-1].append(token)
    if len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


def unwrapped(tokens: list[Tok]) -> list[Tok]:
    """The tokens without braces round all of them."""
    while len(tokens) == 1 and tokens[0].kind == "BRACE":
        tokens = tokens[0].parts[0]
    return tokens
