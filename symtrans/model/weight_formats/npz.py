"""NumPy's `.npz`: a zip archive of arrays; pickled objects in it are refused."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from symtrans.model.weight_format import Unreadable, WeightFormat, refuse_large

ENDING = ".npy"


@contextmanager
def _archive(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as fault:
        raise Unreadable(f"is not read as .npz ({fault})") from None


def keys(path: Path) -> list[str]:
    """The arrays' names, in the file's order."""
    with _archive(path) as archive:
        return [name.removesuffix(ENDING) for name in archive.namelist() if name.endswith(ENDING)]


def read(path: Path, key: str) -> Any:
    """One array; its size is looked up before anything is unpacked."""
    from numpy.lib import format

    with _archive(path) as archive:
        member = archive.getinfo(key + ENDING)
        refuse_large(member.file_size)
        with archive.open(member) as file:
            try:
                return format.read_array(file, allow_pickle=False)
            except (ValueError, MemoryError, SyntaxError, TypeError) as fault:
                raise Unreadable(f"is no array of numbers ({str(fault).splitlines()[0]})") from None


FORMAT = WeightFormat(name="npz", library="numpy", keys=keys, read=read)
