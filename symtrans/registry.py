"""Open sets: every member is one file in a folder, found by walking the folder."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib import resources
from typing import Any


@cache
def members(package: str, attribute: str) -> dict[str, Any]:
    """The objects called `attribute` in all modules below `package`, by their `name`, sorted.

    A module without that attribute is not a member. Two members of one name are a mistake of
    ours and raise `ValueError`.
    """
    root = importlib.import_module(package)
    found: dict[str, Any] = {}
    for info in pkgutil.walk_packages(root.__path__, package + "."):
        member = getattr(importlib.import_module(info.name), attribute, None)
        if member is None:
            continue
        if member.name in found:
            raise ValueError(f"two members of {package} are called {member.name}")
        found[member.name] = member
    return dict(sorted(found.items()))


def files(package: str, suffix: str) -> dict[str, str]:
    """The texts of the files in `package` that end in `suffix`, by stem, sorted."""
    folder = resources.files(package)
    return {
        entry.name.removesuffix(suffix): entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(suffix)
    }


def file_names(package: str, suffix: str) -> list[str]:
    """The stems of the files in `package` that end in `suffix`, sorted."""
    return sorted(e.name.removesuffix(suffix) for e in resources.files(package).iterdir() if e.name.endswith(suffix))
