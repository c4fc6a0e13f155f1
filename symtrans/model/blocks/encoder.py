"""Encoder-only models: every position looks at every other."""

from __future__ import annotations

from symtrans.model.block import Block, Settings
from symtrans.model.parts.attention import DIMENSIONS, SHARES
from symtrans.model.parts.output import LOSSES
from symtrans.model.parts.sequence import SWITCHES, sequence_quantities, sequence_tape
from symtrans.model.quantity import Section
from symtrans.model.spec import Spec
from symtrans.model.tape import Tape


def declares(settings: Settings) -> dict[str, Section]:
    """What a file gives, with a table [[encoder]] for each layer."""
    return sequence_quantities(settings, "encoder")


def build(spec: Spec) -> Tape:
    """The tape of inputs, forward steps and loss."""
    return sequence_tape(spec, "encoder", is_causal=False)


BLOCK = Block(
    name="encoder",
    dimensions=DIMENSIONS,
    shares=SHARES,
    switches=SWITCHES,
    declares=declares,
    build=build,
    stacks={"encoder": "enc"},
    losses=LOSSES,
)
