"""From a specification to its forward tape."""

from __future__ import annotations

from symtrans.errors import ShapeError, SpecError
from symtrans.model.block import find_block
from symtrans.model.spec import Spec
from symtrans.model.tape import Tape


def build(spec: Spec) -> Tape:
    """The tape of inputs, forward steps and loss; SpecError, which names the file, where an op refuses the shapes."""
    try:
        return find_block(spec.architecture).build(spec)
    except ShapeError as fault:
        raise SpecError(f"{spec.source}: {fault}") from None
