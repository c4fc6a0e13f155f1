"""What holds in every Transformer whatever its numbers are: exactly where values are exact, else by enclosure."""

from __future__ import annotations

import flint
import pytest

from symtrans.derive.derivation import Derivation, derive
from symtrans.exact.enclosure import enclose
from symtrans.exact.field import Element
from symtrans.model.spec_reader import read_spec
from symtrans.registry import files

TEXTS = files("symtrans.model.examples", ".toml")
BITS = 512
# One head, two positions, key and value biases, no norm: two let-bound weights, so that everything is exact.
EXACT = """
name = "exact"
architecture = "encoder"
[dimensions]
d_model = 2
heads = 1
[switches]
norm = "none"
positions = "none"
activation = "relu"
[inputs]
x = [["1", "2"], ["-1", "1/3"]]
y = [["1", "0"], ["0", "1"]]
[[encoder]]
W_Q = [["0.5", "1"], ["0.25", "-1"]]
W_K = [["1", "0.5"], ["2", "1/3"]]
W_V = [["1", "-1"], ["0.5", "2"]]
W_O = [["1", "0.1"], ["0.2", "1"]]
b_K = ["0.3", "-0.7"]
b_V = ["0.1", "0.4"]
b_O = ["0", "0.5"]
W_1 = [["1", "0"], ["0", "1"]]
W_2 = [["1", "0.5"], ["-0.5", "1"]]
"""


def exact() -> Derivation:
    return derive(read_spec(EXACT, "exact.toml"), wrt=["all"])


def entries(derivation: Derivation, step: str) -> list[tuple[Element, ...]]:
    return derivation.values.tensor(step).rows()


def inner(derivation: Derivation, one: str, other: str) -> Element:
    pairs = zip(derivation.values.tensor(one).entries, derivation.values.tensor(other).entries, strict=True)
    total = derivation.values.field.rational(0)
    for left, right in pairs:
        total = total + left * right
    return total


def test_rows_of_the_cotangent_of_the_scores_sum_to_zero_exactly() -> None:
    derivation = exact()
    assert not any(derivation.values.is_enclosed(step.id) for step in derivation.tape)
    rows = entries(derivation, "dL/dZ_1")
    assert all(not entry.is_rational for row in rows for entry in row)
    assert all(row[0] + row[1] == 0 for row in rows)


def test_the_key_bias_has_no_gradient_at_all() -> None:
    assert [[entry.fraction for entry in row] for row in entries(exact(), "dL/db_K")] == [[0], [0]]


def test_query_and_key_weights_have_equal_shares() -> None:
    """⟨Q, Q̄⟩ = ⟨S, S̄⟩ = ⟨K, K̄⟩: the scores are bilinear; ⟨W_Q, W̄_Q⟩ equals them, as there is no query bias."""
    derivation = exact()
    share = inner(derivation, "S_1", "dL/dS_1")
    assert not share.is_rational
    assert inner(derivation, "Q_1", "dL/dQ_1") == share
    assert inner(derivation, "K_1", "dL/dK_1") == share
    assert inner(derivation, "W_Q", "dL/dW_Q") == share


def test_the_value_bias_is_the_output_bias_through_the_output_weights() -> None:
    """b̄_V = W_O b̄_O, since the attention weights of a row add up to 1."""
    derivation = exact()
    value, output = entries(derivation, "dL/db_V"), entries(derivation, "dL/db_O")
    weights = entries(derivation, "W_O")
    for row, (cell,) in zip(weights, value, strict=True):
        assert cell == row[0] * output[0][0] + row[1] * output[1][0]


def test_linear_shares_of_value_and_output() -> None:
    """⟨H, H̄⟩ = ⟨V, V̄⟩ and ⟨C, C̄⟩ = ⟨W_O, W̄_O⟩."""
    derivation = exact()
    assert inner(derivation, "H_1", "dL/dH_1") == inner(derivation, "V_1", "dL/dV_1")
    assert inner(derivation, "C", "dL/dC") == inner(derivation, "W_O", "dL/dW_O")


@pytest.mark.parametrize("example", ["gpt", "llama"])
@pytest.mark.parametrize("position", [0, 1, 2])
def test_no_position_depends_on_a_later_one(example: str, position: int) -> None:
    """Causality: with the loss at one position only, what enters at later positions gets exactly nothing."""
    keep = str([int(place == position) for place in range(3)])
    text = TEXTS[example].replace("[numbers]", f"keep = {keep}\n[numbers]", 1)
    entering = "X_pos" if example == "gpt" else "X_emb"
    rows = entries(derive(read_spec(text, "x.toml"), wrt=[entering]), f"dL/d{entering}")
    for place, row in enumerate(rows):
        if place > position:
            assert [entry.fraction for entry in row] == [0] * len(row)
        else:
            assert any(not entry.is_rational for entry in row)


def is_nothing(values: list[Element]) -> bool:
    """Whether a sum is proven to be smaller than 2^-400."""
    total = flint.arb(0)
    with flint.ctx.workprec(BITS):
        for value in values:
            total += enclose(value, BITS)
    return bool(abs(total) < flint.arb(2) ** -400)


@pytest.mark.parametrize("example", ["encoder", "encoder-decoder", "gpt", "llama", "bert"])
def test_sums_over_rows_vanish(example: str) -> None:
    """Rows of the cotangents of scores, logits and what a layer norm takes sum to nothing; key biases get none."""
    derivation = derive(read_spec(TEXTS[example], "x.toml"), wrt=["all"])
    checked = 0
    for step in derivation.tape:
        gradient = f"dL/d{step.id}"
        if gradient not in derivation.tape:
            continue
        local = step.id.rpartition(".")[2]
        normed = local in ("R_1", "R_2", "R_3") and derivation.spec.settings["placement"] == "post"
        if (local[:2] in ("S_", "Z_") and step.head is not None) or local == "Z_out" or normed:
            rows = entries(derivation, gradient)
            assert any(not is_nothing([entry]) for row in rows for entry in row), gradient
            assert all(is_nothing(list(row)) for row in rows), gradient
            checked += 1
        if local.startswith("b_K"):
            assert all(is_nothing([entry]) for entry in derivation.values.tensor(gradient).entries), gradient
            checked += 1
    assert checked >= 4
