r"""A result with its unit, `14\,\text{GB}`, whose operands are written without: the number is judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symtrans.check.equality import Equality
from symtrans.check.finding import LinkVerdict
from symtrans.check.valued import Valued
from symtrans.check.valuer import Valuer
from symtrans.notation.name import Name
from symtrans.notation.tree import Node, Number, Product, Symbol

_UPRIGHT = ("text", "roman", "sans", "typewriter")
_BYTES = ("KB", "MB", "GB", "TB", "kB")
_POWERS = {"k": 3, "K": 3, "M": 6, "G": 9, "B": 9, "T": 12}
_MAGNITUDES = {"k": 3, "K": 3, "M": 6, "B": 9, "million": 6, "billion": 9, "thousand": 3}
_NEAR = (Fraction(1, 2), Fraction(2))


def in_units(
    valuer: Valuer, equality: Equality, place: int, plain: LinkVerdict, left: Valued, right: Valued
) -> LinkVerdict | None:
    """The verdict on the number of a result with a unit; None where there is none, or it may count something else.

    A unit may hide a power of ten, so a number is wrong only where it is of the right size.
    """
    if left.value is None or len(left.value.entries) != 1 or right.side is None or right.node is None:
        return None
    for number in _readings(valuer, right.node):
        written = valuer.value_in(number, "written")
        if written.value is None:
            continue
        side = Valued(replace(right.side, node=number), written, written.value, written.value)
        verdict = equality.judge(place, plain, left, side)
        exact, stated = left.value.entries[0], written.value.entries[0]
        if verdict.level != "error":
            return verdict
        if exact.is_rational and stated.is_rational and exact.fraction and stated.fraction:
            ratio = stated.fraction / exact.fraction
            if _NEAR[0] < ratio < _NEAR[1]:
                return verdict
    return None


def _readings(valuer: Valuer, node: Node) -> Iterator[Number]:
    """The number of a result with a unit: as it stands, and by the power of ten that the unit tells."""
    match node:
        case Product((Number(text) as number, *units), ("", *others)) if set(others) <= {"", "slash"}:
            word = _unit(valuer, units)
            if not word or "e" in text.lower():
                return
            if word in _MAGNITUDES:
                yield Number(f"{text}e{_MAGNITUDES[word]}")  # its digits stand nowhere, and nobody mends them
                return
            yield number
            if word in _BYTES:
                yield Number(f"{text}e{_POWERS[word[0]]}")


def _unit(valuer: Valuer, parts: list[Node]) -> str:
    """The unit's word, or nothing where the names are no unit: upright ones that stand for nothing here."""
    word = ""
    for part in parts:
        if not isinstance(part, Symbol) or not isinstance(part.name, Name) or valuer.world.meaning(part.name):
            return ""
        word += part.name.nucleus
    upright = all(isinstance(p, Symbol) and isinstance(p.name, Name) and p.name.font in _UPRIGHT for p in parts)
    return word if upright or word in _BYTES else ""
