"""Python identifiers for steps: valid, unique, and as close to the steps' ids as can be."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterable

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
        name, count = f"{plain}_" if keyword.iskeyword(plain) or plain in refused else plain, 1
        while name in used:
            count += 1
            name = f"{plain}_{count}"
        used.add(name)
        found[step_id] = name
    return found
