"""What an architecture is: which dimensions, switches and quantities it takes, and how its tape is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from symtrans.errors import UsageError
from symtrans.model.quantity import Section
from symtrans.model.tape import Tape
from symtrans.registry import members

if TYPE_CHECKING:
    from symtrans.model.spec import Spec

Settings = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Block:
    """An architecture.

    * `dimensions`: the whole numbers that a specification gives. A dimension that only shapes
      name, such as the number of positions, is taken from the first quantity that has it.
    * `shares`: for a dimension that may be left out, what it is then: another dimension, or one
      divided by another (`"d_model/heads"`).
    * `switches`: for each the values it can have, the default first.
    * `declares`: under given switches, the quantities of each section of the file.
    * `stacks`: the sections that are one table for each layer (`[[encoder]]`), each with the prefix
      of its steps; a stack may have sub-tables, declared as `encoder.cross`.
    * `losses`: the kinds of loss, the default first.
    * `begins`: the optional quantities that a file to begin with gives.
    """

    name: str
    dimensions: tuple[str, ...]
    switches: Mapping[str, tuple[str, ...]]
    declares: Callable[[Settings], Mapping[str, Section]]
    build: Callable[[Spec], Tape]
    shares: Mapping[str, str] = field(default_factory=dict)
    stacks: Mapping[str, str] = field(default_factory=dict)
    losses: tuple[str, ...] = ("half_sum_of_squares",)
    begins: tuple[str, ...] = ()


def blocks() -> dict[str, Block]:
    """All architectures by name."""
    return members("symtrans.model.blocks", "BLOCK")


def find_block(name: str) -> Block:
    """The architecture called `name`; UsageError, which names those there are, for another."""
    if name not in blocks():
        raise UsageError(f"no architecture {name}: there are {', '.join(blocks())}")
    return blocks()[name]
