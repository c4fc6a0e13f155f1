r"""Labels of a page's equations, by which a paper refers to them: `\eqref{eq:K_1}`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from symtrans.page.identifiers import unused
from symtrans.page.story import Block, Display

UNSAFE = re.compile(r"[^A-Za-z0-9_.]+")


def labels(blocks: Iterable[Block]) -> dict[int, str]:
    """A label for each display, by its place among the blocks: unique, of letters that TeX leaves alone.

    The numbers of a step have the step's id (`eq:K_1`, `eq:dL-dW_O`); its other lines what they tell
    besides (`eq:K_1-symbolic`), and a second line of one kind its count (`eq:K_1-2`).
    """
    found: dict[int, str] = {}
    used: set[str] = set()
    for place, block in enumerate(blocks):
        if not isinstance(block, Display):
            continue
        plain = "eq:" + (UNSAFE.sub("-", block.line.step.id).strip("-") or "step")
        if block.line.telling != "numbers":
            plain = f"{plain}-{block.line.telling}"
        found[place] = label = unused(plain, plain, used, "-")
        used.add(label)
    return found
