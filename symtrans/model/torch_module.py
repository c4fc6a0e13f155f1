"""What a module of PyTorch is as a specification: which inputs and masks it is called with, and what table it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symtrans.registry import members

Table = dict[str, Any]


@dataclass(frozen=True, eq=False)
class TorchModule:
    """A class of modules.

    * `name`: the class in `torch.nn`.
    * `inputs`: what its forward is called with, in order, each with its key in the specification;
      all from `needed` on may be left out.
    * `masks`, `paddings`: the keywords of its forward that hide keys, each with its key.
    * `defaults`: for a mask that the architecture would otherwise have by itself, the input whose
      positions it is between; PyTorch hides nothing without being told.
    * `table`: a module's own part of a specification's table: architecture, dimensions, switches,
      parameters, numbers, layers; UsageError for a module that has no such table.
    * `is_batch_first`: whether a batch is the first axis of its inputs.
    """

    name: str
    inputs: Mapping[str, str]
    masks: Mapping[str, str]
    paddings: Mapping[str, str]
    table: Callable[[Any], Table]
    is_batch_first: Callable[[Any], bool]
    needed: int
    defaults: Mapping[str, str] = field(default_factory=dict)


def torch_modules() -> dict[str, TorchModule]:
    """All classes of modules that are read, by their names."""
    return members("symtrans.model.torch_modules", "MODULE")
