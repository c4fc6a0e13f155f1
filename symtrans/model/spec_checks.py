"""What only the built tape can tell of a specification: unused quantities, names that mean two things, odd remarks."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from symtrans.errors import SpecError
from symtrans.model.block import Block
from symtrans.model.spec import Literal, Spec
from symtrans.model.tape import PARTS, Part, Tape
from symtrans.model.toml_text import short
from symtrans.notation.name import AnyName

MAX_CHOICES = 12


def check_spec(spec: Spec, block: Block, places: Mapping[str, str]) -> None:
    """SpecError where nothing uses a quantity, or a name or a remark fits none of the tapes that the switches make.

    `places` tells where in the file each quantity stands.
    """
    _check_use(spec, block, places)
    if not (spec.names or spec.aliases or spec.notes):
        return
    tapes = list(_tapes(spec, block))
    for tape in tapes:
        for part in PARTS:
            _check_names(spec, tape, part)
    _check_notes(spec, tapes)


class _Given(dict[str, tuple[Literal, ...]]):
    """The given quantities; remembers which of them somebody asked for."""

    def __init__(self, given: Mapping[str, tuple[Literal, ...]]) -> None:
        super().__init__(given)
        self.asked: set[str] = set()

    def __getitem__(self, key: str) -> tuple[Literal, ...]:
        self.asked.add(key)
        return super().__getitem__(key)


def _check_use(spec: Spec, block: Block, places: Mapping[str, str]) -> None:
    """What is given is used, under the switches as the file sets them: nothing is left out in silence."""
    given = _Given(spec.matrices)
    tape = block.build(replace(spec, matrices=given))
    used = {operand for step in tape for operand in step.operands}
    for key, literals in spec.matrices.items():
        ids = [key, *(f"{key}{number}" for number in range(1, len(literals) + 1))]
        steps = [step_id for step_id in ids if step_id in tape and tape[step_id].op is None]
        if key not in given.asked or (steps and not used.intersection(steps)):
            raise SpecError(
                f"{spec.source}: {places.get(key, key)}: nothing uses it, with what else is given and these switches; "
                "leave it out"
            )


def _tapes(spec: Spec, block: Block) -> Iterator[Tape]:
    """The tape as the file sets the switches, and with each other value of each switch."""
    yield block.build(spec)
    for key, values in spec.switches.items():
        for value in values:
            if value != spec.settings[key]:
                yield block.build(replace(spec, settings={**spec.settings, key: value}))


def _check_names(spec: Spec, tape: Tape, part: Part) -> None:
    """No two quantities may have the same name in one part."""
    names: dict[str, AnyName] = {step.id: step.name for step in tape}
    names |= {step_id: name for (step_id, where), name in spec.aliases.items() if where == part}
    owner: dict[AnyName, str] = {}
    for step_id, name in names.items():
        other = owner.setdefault(name, step_id)
        if other == step_id:
            continue
        raise SpecError(
            f"{spec.source}: {_place(spec, tape, (step_id, other), part)}: {other} and {step_id} are both called "
            f"{name.key}; every quantity has a name of its own"
        )


def _place(spec: Spec, tape: Tape, pair: tuple[str, str], part: Part) -> str:
    """The key of the file that gave one of two quantities the other's name."""
    for step_id in pair:
        if (step_id, part) in spec.aliases:
            return f"aliases.{step_id.removesuffix('_new')}.{'new' if step_id.endswith('_new') else part}"
    return next((f"names.{tape[i].role}" for i in pair if tape[i].role in spec.names), "names")


def _check_notes(spec: Spec, tapes: list[Tape]) -> None:
    """Every remark stands at a quantity, its gradient, or the quantity after the update."""
    if not spec.notes:
        return
    forward = dict.fromkeys(step.id for tape in tapes for step in tape)
    losses = [step.id for step in tapes[0] if step.part == "loss"]
    known = [*forward, *(f"d{loss}/d{quantity}" for loss in losses for quantity in forward if quantity != loss)]
    if spec.update is not None:
        known.append(f"{spec.update.of}_new")
    for key in spec.notes:
        if key not in known:
            close = difflib.get_close_matches(short(key), known, 1)
            choices = ", ".join(known[:MAX_CHOICES]) + ", …"
            hint = f"did you mean {close[0]}?" if close else f"a remark stands at a quantity: {choices}"
            raise SpecError(f"{spec.source}: notes.{short(key)}: there is no such quantity; {hint}")
