"""Which files a command line means: files, folders walked in sorted order, and what was passed over."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from symtrans.document.source import LARGEST, Source, is_binary
from symtrans.errors import UsageError


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read, or one that is passed over and why."""

    path: str
    skipped: str = ""

    def load(self) -> Source:
        """Read it; raises what `Source.load` raises."""
        return Source.load(self.path)


def collect(paths: Iterable[str | Path]) -> list[Found]:
    """The files that `paths` mean, each once, in order; what is named itself is never passed over.

    Raises `UsageError` where a path does not exist.
    """
    found: dict[str, Found] = {}
    for path in paths:
        name = str(path)
        if name == "-":
            found.setdefault(name, Found(name))
            continue
        try:
            is_folder, exists = Path(name).is_dir(), Path(name).exists()
        except (OSError, ValueError):
            is_folder = exists = False
        if not exists:
            raise UsageError(f"{name} does not exist; give a file, a folder or - for the standard input")
        for entry in _walk(Path(name)) if is_folder else [Found(name)]:
            found.setdefault(entry.path, entry)
    return list(found.values())


def _walk(folder: Path) -> list[Found]:
    entries: list[Found] = []
    for place, folders, files in os.walk(folder):
        for name in [name for name in folders if name.startswith(".")]:
            entries.append(Found(str(Path(place, name)), "a hidden folder"))
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        entries.extend(_judge(Path(place, name)) for name in files)
    return sorted(entries, key=lambda entry: Path(entry.path).parts)


def _judge(path: Path) -> Found:
    if path.name.startswith("."):
        return Found(str(path), "a hidden file")
    try:
        if not path.is_file():
            return Found(str(path), "not a file")
        if path.stat().st_size > LARGEST:
            return Found(str(path), f"larger than {LARGEST // 1_000_000} MB")
        with path.open("rb") as file:
            head = file.read(8192)
    except OSError as fault:
        return Found(str(path), f"cannot be read: {fault.strerror or 'no reason given'}")
    if is_binary(head) and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Found(str(path), "a binary file")
    return Found(str(path))
