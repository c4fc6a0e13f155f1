"""What the operations are: shape, exact rule, vjp, printed formula and source, each op in one file."""

from __future__ import annotations

from symtrans.ops.op import Op
from symtrans.registry import members


def all_ops() -> dict[str, Op]:
    """Every op by its name, sorted."""
    return members("symtrans.ops", "OP")


def find_op(name: str) -> Op:
    """The op called `name`; KeyError where there is none."""
    return all_ops()[name]
