"""Arithmetic in plain text: what is found, how it is spelled, and what is left alone."""

from __future__ import annotations

import pytest

from symtrans.document.mapped import Mapped
from symtrans.document.plain.scan import scan


def found(text: str, *, listing: bool = False, language: str = "") -> list[str]:
    return [math.mapped.text for math in scan(Mapped.whole(text), listing=listing, language=language)]


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("1×0.5 + 2×0.7 = 1.9", ["1×0.5 + 2×0.7 = 1.9"]),
        ("We get 3 * 4 = 12 here.", ["3 * 4 = 12"]),
        ("softmax([1, 2]) ≈ [0.27, 0.73]", [r"\text{softmax}([1, 2]) ≈ [0.27, 0.73]"]),
        ("S = Q @ K.T = [[1, 2], [3, 4]]", ["S = Q @ K^{T} = [[1, 2], [3, 4]]"]),
        ("(2 - 0.5) * 2 ~= 3", [r"(2 - 0.5) * 2 \approx 3"]),
        ("3.00 x 2.00 = 6.00", [r"3.00 \times 2.00 = 6.00"]),
        ("2**3 = 8, e^-1 = 0.37", ["2^{3} = 8", "e^{-1} = 0.37"]),
        ("√16 + ½ = 4.5", ["√16 + ½ = 4.5"]),
        ("the root sqrt {49} = 7 follows", [r"\sqrt{49} = 7"]),
        ("sqrt(3*3 + 4*4) = 5", [r"\sqrt{3*3 + 4*4} = 5"]),
        ("x² = 9 and yᵢ = 2", ["x² = 9", "y_{i} = 2"]),
        ("QKᵀ = [[1, 0], [0, 1]]", ["QKᵀ = [[1, 0], [0, 1]]"]),
        ("attn_out_1 = 0.5 W_q + b1", [r"\text{attn\_out}_{1} = 0.5 W_{q} + b_{1}"]),
        ("∂L/∂W_1 = 0.25", [r"\frac{\partial L}{\partial W_{1}} = 0.25"]),
        ("sigma(0) = 1/2", [r"\text{sigma}(0) = 1/2"]),
        ("[1 2; 3 4] + [1 1; 1 1] = [2 3; 4 5]", ["[1 2; 3 4] + [1 1; 1 1] = [2 3; 4 5]"]),
        ("0,85·(1,2) = 1,02", ["0,85·(1,2) = 1,02"]),
        ("75% of 8 = 6, that is 12/16 = 75%", [r"12/16 = 75\%"]),
        ("scores[0][1] = 2 · 3 = 6", [r"\text{scores}_{0,1} = 2 · 3 = 6"]),
        ("max(0, -3) = 0", [r"\text{max}(0, -3) = 0"]),
        ("softmax(x, dim=-1) = [0.5, 0.5]", [r"\text{softmax}(x) = [0.5, 0.5]"]),
        ("torch.softmax([0, 0]) -> [0.5, 0.5]", [r"\text{softmax}([0, 0]) \to [0.5, 0.5]"]),
        ("Hidden State = [1, 2]", [r"\text{Hidden State} = [1, 2]"]),
        ("||v|| = 5", [r"\|v\| = 5"]),
        ("Q = X Wq = [1, 0]", [r"Q = X \text{Wq} = [1, 0]"]),
        ("log2(8) = 3 and log₂8 = 3", [r"\log_{2}(8) = 3", r"\text{log}₂8 = 3"]),
        ("∑_{i=1}^{3} i = 6", ["∑_{i=1}^{3} i = 6"]),
        ("so we get −0.5 × 2 = −1", ["−0.5 × 2 = −1"]),
        ("a result – 2 + 2 = 4", ["2 + 2 = 4"]),
        ("y_hat = 3.5", [r"\hat{y} = 3.5"]),
        ("2Γ—3 = 6", ["2×3 = 6"]),
        ("softmax of scores 1, 2: 27%, 73%", [r"\text{softmax}([1, 2]) = [27\%, 73\%]"]),
        ("the total (2 + 3 = 5) is odd", ["2 + 3 = 5"]),
    ],
)
def test_arithmetic_is_found_and_spelled(text: str, formulas: list[str]) -> None:
    assert found(text) == formulas


