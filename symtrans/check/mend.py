"""Mending: wrong numbers rewritten in the document's own notation and digits, every other byte left as it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from symtrans.check.finding import FileReport, Numeral
from symtrans.errors import SymtransError
from symtrans.exact.field import Element
from symtrans.exact.rounding import Agreement, certify, decide, exact_decimal

MOST_DECIMALS = 6  # up to here a terminating value is written exactly where the document showed fewer digits


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of the source and what replaces it."""

    start: int
    end: int
    new: str


def mended(report: FileReport) -> tuple[str, tuple[Change, ...]]:
    """The document's text with every number whose truth is known and differs rewritten, and what was changed."""
    assert report.source is not None
    text = report.source.text
    changes = tuple(sorted(_changes(report.literals, text), key=lambda change: change.start))
    for change in reversed(changes):
        text = text[: change.start] + change.new + text[change.end :]
    return text, changes


def _changes(literals: Sequence[Numeral], text: str) -> list[Change]:
    found: dict[tuple[int, int], Change | None] = {}
    for numeral in literals:
        if numeral.truth is None:
            continue
        new = _rewritten(numeral, literals, text)
        if new is None:
            continue
        known = found.get(numeral.span)
        if known is not None and known.new != new:
            found[numeral.span] = None  # two links want it differently: neither is certain
        elif numeral.span not in found:
            found[numeral.span] = Change(*numeral.span, new)
    return [change for change in found.values() if change is not None]


def _rewritten(numeral: Numeral, literals: Sequence[Numeral], text: str) -> str | None:
    """The number as it should stand, or None where it is right or cannot be told."""
    truth, written = numeral.truth, numeral.written
    assert truth is not None
    group = [other.written.decimals or 0 for other in literals if other.group == numeral.group]
    most = max(group, default=0)
    decimals = most if written.is_integer and most else None
    if truth.infinite or decide(truth, written, decimals) in (Agreement.EXACT, Agreement.ROUNDED, Agreement.UNDECIDED):
        return None
    shown = written.decimals if written.decimals is not None else most
    try:
        new = _decimal(truth, shown, most > 0)
    except SymtransError:
        return None
    old = text[numeral.span[0] : numeral.span[1]]
    return None if new is None else _spelled(new, old)


def _decimal(truth: Element, shown: int, with_point: bool) -> str | None:
    """The value as a decimal: shortest where it ends soon, else rounded to the decimals that were shown."""
    if truth.is_rational:
        exact = exact_decimal(truth.fraction)
        if exact is not None and len(exact.partition(".")[2]) <= max(shown, MOST_DECIMALS):
            return f"{exact}.0" if with_point and "." not in exact else exact
    return rounded(truth, max(shown, 1))


def rounded(value: Element, decimals: int) -> str | None:
    """The value to a number of decimals, each proven."""
    if value.is_rational:
        return _fixed(value.fraction, decimals)
    digits = decimals + 2
    while digits < 400:
        printed = certify(value, digits)
        number = Fraction(printed.text) * Fraction(10) ** (printed.exponent or 0)
        low, high = number - _ulp(number, digits), number + _ulp(number, digits)
        if _fixed(low, decimals) == _fixed(high, decimals):
            return _fixed(number, decimals)
        digits += 20
    return None


def _ulp(number: Fraction, digits: int) -> Fraction:
    """More than the error of a certified number of so many significant digits."""
    power = len(str(int(abs(number)))) if abs(number) >= 1 else 0
    return Fraction(10) ** (power - digits)


def _fixed(value: Fraction, decimals: int) -> str:
    whole = round(value * 10**decimals)
    digits = str(abs(whole)).rjust(decimals + 1, "0")
    text = f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits
    return f"-{text}" if whole < 0 else text


def _spelled(new: str, old: str) -> str:
    """A number spelled as the old one was: its decimal mark and its minus."""
    if "{,}" in old:
        new = new.replace(".", "{,}")
    elif "," in old and "." not in old:
        new = new.replace(".", ",")
    return new.replace("-", "−") if "−" in old else new
