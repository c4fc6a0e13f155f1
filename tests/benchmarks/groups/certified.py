"""Certified numbers: the hand calculation with softmax on balls beside bare Arb, mpmath's intervals and PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bare import forward_backward, numbers
from handcalc import TARGETS, forward
from measuring import Aim, Row, interleaved, is_there

from symtrans.derive.backward import with_gradients
from symtrans.derive.enclosures import Enclosures
from symtrans.derive.values import Values
from symtrans.exact.rounding import certify

NOTE = "the balls meet; both begin with FLINT's rationals"
BITS = 128
WORK = "forward and backward of the hand calculation with softmax, certified"
BALLS, DIGITS = "every step on balls, 128 bits", "every step exactly, then 6 proven digits of all entries"


def rows(quick: bool) -> Iterator[Row]:
    """The balls of every step, and the whole way to printed digits, each beside its peers."""
    import flint

    tape = with_gradients(forward(), TARGETS)
    inputs = {step.id: Values(tape).tensor(step.id) for step in tape if step.op is None}

    def balls() -> Enclosures:
        enclosures = Enclosures(tape, inputs.get)
        enclosures.settle((step.id for step in tape), BITS)
        return enclosures

    def digits() -> list[str]:
        values = Values(tape)
        return [certify(entry, 6).text for step in tape for entry in values.tensor(step.id).entries]

    ratios = {
        name: [[flint.fmpq(*entry.as_integer_ratio()) for entry in row] for row in matrix]
        for name, matrix in numbers().items()
    }

    def arb() -> dict[str, Any]:
        with flint.ctx.workprec(BITS):
            given = {name: flint.arb_mat(matrix) for name, matrix in ratios.items()}
            return forward_backward(flint.arb_mat, given, flint.arb.exp)

    compare(balls(), arb())
    rounds = 11 if quick else 51
    on_balls, to_digits, bare = interleaved(balls, digits, arb, rounds=rounds)
    yield Row(WORK, BALLS, "Arb, 128 bits, called bare", on_balls, bare, Aim(slower=3), NOTE)
    yield Row(WORK, DIGITS, "Arb, 128 bits, called bare", to_digits, bare)
    for peer, module, program in (("mpmath's intervals", "mpmath", in_mpmath), ("PyTorch autograd", "torch", in_torch)):
        if not is_there(module):
            yield Row(WORK, BALLS, peer, None, None, note=f"absent: {module}")
            continue
        taken, beside = interleaved(balls, program(), rounds=rounds // 5)
        yield Row(WORK, BALLS, peer, taken, beside, note="" if module == "mpmath" else "float64, nothing proven")


def compare(enclosures: Enclosures, found: dict[str, Any]) -> None:
    """The balls of both ways contain the same numbers, so they must meet."""
    for name, matrix in found.items():
        entries = [matrix] if name == "L" else matrix.entries()
        own = enclosures.of(name, BITS).entries
        assert all(one.overlaps(other) for one, other in zip(own, entries, strict=True)), name


def in_mpmath() -> Any:
    """The same program on mpmath's intervals of the same precision."""
    from mpmath import iv

    class Interval:
        """A matrix of intervals with the few methods that the bare program calls."""

        def __init__(self, values: Any) -> None:
            self.values = values

        def __mul__(self, other: Interval) -> Interval:
            return Interval(self.values * other.values)

        def __add__(self, other: Interval) -> Interval:
            return Interval(self.values + other.values)

        def __sub__(self, other: Interval) -> Interval:
            return Interval(self.values - other.values)

        def transpose(self) -> Interval:
            return Interval(self.values.T)

        def entries(self) -> list[Any]:
            return list(self.values)

    def matrix(height: int, width: int, entries: list[Any]) -> Interval:
        return Interval(iv.matrix([entries[i * width : (i + 1) * width] for i in range(height)]))

    def run() -> Any:
        iv.prec = BITS
        given = {
            name: Interval(iv.matrix([[iv.mpf(e.numerator) / e.denominator for e in row] for row in value]))
            for name, value in numbers().items()
        }
        return forward_backward(matrix, given, iv.exp)

    return run


def in_torch() -> Any:
    """Autograd's gradients of the same loss in float64."""
    import torch

    given = {name: [[float(e) for e in row] for row in value] for name, value in numbers().items()}

    def run() -> Any:
        tensors = {name: torch.tensor(value, dtype=torch.float64) for name, value in given.items()}
        leaves = [tensors[name].requires_grad_() for name in ("x", "W_emb", "W_O")]
        h = tensors["x"] @ tensors["W_emb"]
        parts = []
        for _ in range(3):
            own = [tensors[name].clone().requires_grad_() for name in ("W_Q", "W_K", "W_V")]
            leaves += own
            q, k, v = (h @ weight for weight in own)
            parts.append(torch.softmax(q @ k.T, dim=1) @ v)
        error = torch.cat(parts, dim=1) @ tensors["W_O"] - tensors["y"]
        return torch.autograd.grad((error * error).sum() / 2, leaves)

    return run
