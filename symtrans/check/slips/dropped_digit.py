"""A digit was dropped, or two neighbours were exchanged, when the result was written down."""

from __future__ import annotations

from symtrans.check.slip import Slip


def _digits(stated: str, right: str) -> bool:
    if "." not in stated or "." not in right or stated == right or "e" in right:
        return False
    for place in range(len(stated) + 1):
        dropped = right[:place] + right[place + 1 :]
        if right[place : place + 1].isdigit() and dropped[: len(stated)].rstrip("0") == stated.rstrip("0"):
            return True
        pair = right[place : place + 2]
        swapped = right[:place] + pair[::-1] + right[place + 2 :]
        if len(pair) == 2 and pair.isdigit() and swapped[: len(stated)] == stated and pair[0] != pair[1]:
            return True
    return False


SLIP = Slip("dropped-digit", 31, digits=_digits)
