"""What every reader of a part of a specification can do: refuse, in one sentence that begins with file and key."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from symtrans.errors import SpecError
from symtrans.model.toml_text import short


class SpecFile:
    """The file that a specification is read from; `source` is how faults call it."""

    def __init__(self, source: str) -> None:
        self.source = source

    def fault(self, key: str, what: str, accepted: str) -> NoReturn:
        """SpecError: where, what, and what would be accepted."""
        raise SpecError(f"{self.source}: {key}: {what}; {accepted}")

    def known(self, prefix: str, table: Mapping[str, Any], allowed: Iterable[str]) -> None:
        """Refuse a key that is not one of those allowed."""
        choices = list(allowed)
        for key in table:
            if key not in choices:
                key = short(key)
                alike = [choice for choice in choices if choice.lower() == key.lower()]
                close = alike or difflib.get_close_matches(key, choices, 1)
                hint = f"did you mean {close[0]}?" if close else f"the keys here are {', '.join(choices)}"
                self.fault(f"{prefix}.{key}" if prefix else key, "is not a key of a specification", hint)
