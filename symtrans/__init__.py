"""Symtrans: a Transformer's arithmetic derived exactly, and the arithmetic on paper checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symtrans.derive.derivation import Derivation as Derivation
    from symtrans.derive.derivation import from_torch as from_torch
    from symtrans.derive.derivation import load as load
    from symtrans.derive.derivation import loads as loads
    from symtrans.page.verification import verify as verify

__version__ = "0.1.0"
__all__ = ["Derivation", "__version__", "from_torch", "load", "loads", "verify"]

_PUBLIC = {
    **dict.fromkeys(("Derivation", "from_torch", "load", "loads"), "symtrans.derive.derivation"),
    "load_ipython_extension": "symtrans.notebook",  # `%load_ext symtrans` asks for it here
    "verify": "symtrans.page.verification",
}


def __getattr__(name: str) -> Any:
    """The public names, imported when first asked for, so that `import symtrans` loads nothing else."""
    if name == "derive":  # a room of the house that can be called: `symtrans.derive("handcalc", head=1)`
        import importlib

        return importlib.import_module("symtrans.derive")
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    """The public names, whether or not they have been imported yet."""
    return sorted({*globals(), *__all__})
