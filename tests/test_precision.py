"""Balls of deep tapes: the precision that a tape needs is found along the way, and no digit depends on how."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import flint

from symtrans.derive.backward import with_gradients
from symtrans.derive.values import Values
from symtrans.exact.enclosure import FIRST_BITS, enclose, is_told
from symtrans.exact.rounding import certify
from symtrans.model.build import build
from symtrans.model.spec_reader import read_spec
from symtrans.model.tape import Tape
from symtrans.registry import files

LAYERS = 6
PRECISE = 2048  # far beyond what any of these steps needs


@cache
def stack() -> Tape:
    """Encoder layers with the gradient of the embedding table."""
    head, layer = files("symtrans.model.examples", ".toml")["encoder"].split("\n[[encoder]]")
    return with_gradients(build(read_spec(head + f"\n[[encoder]]{layer}" * LAYERS, "layers.toml")), ["E"])


@cache
def told() -> tuple[Values, dict[str, list[str]]]:
    """The values, and every number of every step as it is printed."""
    values = Values(stack())
    return values, {s.id: [certify(entry, 6).plain for entry in values.tensor(s.id).entries] for s in stack()}


def test_digits_are_those_of_a_precision_far_beyond() -> None:
    printed, values, counted = told()[1], Values(stack()), 0
    for step_id in ("enc3.Z_encoder_output", f"enc{LAYERS}.Z_encoder_output", "L", "dL/denc2.Z_add_norm_1", "dL/dE"):
        for entry, text in zip(values.tensor(step_id).entries, printed[step_id], strict=True):
            number, unit = Fraction(text), Fraction(10) ** -len(text.partition(".")[2])
            ball = enclose(entry, PRECISE)
            with flint.ctx.workprec(PRECISE):
                off = abs(ball - flint.fmpq(*number.as_integer_ratio()))
            assert off <= flint.fmpq(*(unit / 2).as_integer_ratio()), (step_id, text)
            counted += text != "0"
    assert counted > 30


def test_few_steps_are_carried_out_at_less_than_what_the_tape_needs() -> None:
    values = told()[0]
    assert values._bits > FIRST_BITS
    assert len(values._enclosures._known[FIRST_BITS]) < len(stack()) / 4


def test_what_a_ball_tells() -> None:
    narrow, wide = flint.arb(1, 2.0**-40), flint.arb(1, 2.0**-20)
    assert is_told(narrow, 32)
    assert not is_told(wide, 32)
    assert is_told(flint.arb(0, 1), 32)  # perhaps a zero
    assert is_told(flint.arb(7), 32)
    assert not is_told(flint.arb.nan(), 32)
    assert is_told(wide, 0)
    assert not is_told(flint.arb.nan(), 0)
