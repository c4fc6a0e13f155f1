"""What an architecture is: which dimensions, switches, inputs and parameters it takes, and how its tape is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from symtrans.errors import UsageError
from symtrans.model.tape import Tape
from symtrans.registry import members

if TYPE_CHECKING:
    from symtrans.model.spec import Spec


@dataclass(frozen=True, eq=False)
class Block:
    """An architecture.

    * `dimensions`: the whole numbers that a specification gives.
    * `switches`: for each the values it can have, the default first.
    * `inputs`, `parameters`: the shape of each matrix in dimensions, `"heads*d_v"` for a product.
    * `per_head`: parameters of which every head has its own (given once, they are shared).
    """

    name: str
    dimensions: tuple[str, ...]
    switches: Mapping[str, tuple[str, ...]]
    inputs: Mapping[str, tuple[str, str]]
    parameters: Mapping[str, tuple[str, str]]
    build: Callable[[Spec], Tape]
    per_head: frozenset[str] = field(default_factory=frozenset)
    losses: tuple[str, ...] = ("half_sum_of_squares",)


def blocks() -> dict[str, Block]:
    """All architectures by name."""
    return members("symtrans.model.blocks", "BLOCK")


def find_block(name: str) -> Block:
    """The architecture called `name`; UsageError, which names those there are, for another."""
    if name not in blocks():
        raise UsageError(f"no architecture {name}: there are {', '.join(blocks())}")
    return blocks()[name]
