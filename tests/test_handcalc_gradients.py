"""Loss and gradients of the hand calculation against exact values worked out elsewhere (SymPy, mpmath, torch)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mpmath
import pytest
import sympy

import symtrans

REFERENCE: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "handcalc_gradients.json").read_text("utf-8"))
VARIANTS: dict[str, dict[str, str]] = {
    "uniform_half": {},
    "softmax_unscaled": {"weights": "softmax"},
    "softmax_scaled": {"weights": "softmax", "scale": "sqrt"},
}
a, b = sympy.symbols("a b")


def polynomial(text: str) -> sympy.Expr:
    return sympy.expand(sympy.parse_expr(text, {"a": a, "b": b}))


def in_a_and_b(value: sympy.Expr) -> sympy.Expr:
    """A derived value with head 1's two free weights called a and b."""
    names = {symbol: {"11": a, "21": b}[str(symbol)[-2:]] for symbol in value.free_symbols}
    return sympy.expand(value.xreplace(names))


@pytest.fixture(scope="module", params=list(VARIANTS))
def variant(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Any]:
    return REFERENCE[request.param], symtrans.load("handcalc").derive(settings=VARIANTS[request.param], wrt=["all"])


def test_loss_exactly_and_to_30_digits(variant: tuple[dict[str, Any], Any]) -> None:
    reference, derivation = variant
    exact, decimal = reference["loss"]
    assert in_a_and_b(derivation["L"].value[0]) == polynomial(exact)
    assert derivation["L"].decimals(30) == [[decimal]]


def test_every_gradient_entry_exactly_and_to_30_digits(variant: tuple[dict[str, Any], Any]) -> None:
    reference, derivation = variant
    entries = 0
    for quantity, rows in reference["gradients"].items():
        step = derivation.gradient(quantity)
        decimals = step.decimals(30)
        assert step.value.shape == (len(rows), len(rows[0]))
        for i, row in enumerate(rows):
            for j, (exact, decimal) in enumerate(row):
                assert in_a_and_b(step.value[i, j]) == polynomial(exact), (quantity, i, j)
                with mpmath.workdps(60):
                    ours, theirs = mpmath.mpf(decimals[i][j]), mpmath.mpf(decimal)
                    assert abs(ours - theirs) <= abs(theirs) * mpmath.mpf(10) ** -29, (quantity, i, j)
                entries += 1
    assert entries == 104


def inner(derivation: Any, quantity: str) -> sympy.Expr:
    left, right = derivation[quantity].value, derivation.gradient(quantity).value
    return sympy.expand(sum(x * y for x, y in zip(left, right, strict=True)))


def test_invariants_hold_exactly() -> None:
    derivation = symtrans.load("handcalc").derive(settings={"weights": "softmax", "scale": "sqrt"}, wrt=["all"])
    scores = derivation.gradient("S_1").value
    assert all(sympy.expand(sum(scores[i, :])) == 0 for i in range(2))  # rows of a softmax's cotangent
    assert inner(derivation, "W_Q1") == inner(derivation, "W_K1") == inner(derivation, "S_1")
    assert inner(derivation, "W_V1") == inner(derivation, "H_1")
    assert inner(derivation, "W_O") == inner(derivation, "y_hat")
    assert inner(derivation, "W_emb") == inner(derivation, "x")
    columns = derivation.gradient("W_Q1").value
    assert all(sympy.expand(columns[i, j] * 4 - columns[i, 0] * (4 + j)) == 0 for i in range(2) for j in range(4))
    for head in (2, 3):  # rows 5 to 12 of W_O are zero
        for matrix in "QKV":
            assert derivation.gradient(f"W_{matrix}{head}").value == sympy.zeros(2, 4)


def test_the_exact_loss_at_hard_and_even_attention() -> None:
    loss = in_a_and_b(symtrans.load("handcalc").derive(settings={"weights": "softmax"})["L"].value[0])
    half = sympy.Rational(1, 2)
    assert loss.subs({a: half, b: half}) == sympy.Rational(1263, 100)
    assert loss.subs({a: 0, b: 0}) == sympy.Rational(519, 20)
