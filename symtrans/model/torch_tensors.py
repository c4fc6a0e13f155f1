"""Tensors of PyTorch, or nested lists, as a specification writes them: every float the dyadic rational that it is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symtrans.errors import SymtransError, UsageError
from symtrans.exact.dyadic import dyadic
from symtrans.exact.floats import MOST, Floats, floats
from symtrans.exact.written import Written

Row = list[Written]
MAX_ENTRIES = 1_000_000  # of what is written out number by number


def matrix(value: Any, label: str) -> list[Row] | Floats:
    """A matrix of exact numbers, a large one as an array; UsageError, which begins with `label`, for anything else."""
    kept = _kept(value, label)
    if kept is not None:
        return kept
    nested = _nested(value, label)
    if _depth(nested) != 2:
        raise UsageError(f"{label} has {_depth(nested)} axes; a matrix is expected")
    return [row_of(row, f"{label}[{i}]") for i, row in enumerate(nested)]


def row_of(value: Any, label: str) -> Row:
    """A list of exact numbers."""
    nested = _nested(value, label)
    if _depth(nested) != 1:
        raise UsageError(f"{label} has {_depth(nested)} axes; a list of numbers is expected")
    return [number(cell, f"{label}[{i}]") for i, cell in enumerate(nested)]


def number(value: Any, label: str) -> Written:
    """An exact number from a float, a whole number, a fraction or a numeral in quotes."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return dyadic(value)
        if isinstance(value, Fraction):
            return Written(str(value), value, None if value.denominator > 1 else 0)
        if isinstance(value, str):
            return Written.parse(value)
    except SymtransError as fault:
        raise UsageError(f"{label}: {fault}") from None
    raise UsageError(f"{label} is {str(value)[:40]!r}; a number is expected")


def sequence(value: Any, label: str, is_batch_first: bool) -> list[Row] | Floats:
    """One sequence, a row a position; a batch is accepted where it has one sequence."""
    nested = _nested(value, label)
    if _depth(nested) != 3:
        return matrix(value, label)
    sizes = {len(nested)} if is_batch_first else {len(row) for row in nested}
    if sizes != {1}:
        raise UsageError(f"{label} is a batch of {max(sizes)} sequences; one is derived at a time")
    return matrix(nested[0] if is_batch_first else [row[0] for row in nested], label)


def mask(value: Any, label: str) -> list[list[str]]:
    """A mask, True or minus infinity where a query may not look, as rows of "0" and "-inf"."""
    nested = _nested(value, label)
    if _depth(nested) != 2:
        raise UsageError(f"{label} has {_depth(nested)} axes; one matrix for all heads is expected")
    return [
        ["-inf" if _hides(cell, f"{label}[{i}][{j}]") else "0" for j, cell in enumerate(row)]
        for i, row in enumerate(nested)
    ]


def entries(value: Any, label: str) -> list[Any]:
    """The vocabulary entry of each position; of a batch, its one sequence."""
    nested = _nested(value, label)
    if _depth(nested) == 2 and len(nested) == 1:
        nested = nested[0]
    if _depth(nested) != 1:
        raise UsageError(f"{label} has {_depth(nested)} axes; one vocabulary entry for each position is expected")
    return list(nested)


def padding(value: Any, label: str) -> list[int]:
    """A padding mask, True or minus infinity at a key that is none, as flags of those that are."""
    nested = _nested(value, label)
    if _depth(nested) == 2 and len(nested) == 1:
        nested = nested[0]
    if _depth(nested) != 1:
        raise UsageError(f"{label} has {_depth(nested)} axes; one entry for each position is expected")
    return [0 if _hides(cell, f"{label}[{i}]") else 1 for i, cell in enumerate(nested)]


def _hides(cell: Any, label: str) -> bool:
    if isinstance(cell, bool):
        return cell
    if isinstance(cell, int | float) and (not cell or str(cell) == "-inf"):
        return bool(cell)
    raise UsageError(f"{label} is {str(cell)[:40]}; a mask holds True and False, or 0 and minus infinity")


def _kept(value: Any, label: str) -> Floats | None:
    """A large matrix of floats as an array; None for any other value, and where NumPy is not installed."""
    plain = all(not getattr(value, odd, False) for odd in ("is_meta", "is_sparse", "is_quantized"))
    if not (hasattr(value, "detach") and plain and value.is_floating_point() and value.ndim == 2):
        return None
    if value.numel() > MOST:
        raise UsageError(f"{label} has {value.numel():,} entries; at most {MOST:,} are derived from")
    try:
        import numpy  # noqa: F401  PyTorch comes without it, too

        return floats(value.detach().cpu().double().numpy())
    except ImportError:
        return None
    except UsageError as fault:
        raise UsageError(f"{label}{fault}") from None


def _nested(value: Any, label: str) -> Any:
    """A tensor or an array as nested lists of Python's own numbers; lists as they are."""
    if getattr(value, "is_meta", False) or getattr(value, "is_sparse", False) or getattr(value, "is_quantized", False):
        raise UsageError(f"{label} is a tensor without plain entries; a dense tensor with values is expected")
    size = value.numel() if hasattr(value, "numel") else 0
    if size > MAX_ENTRIES:
        raise UsageError(f"{label} has {size:,} entries; at most {MAX_ENTRIES:,} are derived from")
    if hasattr(value, "detach"):
        value = value.detach()
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [
            _nested(one, label) if isinstance(one, list | tuple) or hasattr(one, "tolist") else one for one in value
        ]
    raise UsageError(f"{label} is of the type {type(value).__name__}; a tensor or nested lists of numbers are expected")


def _depth(value: Any) -> int:
    """How deep lists are nested in their first members."""
    return 1 + (_depth(value[0]) if value else 0) if isinstance(value, list) else 0