@pytest.mark.parametrize(
    "text",
    [
        "colour = red",
        "Set verbose = True and mode=fast.",
        "A -> B -> C",
        "go to step 1 -> step two",
        "x != 3, x <= 4, y >= 2",
        "i += 1",
        "version 1.2.3 = release",
        "(2×3) · (3×4) = (2×4)",
        "10x512 · 512x64 = 10x64",
        "open from 9:00 to 17:00 = 8 hours",
        "3 apples + 2 = 5",
        "d/dx x² = 2x",
        "a list [1, 2, 3] of numbers",
        "",
        "=",
        "= =",
        "the answer = ?",
    ],
)
def test_what_is_no_arithmetic_is_left_alone(text: str) -> None:
    assert found(text) == []


def test_a_line_that_begins_with_a_relation_continues_the_one_above() -> None:
    assert found("0.5 × [1,0] + 0.5 × [0,1]\n= [0.5, 0.5]") == ["0.5 × [1,0] + 0.5 × [0,1]\n= [0.5, 0.5]"]
    assert found("=2(3)(4)=24") == ["=2(3)(4)=24"]
    assert found("=> 7−2=5") == ["7−2=5"]


def test_a_label_stands_before_a_colon() -> None:
    labelled = scan(Mapped.whole("first: 1 + 1 = 2\nsecond: 2 + 2 = 4, 3 + 3 = 6"))
    assert [(math.label, math.mapped.text) for math in labelled] == [
        ("first", "1 + 1 = 2"), ("second", "2 + 2 = 4"), ("second", "3 + 3 = 6"),
    ]  # fmt: skip


def test_matrices_side_by_side_are_taken_apart() -> None:
    text = "A = [[1, 2],   B = [[5, 6],\n     [3, 4]]        [7, 8]]"
    assert found(text) == ["A = [[1, 2],\n[3, 4]]", "B = [[5, 6],\n[7, 8]]"]


def test_an_array_that_a_program_printed_is_the_value_of_the_line_above() -> None:
    text = "A = np.array([\n    [1, 2],  # first\n    [3, 4],\n])\nA.dot(A)\narray([[ 7., 10.],\n       [15., 22.]])\n"
    assert found(text, listing=True, language="python") == [
        "A = [\n[1, 2],  \n[3, 4]\n]", "A \\cdot A → [[ 7.0, 10.0],\n[15.0, 22.0]]",
    ]  # fmt: skip
    assert found(">>> print(A.T)\n[[1 3]\n [2 4]]", listing=True) == ["A^{T} → [[1 3]\n[2 4]]"]


def test_a_program_states_less_than_it_assigns() -> None:
    text = "import numpy\ny = w * 2 + b\nlr = 0.1\nif x == 3:\n    pass\nz = 1/4 = 0.25\n# check: 2 * 3 = 6\n"
    assert found(text, listing=True, language="python") == ["\\text{lr} = 0.1", "z = 1/4 = 0.25", "2 * 3 = 6"]


def test_chains_inside_a_list_are_chains() -> None:
    text = "normed = [\n    (3 - 1) / 2 = 2 / 2 = 1,\n    (5 - 1) / 2 = 4 / 2 = 2\n]"
    assert found(text, listing=True, language="python") == ["(3 - 1) / 2 = 2 / 2 = 1", "(5 - 1) / 2 = 4 / 2 = 2"]


def test_line_numbers_glued_to_a_listing_are_no_numbers() -> None:
    assert found("1a = 2 + 3 = 5\n2b = 4 + 4 = 8", listing=True) == ["a = 2 + 3 = 5", "b = 4 + 4 = 8"]


def test_every_digit_of_a_spelling_is_the_sources() -> None:
    text = "r1: W_2[0][1] = sqrt(9) x 2**3 -> ½ and np.array([[1. 2.]\n [3. 4.]]) = q7.T"
    for math in scan(Mapped.whole(text), listing=True):
        mapped = math.mapped
        for index, character in enumerate(mapped.text):
            if character.isdigit() and mapped.is_copied(index):
                assert text[mapped.offset_at(index)] == character


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("7 % 5 = 2", []),
        ("7 // 2 = 3", []),
        ("1×2＋3×4＝14", ["1×2+3×4= 14"]),
    ],
)
def test_programs_operators_are_no_numbers_and_wide_signs_are_signs(text: str, formulas: list[str]) -> None:
    assert found(text) == formulas
    assert found(text, listing=True) == formulas


def test_the_transpose_of_a_name_is_asked_for_where_its_value_is_printed_below() -> None:
    (math,) = found(">>> A.T\narray([[1, 3],\n       [2, 4]])", listing=True, language="python")
    assert math.startswith("A^{T}")
    assert "→" in math
