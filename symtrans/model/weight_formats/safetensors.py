"""Hugging Face's `.safetensors`: named tensors behind a header that tells their types and places."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

from symtrans.model.weight_format import Unreadable, WeightFormat, refuse_large

WIDEST = 8  # bytes of an entry


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            yield file
    except (OSError, SafetensorError) as fault:
        raise Unreadable(f"is not read as .safetensors ({fault})") from None


def keys(path: Path) -> list[str]:
    """The tensors' names."""
    with _opened(path) as file:
        return list(file.keys())


def read(path: Path, key: str) -> Any:
    """One tensor; its size is looked up before it is read."""
    with _opened(path) as file:
        entry = file.get_slice(key)
        shape, kind = entry.get_shape(), entry.get_dtype()
        refuse_large(WIDEST * prod(shape))
        if kind == "BF16":
            return _half_as_wide(path, key, shape)
        try:
            return file.get_tensor(key)
        except TypeError:
            raise Unreadable(f"holds numbers of the type {kind}; F64, F32, F16, BF16 and integers are read") from None


def _half_as_wide(path: Path, key: str, shape: list[int]) -> Any:
    """A bfloat16 tensor, which NumPy has no type for: the upper half of the bits of a float32."""
    import numpy

    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        first, last = json.loads(file.read(length))[key]["data_offsets"]
        file.seek(8 + length + first)
        halves = numpy.frombuffer(file.read(last - first), dtype="<u2")
    return (halves.astype("<u4") << 16).view("<f4").reshape(shape)


FORMAT = WeightFormat(name="safetensors", library="safetensors", keys=keys, read=read)
