"""What a format of weight files is: which files are of it, and how one array is read out of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symtrans.registry import members

MAX_ARRAY_BYTES = 500_000_000


@dataclass(frozen=True, eq=False)
class WeightFormat:
    """A format of weight files.

    * `name`: the ending of its files' names, without the point.
    * `library`: the optional library that reads it.
    * `keys`: the names of the arrays in a file.
    * `read`: one array of numbers as a NumPy array, by its name, which is one of `keys`.

    Both raise `Unreadable` where the file is not what its ending says, and `ImportError` where the
    library is not installed. A file is data to them: nothing in it is run or unpickled.
    """

    name: str
    library: str
    keys: Callable[[Path], Sequence[str]]
    read: Callable[[Path, str], Any]


class Unreadable(Exception):
    """Why an array cannot be read: the end of a sentence that begins with the file and the key."""


def weight_formats() -> dict[str, WeightFormat]:
    """All formats by the ending of their files."""
    return members("symtrans.model.weight_formats", "FORMAT")


def refuse_large(size: int) -> None:
    """Unreadable where an array takes more bytes than the cap."""
    if size > MAX_ARRAY_BYTES:
        raise Unreadable(f"takes {size:,} bytes; at most {MAX_ARRAY_BYTES:,} are read")
