"""Derivations of other examples than the bundled one, against an independent forward pass and differences of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import mpmath
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import symtrans
from symtrans.derive.backward import with_gradients
from symtrans.derive.derivation import derive
from symtrans.errors import UsageError
from symtrans.exact.written import Written
from symtrans.model.build import build
from symtrans.model.load import load_spec
from symtrans.model.spec_reader import read_spec
from symtrans.model.tape import Tape

small = st.sampled_from(["0", "1", "-1", "0.5", "1/3", "-0.25", "2"])


def matrix(rows: int, columns: int) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(small, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


SHAPES = {"x": (3, 2), "y": (3, 2), "W_emb": (2, 2), "W_K": (2, 2), "W_O": (4, 2)}
PER_HEAD = {"W_Q": (2, 2), "W_V": (2, 2)}


@st.composite
def specifications(draw: Any) -> tuple[str, dict[str, Any], bool]:
    """A specification with two heads that differ, its matrices, and whether scores are scaled."""
    matrices: dict[str, Any] = {name: draw(matrix(*shape)) for name, shape in SHAPES.items()}
    matrices |= {name: [draw(matrix(*shape)) for _ in range(2)] for name, shape in PER_HEAD.items()}
    scaled = draw(st.booleans())
    text = (
        'name = "t"\narchitecture = "attention"\n[dimensions]\npositions = 3\nd_in = 2\nd_model = 2\nd_k = 2\nd_v = 2\n'
    )
    text += f'heads = 2\nd_out = 2\n[switches]\nscale = "{"sqrt" if scaled else "none"}"\n'
    text += "[inputs]\n" + "".join(f"{name} = {matrices[name]}\n" for name in ("x", "y"))
    text += "[parameters]\n" + "".join(f"{name} = {value}\n" for name, value in matrices.items() if name[0] == "W")
    return text, matrices, scaled


def numbers(rows: list[list[str]]) -> mpmath.matrix:
    return mpmath.matrix(
        [[mpmath.mpf(sympy.Rational(cell).p) / sympy.Rational(cell).q for cell in row] for row in rows]
    )


def loss(m: dict[str, Any], scaled: bool) -> Any:
    """The loss, written once more from the definitions, in mpmath."""
    e = m["x"] * m["W_emb"]
    outputs = []
    for head in range(2):
        scores = (e * m["W_Q"][head]) * (e * m["W_K"]).T
        if scaled:
            scores = scores / mpmath.sqrt(2)
        for i in range(3):
            powers = [mpmath.exp(scores[i, j]) for j in range(3)]
            for j in range(3):
                scores[i, j] = powers[j] / mpmath.fsum(powers)
        outputs.append(scores * (e * m["W_V"][head]))
    total = mpmath.mpf(0)
    for i in range(3):
        row = [*outputs[0][i, :], *outputs[1][i, :]]
        for j in range(2):
            predicted = mpmath.fsum(row[k] * m["W_O"][k, j] for k in range(4))
            total += (predicted - m["y"][i, j]) ** 2
    return total / 2


@settings(max_examples=12)
@given(specifications())
def test_loss_and_gradients_against_central_differences(case: tuple[str, dict[str, Any], bool]) -> None:
    text, matrices, scaled = case
    derivation = derive(read_spec(text, "t.toml"), wrt=["all", "W_K"])
    with mpmath.workdps(60):
        values: dict[str, Any] = {name: numbers(matrices[name]) for name in SHAPES}
        values |= {name: [numbers(one) for one in matrices[name]] for name in PER_HEAD}
        assert abs(mpmath.mpf(derivation["L"].decimals(40)[0][0]) - loss(values, scaled)) < mpmath.mpf(10) ** -35
        step = mpmath.mpf(10) ** -20
        places = [("x", values["x"]), ("W_K", values["W_K"]), ("W_O", values["W_O"]), ("W_emb", values["W_emb"])]
        places += [(f"{name}{head + 1}", values[name][head]) for name in PER_HEAD for head in range(2)]
        for name, array in places:
            ours = derivation.gradient(name).decimals(25)
            for i in range(array.rows):
                for j in range(array.cols):
                    kept = array[i, j]
                    array[i, j] = kept + step
                    above = loss(values, scaled)
                    array[i, j] = kept - step
                    below = loss(values, scaled)
                    array[i, j] = kept
                    assert abs((above - below) / (2 * step) - mpmath.mpf(ours[i][j])) < mpmath.mpf(10) ** -20, (
                        name,
                        i,
                        j,
                    )


def test_a_matrix_shared_by_heads_has_the_sum_of_its_copies_gradients() -> None:
    derivation = symtrans.load("handcalc").derive(settings={"weights": "softmax"}, wrt=["W_V", "W_V1", "W_V2", "W_V3"])
    parts = [derivation.gradient(f"W_V{head}").value for head in (1, 2, 3)]
    total = derivation.gradient("W_V").value
    assert (total - parts[0] - parts[1] - parts[2]).applyfunc(sympy.expand) == sympy.zeros(2, 4)


def test_a_use_is_told_and_then_the_sum() -> None:
    tape = with_gradients(build(symtrans.load("handcalc").spec), ["e"])
    gradients = [step.id for step in tape if step.of == "e"]
    assert gradients == ["dL/de via V_3", "dL/de via V_2", "dL/de via V_1", "dL/de"]


def test_only_what_a_gradient_needs_is_derived() -> None:
    tape = with_gradients(build(symtrans.load("handcalc").spec), ["W_O"])
    assert [step.id for step in tape if step.part == "backward"] == ["dL/dy_hat", "dL/dW_O"]


def test_the_slice_of_a_head() -> None:
    tape = build(symtrans.load("handcalc").spec)
    sliced = [step.id for step in tape.sliced(["H_1"])]
    assert sliced == [
        "x",
        "W_emb",
        "W_Q",
        "W_K",
        "W_V",
        "e",
        "W_Q1",
        "Q_1",
        "W_K1",
        "K_1",
        "W_V1",
        "V_1",
        "S_1",
        "A_1",
        "H_1",
    ]


def test_a_step_is_assigned_once_and_fits() -> None:
    tape = Tape(build(symtrans.load("handcalc").spec))
    step = tape["Q_1"]
    with pytest.raises(ValueError, match="Q_1 is on the tape already"):
        tape.add(id="Q_1", name=step.name, op=step.op, operands=step.operands, part="forward", role="x", kind="x")
    with pytest.raises(symtrans.errors.ShapeError, match="matmul"):
        tape.add(id="bad", name=step.name, op=step.op, operands=("W_Q", "e"), part="forward", role="x", kind="x")
    with pytest.raises(UsageError, match="there is no step Q_9; there are Q_"):
        tape["Q_9"]


def test_the_library_as_the_readme_shows_it() -> None:
    derivation = symtrans.load("handcalc").derive(settings={"weights": "softmax"}, wrt=["all"])
    assert derivation["L"].decimals(14) == [["25.949989560514"]]
    assert derivation.gradient("W_Q1").value.shape == (2, 4)
    assert str(derivation["Q_1"].symbolic[0, 0]) == "e_11*w_11^(Q1) + e_12*w_21^(Q1)"
    assert (
        derivation["Q_1"].latex("ams")
        == r"\mathbf{Q}_1=\begin{bmatrix}1.1 & 1.4 & 1.7 & 2.0 \\ 2.3 & 3.0 & 3.7 & 4.4\end{bmatrix}"
    )
    assert derivation["e"]._repr_latex_() == r"$$\mathbf{e}=\left[\begin{array}{cc}1& 2\\ 3& 4\end{array}\right]$$"
    assert isinstance(derivation["Q_1"].value, sympy.ImmutableMatrix)
    assert symtrans.derive("handcalc", head=1).steps[-1].id == "H_1"  # type: ignore[operator]


def test_an_unmarked_symbol_belongs_to_the_first_head() -> None:
    """Where heads differ, the symbol of a later head's entry is never read as an entry of the first."""
    spec = load_spec("handcalc")
    keys = spec.matrices["W_K"][0]
    nothing = tuple(tuple(Written.parse("0") for _ in row) for row in keys)
    spec = replace(spec, matrices={**spec.matrices, "W_K": (nothing, keys, keys)})
    derivation = derive(spec, settings={"weights": "softmax"})
    assert derivation["A_1"].value == sympy.ones(2, 2) / 2
    assert {str(symbol) for symbol in derivation["A_2"].value.free_symbols} == {"a_11^(2)", "a_21^(2)"}
