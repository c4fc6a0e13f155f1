"""Signs whose meaning hangs on what stands round them: the bar of a condition, an exclamation mark behind a number."""

from __future__ import annotations

import re

from symtrans.notation.tokens import Tok

BARS = "\\|‖∥"  # what a bar may begin with
# A bar that no second one answers before the bracket closes: a condition, `P(A|B)`, or a divergence, `D(p \| q)`.
_LONE_BAR = re.compile(
    r"(?:\\mid(?![A-Za-z])|\\middle\s*\||\\\||\|\|?|[‖∥])"
    r"(?=[^()\[\]|‖∥]*(?:\([^()|‖∥]*\)[^()\[\]|‖∥]*)*(?:\\right\s*)?[)\]])"
)
_COUNTED = ("NUM", "NAME", "GROUP")  # what a factorial may be of


def condition_end(source: str, at: int) -> int | None:
    """Where a bar that parts a condition from what it conditions ends, or None for another sign."""
    found = _LONE_BAR.match(source, at)
    return found.end() if found else None


def is_factorial(source: str, at: int, before: list[Tok]) -> bool:
    """Whether `!` stands right behind what it counts; `x!=3` is no factorial, `3!=6` is one."""
    if not before or before[-1].kind not in _COUNTED or before[-1].end != at:
        return False
    return before[-1].kind == "NUM" or source[at + 1 : at + 2] not in ("=", "!")
