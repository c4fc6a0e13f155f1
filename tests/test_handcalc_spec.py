"""The bundled hand calculation: its digits as they stand on paper, and the tape they make."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symtrans.model.build import build
from symtrans.model.load import examples, load_spec
from symtrans.model.spec import with_settings

DIGITS = {
    "x": "1 2; 3 4",
    "W_emb": "1 0; 0 1",
    "W_Q": "0.1 0.2 0.3 0.4; 0.5 0.6 0.7 0.8",
    "W_K": "0.2 0.3 0.4 0.5; 0.6 0.7 0.8 0.9",
    "W_V": "0.3 0.4 0.5 0.6; 0.7 0.8 0.9 1.0",
    "W_O": "1 0; 0 1; 0 0; 0 0; 0 0; 0 0; 0 0; 0 0; 0 0; 0 0; 0 0; 0 0",
    "y": "1 0; 0 1",
}


def test_the_digits_are_those_on_paper() -> None:
    spec = load_spec("handcalc")
    texts = {
        key: [["; ".join(" ".join(cell.text for cell in row) for row in one)] for one in value]
        for key, value in spec.matrices.items()
    }
    assert texts == {key: [[digits]] for key, digits in DIGITS.items()}
    assert spec.matrices["W_V"][0][1][3].value == 1
    assert not spec.matrices["W_V"][0][1][3].is_integer
    assert spec.update is not None
    assert (spec.update.of, spec.update.step.value) == ("y_hat", Fraction(1, 10))
    assert spec.dimensions["heads"] == 3


@pytest.mark.parametrize("name", examples())
def test_an_example_is_called_as_its_file(name: str) -> None:
    assert load_spec(name).name == name


def test_the_tape_goes_in_the_order_of_the_paper() -> None:
    told = [step.id for step in build(load_spec("handcalc")) if not step.silent]
    inputs = ["x", "W_emb", "W_Q", "W_K", "W_V", "W_O", "y", "e"]
    heads = ["Q_1", "K_1", "V_1", "Q_2", "K_2", "V_2", "Q_3", "K_3", "V_3"]
    attention = ["S_1", "S_2", "S_3", "A_1", "A_2", "A_3", "H_1", "H_2", "H_3"]
    assert told == [*inputs, *heads, *attention, "C", "y_hat", "L"]


def test_shapes_and_ops_under_the_switches() -> None:
    spec = load_spec("handcalc")
    plain, scaled = build(spec), build(with_settings(spec, {"weights": "softmax", "scale": "sqrt"}))
    shapes = {"x": (2, 2), "Q_2": (2, 4), "S_3": (2, 2), "H_1": (2, 4), "C": (2, 12), "y_hat": (2, 2), "L": ()}
    assert {key: plain[key].shape for key in shapes} == shapes
    assert "Z_1" not in plain
    assert (plain["A_1"].op.name, plain["A_1"].operands) == ("uniform_weights", ("S_1",))  # type: ignore[union-attr]
    assert (scaled["A_1"].op.name, scaled["A_1"].operands) == ("softmax", ("Z_1",))  # type: ignore[union-attr]
    assert scaled["Z_1"].settings == {"d": 4}
