"""The softmax of a row of exact logits: one let-bound symbol less than there are different logits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint

from symtrans.errors import UndefinedValue
from symtrans.exact.enclosure import FIRST_BITS, enclose
from symtrans.exact.field import Element, Field, SoftmaxWeight, distinct

FAR_BELOW = 64  # a logit so far below another one is a mask's stand-in, such as -1e9


def softmax_weights(field: Field, logits: Sequence[Element]) -> list[Element]:
    """The weights of one row: 1/n where all logits are equal, 0 where one is masked.

    Equal logits share a weight. The last different one weighs what the others leave, so that two
    logits weigh a and 1-a; only where that would be tiny, the largest takes its place. Rows that
    differ by a constant share their symbols, in any order if the differences are rational.
    """
    finite = [logit for logit in logits if not logit.infinite]
    if not finite:
        raise UndefinedValue("every entry of the row is masked, so its softmax has no value")
    if any(logit.infinite > 0 for logit in logits):
        raise UndefinedValue("a softmax with an infinite logit has no value")
    kinds = distinct(finite)
    counts = {kind: finite.count(kind) for kind in kinds} if len(kinds) > 1 else {kinds[0]: len(finite)}
    base = _base(kinds)
    shifted = {kind: kind - base for kind in kinds}
    row = frozenset((shifted[kind], count) for kind, count in counts.items())
    weights: dict[Element, Element] = {}
    for kind in kinds:
        known = field.known(("softmax", row, shifted[kind]))
        if known is not None:
            weights[kind] = known
    if not weights:
        shown = tuple(None if logit.infinite else logit for logit in logits)
        remaining, rest = _remaining(kinds), field.rational(1)
        for kind in kinds:
            if kind is not remaining:
                weight = field.bound(("softmax", row, shifted[kind]), SoftmaxWeight(shown, logits.index(kind)))
                weights[kind] = weight
                rest = rest - weight * counts[kind]
        weights[remaining] = rest * Fraction(1, counts[remaining])
        field.keep(("softmax", row, shifted[remaining]), weights[remaining])
    zero = field.rational(0)
    return [weights.get(logit) or zero for logit in logits]


def _base(kinds: Sequence[Element]) -> Element:
    """What all logits are counted from: the largest where they differ by rational numbers, else the first."""
    above = [kind - kinds[0] for kind in kinds]
    if all(difference.is_rational for difference in above):
        return max(zip(above, kinds, strict=True), key=lambda pair: pair[0].fraction)[1]
    return kinds[0]


def _remaining(kinds: Sequence[Element]) -> Element:
    """The logit whose weight is what the others leave. Any choice is right; a tiny weight would cancel."""
    last = kinds[-1]
    best, lead = last, flint.arb(FAR_BELOW)
    for kind in kinds:
        above = enclose(kind - last, FIRST_BITS)
        if above > lead:
            best, lead = kind, above
    return best
