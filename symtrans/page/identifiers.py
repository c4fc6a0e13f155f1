"""Names of a step for a program: valid Python identifiers, unique, and as close to the ids as can be."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable

AMBIGUOUS = ("l", "I", "O")  # letters that a reader takes for digits; linters refuse them as names


def identifiers(ids: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """An identifier for each id, in order: `dL/dy_hat` becomes `dL_dy_hat`.

    No identifier is a keyword, one of `taken`, or another id's; where two would be alike, the
    later one gets a number.
    """
    refused = {*taken, *AMBIGUOUS}
    used = set(refused)
    found: dict[str, str] = {}
    for step_id in ids:
        plain = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", step_id)).strip("_") or "step"
        if not plain.isidentifier():
            plain = f"step_{plain}"
        if not plain.isidentifier():
            plain = re.sub(r"\W", "_", plain, flags=re.ASCII)
        wanted = f"{plain}_" if keyword.iskeyword(plain) or plain in refused else plain
        found[step_id] = name = unused(wanted, plain, used, "_")
        used.add(name)
    return found


def unused(wanted: str, plain: str, used: Collection[str], joint: str) -> str:
    """The name that is wanted, or `plain` with the first number from 2 on whose name is not used."""
    name, count = wanted, 1
    while name in used:
        count += 1
        name = f"{plain}{joint}{count}"
    return name
