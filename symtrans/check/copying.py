"""Numbers copied wrongly: a new fault, or the right number of a name whose own result is wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symtrans.check.compare import fits
from symtrans.check.finding import Entry, LinkVerdict, Root
from symtrans.check.show import closed, decimal, shown
from symtrans.check.state import State, key_of
from symtrans.check.world import Value
from symtrans.exact.enclosure import bounds
from symtrans.exact.field import Element
from symtrans.notation.name import AnyName

BITS = 64


def copy_fault(
    state: State, verdict: LinkVerdict, name: AnyName, value: Value, written: Value, truth: Value
) -> LinkVerdict:
    """The verdict on a literal with this value that stands for a name, `written` and `truth` being the name's.

    Where the name's own result is the fault, and the literal is nearer to the truth wherever it
    differs, the fault is inherited; so is one that was told before of the same copy.
    """
    width = value.shape[1] if value.shape else 1
    differing = [k for k, (x, y) in enumerate(zip(value.entries, written.entries, strict=True)) if x != y]
    entries = tuple(
        Entry(k // width + 1, k % width + 1, closed(value.entries[k]), closed(written.entries[k]),
              decimal(written.entries[k]))
        for k in differing
    )  # fmt: skip
    found = replace(
        verdict, verdict="FAILS", code="ST304", level="error", entries=entries, exact=shown(written),
        truth=shown(truth), names=(name.key,), root=None,
    )  # fmt: skip
    known = state.world.find(name)
    root = None if known is None else known.root
    fitting = root is not None and fits(truth.shape, value.shape, True)
    if fitting and all(_is_nearer(*(side.entries[k] for side in (value, written, truth))) for k in differing):
        return replace(found, verdict="INHERITED", root=root)
    key = (name.key, state.world.version(name.key), key_of(value))
    first = state.copied.setdefault(key, Root(verdict.formula, verdict.step))
    return found if first == Root(verdict.formula, verdict.step) else replace(found, verdict="INHERITED", root=first)


def _is_nearer(value: Element, written: Element, truth: Element) -> bool:
    """Whether a value is much nearer to the truth than what is written."""
    values = [_middle(each) for each in (value, written, truth)]
    if any(each is None for each in values):
        return False
    one, other, right = (each for each in values if each is not None)
    return 4 * abs(one - right) < abs(other - right)


def _middle(element: Element) -> Fraction | None:
    if element.is_rational:
        return element.fraction
    found = None if element.infinite else bounds(element, BITS)
    return None if found is None else (found[0] + found[1]) / 2
