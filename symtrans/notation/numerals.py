r"""Numerals as people write them: `2.0`, `.5`, `1.2e-3`, `10\,000`, `1{,}000`, and with a decimal comma."""

from __future__ import annotations

import re

MAX_DIGITS = 400

_NUMERAL = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+(?![\w.]))?")
_SPACED = re.compile(r"[0-9]{1,3}(?:(?:\\,|[\u2009\u202f])[0-9]{3})+(?![0-9])(?:\.[0-9]+)?")
_BRACED_COMMA = re.compile(r"[0-9]+(?:\{,\}[0-9]+)+(?:\.[0-9]+)?")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])(?:\.[0-9]+)?")
# A decimal comma has no space behind it. 1,2,3 is a list, and so is a pair alone in brackets: [10,0].
_DECIMAL_COMMA = re.compile(r"(?<![,\[])[0-9]+,[0-9]+(?![0-9]|,[0-9])|(?<!,)[0-9]+,[0-9]+(?![0-9]|,[0-9]|\])")
_SEPARATOR = re.compile(r"\\,|[\u2009\u202f]")


def numeral(source: str, at: int, decimal_comma: bool, in_brackets: bool) -> tuple[str, int, bool] | None:
    """The numeral that stands here: its digits with a decimal point, where it ends, and whether it had a comma.

    A comma between groups of three digits (`1,000`) is one of thousands where it could not part the
    entries of a list; `{,}` before exactly three digits too, unless a 0 alone stands before it.
    """
    spaced = _SPACED.match(source, at)
    if spaced:
        return _SEPARATOR.sub("", spaced[0]), spaced.end(), False
    braced = _BRACED_COMMA.match(source, at)
    if braced:
        groups = braced[0].split("{,}")
        thousands = not decimal_comma and groups[0] != "0" and all(len(g.split(".")[0]) == 3 for g in groups[1:])
        if thousands or len(groups) == 2:
            return ("" if thousands else ".").join(groups), braced.end(), not thousands
    if decimal_comma:
        comma = _DECIMAL_COMMA.match(source, at)
        if comma:
            return comma[0].replace(",", "."), comma.end(), True
    elif not in_brackets:
        grouped = _THOUSANDS.match(source, at)
        if grouped:
            return grouped[0].replace(",", ""), grouped.end(), False
    plain = _NUMERAL.match(source, at)
    return (plain[0], plain.end(), False) if plain else None
