"""What an architecture declares of a quantity that a specification gives: its shape, and how it is written there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["matrix", "row", "column", "tokens", "flags", "mask", "number"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity of a specification.

    * `shape`: rows and columns, each a dimension, a product of dimensions (`"heads*d_v"`), or `"1"`.
    * `kind`: how it is written: a matrix (rows of quoted numbers), a row or a column (one list of
      them), tokens (numbers of vocabulary entries from 0, which become one-hot rows), flags (one 0
      or 1 a position, a column), a mask (rows of "0" and "-inf"), or one quoted number.
    * `copies`: the dimension that counts its owners, such as `heads`: given once, they share it.
    * `is_optional`: what the model does without it is told in the README's table.
    """

    shape: tuple[str, str] = ("1", "1")
    kind: Kind = "matrix"
    copies: str = ""
    is_optional: bool = False


Section = dict[str, Quantity]
