"""The tape: shapes, single assignment, the smallest slice, and faults that name what there is."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import flint
import pytest

from symtrans.errors import ShapeError, UsageError
from symtrans.exact.written import Written
from symtrans.model.build import build
from symtrans.model.load import load_spec
from symtrans.model.names import entry_name
from symtrans.model.spec import with_settings
from symtrans.model.tape import Step, Tape
from symtrans.notation.name import Name, Script
from symtrans.ops import find_op
from symtrans.ops.domains.rational import RATIONAL


def matrix(tape: Tape, letter: str, rows: int, columns: int) -> Step:
    literal = ((Written.parse("1"),) * columns,) * rows
    return tape.add(id=letter, name=Name(letter), literal=literal, part="inputs", role="x", kind="input")


def product(tape: Tape, letter: str, *operands: str) -> Step:
    return tape.add(
        id=letter,
        name=Name(letter),
        op=find_op("matmul"),
        operands=operands,
        part="forward",
        role="query",
        kind="linear",
    )


def test_shapes_come_from_digits_and_from_rules() -> None:
    tape = Tape()
    assert matrix(tape, "A", 2, 3).shape == (2, 3)
    matrix(tape, "B", 3, 4)
    assert product(tape, "C", "A", "B").shape == (2, 4)
    with pytest.raises(ShapeError, match=r"matmul: .* must have 3 rows.* and has 2"):
        product(tape, "D", "A", "A")
    assert "D" not in tape
    assert [step.id for step in tape] == ["A", "B", "C"]


def test_a_name_is_given_once_and_a_step_never_changes() -> None:
    tape = Tape()
    step = matrix(tape, "A", 1, 1)
    with pytest.raises(ValueError, match="the step A is on the tape already"):
        matrix(tape, "A", 2, 2)
    with pytest.raises(FrozenInstanceError):
        step.shape = (2, 2)  # type: ignore[misc]


def test_an_operand_stands_before_its_use() -> None:
    tape = Tape()
    matrix(tape, "A", 1, 1)
    with pytest.raises(UsageError, match="there is no step B; there are A"):
        product(tape, "C", "A", "B")


def test_a_copy_grows_alone() -> None:
    tape = Tape()
    matrix(tape, "A", 1, 1)
    longer = tape.copy()
    matrix(longer, "B", 1, 1)
    assert (len(tape), len(longer)) == (1, 2)


def test_programs_are_those_of_the_steps_also_after_the_tape_grew() -> None:
    tape = Tape()
    matrix(tape, "A", 2, 2)
    matrix(tape, "B", 2, 3)
    programs = tape.programs(RATIONAL)
    assert programs["A"] is None
    product(tape, "C", "A", "B")
    assert tape.programs(RATIONAL) is programs
    program = programs["C"]
    assert program is not None
    # Rows of two ones times columns of two ones.
    found = program.run([flint.fmpq_mat(2, 2, [1] * 4), flint.fmpq_mat(2, 3, [1] * 6)])
    assert found == flint.fmpq_mat(2, 3, [2] * 6)
    assert tape.places == {"A": 0, "B": 1, "C": 2}
    grown = tape.copy()
    product(grown, "D", "A", "C")
    assert grown.places["D"] == 3
    assert "D" not in tape.places
    assert grown.sliced(["C"]).places == tape.places


def test_the_smallest_slice_of_one_head() -> None:
    tape = build(load_spec("handcalc"))
    ids = ["x", "W_emb", "W_Q", "W_K", "W_V", "e", "W_Q1", "Q_1", "W_K1", "K_1", "W_V1", "V_1", "S_1", "A_1", "H_1"]
    assert [step.id for step in tape.sliced(["H_1"])] == ids
    assert tape.needed(["H_1"]) == frozenset(ids)
    assert tape.needed([]) == frozenset()
    assert [step.id for step in tape.sliced(["L"])] == [step.id for step in tape]


def test_an_unknown_step_is_told_with_close_ones() -> None:
    tape = build(load_spec("handcalc"))
    with pytest.raises(UsageError, match="there is no step Q_4; there are Q_"):
        tape["Q_4"]


@pytest.mark.parametrize("weights", ["uniform", "softmax"])
@pytest.mark.parametrize("scale", ["none", "sqrt"])
def test_no_two_entries_share_a_symbol(weights: str, scale: str) -> None:
    tape = build(with_settings(load_spec("handcalc"), {"weights": weights, "scale": scale}))
    entries = [
        entry_name(step, i, j)
        for step in tape
        if step.shape
        for i in range(1, step.shape[0] + 1)
        for j in range(1, step.shape[1] + 1)
    ]
    assert len(set(entries)) == len(entries)


def test_symbols_of_entries() -> None:
    tape = build(load_spec("handcalc"))
    assert entry_name(tape["x"], 1, 2) == Name("x", subscript=(Script("12"),))
    assert entry_name(tape["W_Q2"], 2, 4) == Name("w", subscript=(Script("24"),), superscript=(Script("(Q2)"),))
    assert entry_name(tape["A_3"], 1, 1) == Name("a", subscript=(Script("11"),), superscript=(Script("(3)"),))
    assert entry_name(tape["C"], 1, 12) == Name("c", subscript=(Script("1,12"),))
    assert entry_name(tape["y_hat"], 2, 1) == Name("y", accent="hat", subscript=(Script("21"),))
