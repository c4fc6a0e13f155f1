"""Exact numbers: every value and gradient of the hand calculation beside the same products called bare in FLINT."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from bare import forward_backward, numbers
from handcalc import TARGETS, forward
from measuring import Aim, Row, interleaved, is_there

from symtrans.derive.backward import with_gradients
from symtrans.derive.values import Values

NOTE = "equal values; both begin with Python's fractions"
WORK = "forward and backward of the hand calculation, exact"


def rows(quick: bool) -> Iterator[Row]:
    """FLINT bare, and NumPy's float64 as a measure of what any matrices cost."""
    import flint

    tape = with_gradients(forward("uniform"), TARGETS)

    def ours() -> Values:
        values = Values(tape)
        values.settle(*(step.id for step in tape))
        return values

    def entries() -> Values:
        values = Values(tape)
        for step in tape:
            values.tensor(step.id)
        return values

    fractions = {**numbers(), "half": [[Fraction(1, 2)] * 2] * 2}

    def bare() -> dict[str, Any]:
        given = {
            name: flint.fmpq_mat([[flint.fmpq(*e.as_integer_ratio()) for e in row] for row in matrix])
            for name, matrix in fractions.items()
        }
        return forward_backward(flint.fmpq_mat, given)

    compare(ours(), bare())
    rounds = 21 if quick else 201
    taken, looked_at, beside = interleaved(ours, entries, bare, rounds=rounds)
    yield Row(WORK, "every step of the tape", "FLINT, called bare", taken, beside, Aim(slower=5), NOTE)
    yield Row(WORK, "the same, every entry as an element", "FLINT, called bare", looked_at, beside)
    if not is_there("numpy"):
        yield Row(WORK, "every step of the tape", "NumPy float64, not exact", None, None, note="absent: NumPy")
        return
    taken, beside = interleaved(ours, in_numpy(), rounds=rounds)
    yield Row(WORK, "every step of the tape", "NumPy float64, not exact", taken, beside)


def compare(values: Values, found: dict[str, Any]) -> None:
    """Both ways must give the same numbers, or there is nothing to compare."""
    for name, matrix in found.items():
        entries = [matrix] if name == "L" else matrix.entries()
        own = [entry.rational for entry in values.tensor(name).entries]
        assert own == list(entries), name


def in_numpy() -> Any:
    """The same program on NumPy's arrays."""
    import numpy

    class Array:
        """An array with the few methods that the bare program calls."""

        def __init__(self, values: Any) -> None:
            self.values = values

        def __mul__(self, other: Array) -> Array:
            return Array(self.values @ other.values)

        def __add__(self, other: Array) -> Array:
            return Array(self.values + other.values)

        def __sub__(self, other: Array) -> Array:
            return Array(self.values - other.values)

        def transpose(self) -> Array:
            return Array(self.values.T)

        def entries(self) -> list[Any]:
            return list(self.values.ravel())

    def matrix(height: int, width: int, entries: list[Any]) -> Array:
        return Array(numpy.array(entries, dtype=float).reshape(height, width))

    given = {name: Array(numpy.array(value, dtype=float)) for name, value in numbers().items()}
    given["half"] = matrix(2, 2, [0.5] * 4)
    return lambda: forward_backward(matrix, given)
