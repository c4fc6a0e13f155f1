"""Whole processes: what somebody waits for after the return key."""

from __future__ import annotations

from collections.abc import Iterator

from measuring import Aim, Row, interleaved, process


def rows(quick: bool) -> Iterator[Row]:
    """One head derived beside SymPy's import, the help beside an interpreter that does nothing."""
    rounds = 5 if quick else 15
    derive = process("-m", "symtrans", "derive", "--head", "1", "--no-save")
    taken, beside = interleaved(derive, process("-c", "import sympy"), rounds=rounds)
    yield Row("whole process", "symtrans derive --head 1", "import sympy", taken, beside, Aim(slower=1.5))
    taken, beside = interleaved(process("-m", "symtrans", "--help"), process("-c", "pass"), rounds=rounds)
    yield Row("whole process", "symtrans --help", "pass", taken, beside, Aim(slower=3))
