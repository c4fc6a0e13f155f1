"""A worked example's specification: dimensions, switches, matrices as written, and how the document names things.

The TOML format is told in the README; `model.spec_reader` checks it against the architecture's declaration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from symtrans.errors import UsageError
from symtrans.exact.written import Written
from symtrans.model.tape import Entries
from symtrans.notation.name import Name

Literal = Entries


@dataclass(frozen=True, slots=True)
class Update:
    """A step of gradient descent: on which quantity, and how far."""

    of: str
    step: Written


@dataclass(frozen=True, slots=True)
class Spec:
    """A worked example.

    * `settings`: the switches' values; `defaults`: as the file sets them.
    * `dimensions`: those given, those left out, and those that the inputs' shapes tell.
    * `matrices`: for each quantity its matrix, or one for each head; a layer's quantities with its
      scope before their name (`enc1.W_Q`), a number as 1×1.
    * `loss`: the op of the loss, or empty where what is given to compare the output with says which.
    * `gradients`: the quantities whose gradient is derived where no others are asked for.
    * `scopes`: for each stack the scopes of its layers, in order.
    * `aliases`: other names that the document has for a quantity in one part, by (id, part).
    * `text`: the TOML that it was read from, or nothing where it was made in Python.
    * `notes`: remarks on a quantity, by language; `when` says under which switch (`weights=uniform`).
    """

    name: str
    source: str
    title: Mapping[str, str]
    architecture: str
    dimensions: Mapping[str, int]
    switches: Mapping[str, tuple[str, ...]]
    settings: Mapping[str, str]
    defaults: Mapping[str, str]
    matrices: Mapping[str, tuple[Literal, ...]]
    loss: str
    update: Update | None
    names: Mapping[str, str]
    aliases: Mapping[tuple[str, str], Name]
    notes: Mapping[str, Mapping[str, str]]
    scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    gradients: tuple[str, ...] = ()
    text: str = field(default="", repr=False, compare=False)

    def is_changed(self, key: str) -> bool:
        """Whether a switch stands otherwise than in the file."""
        return self.settings.get(key) != self.defaults.get(key)


def with_settings(spec: Spec, chosen: Mapping[str, str]) -> Spec:
    """The specification with switches set; UsageError for a switch or a value that it does not have."""
    for key, value in chosen.items():
        if key not in spec.switches:
            raise UsageError(f"--set {key}={value}: {spec.name} has no switch {key}; it has {', '.join(spec.switches)}")
        if value not in spec.switches[key]:
            allowed = " or ".join(spec.switches[key])
            raise UsageError(f"--set {key}={value}: {key} is {allowed}")
    return replace(spec, settings={**spec.settings, **chosen})
