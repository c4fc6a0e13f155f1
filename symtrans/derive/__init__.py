"""Why a line follows: forward, backward and update as steps, exact values, and the lines that tell them.

`symtrans.derive` is this room and, called, derives an example: `symtrans.derive("handcalc", head=1)`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symtrans.derive.derivation import Derivation


class _CallableRoom(ModuleType):
    """The package as a function, so that one name serves the reader of the house and the user of the library."""

    def __call__(self, *args: Any, **options: Any) -> Derivation:
        from symtrans.derive.derivation import derive

        return derive(*args, **options)


sys.modules[__name__].__class__ = _CallableRoom
