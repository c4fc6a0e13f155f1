"""The dialects: loaded by name from package data, complete, and unchangeable."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import pytest

from symtrans.errors import UsageError
from symtrans.notation.dialect import Dialect, dialect_names, load_dialect
from symtrans.notation.name import Font
from symtrans.notation.tree import Operator, Relation

KINDS = {
    *("input", "embedding", "projection", "scores", "weights", "attention_output", "concat", "linear", "loss"),
    *("loss_gradient", "gradient", "gradient_sum", "gradient_zero", "update"),
}
SIDES = {"name", "product", "operands", "entries", "terms", "total", "value", "first", "break"}


def test_the_dialects_there_are() -> None:
    assert dialect_names() == ["ams", "array"]


def test_an_unknown_dialect_is_answered_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no dialect 'latex'; there are ams, array"):
        load_dialect("latex")


@pytest.mark.parametrize("name", dialect_names())
def test_a_dialect_spells_everything_a_tree_can_hold(name: str) -> None:
    dialect = load_dialect(name)
    assert dialect.name == name
    assert set(dialect.relations) == set(get_args(Relation))
    assert set(dialect.operators) == {operator or "juxtapose" for operator in get_args(Operator)}
    assert set(dialect.fonts) == {*get_args(Font), "bold_symbol"}
    assert set(dialect.brackets) == {"(", "[", "|", "‖", "{"}
    assert all(len(pair) == 4 for pair in dialect.brackets.values())
    assert set(dialect.accents) == {"hat", "bar", "tilde", "dot", "vec", "nabla", "Delta"}
    assert set(dialect.constants) == {"infty", "pi", "e"}


@pytest.mark.parametrize("name", dialect_names())
def test_the_chains_are_words_and_relations(name: str) -> None:
    dialect = load_dialect(name)
    assert set(dialect.chains) >= KINDS
    assert set(dialect.repeated) <= set(dialect.chains)
    for sides in (*dialect.chains.values(), *dialect.repeated.values()):
        assert set(sides) <= SIDES | set(dialect.relations)
        assert sides == () or sides[0] == "name"


def test_array_abbreviates_as_the_hand_worked_document_does() -> None:
    array = load_dialect("array")
    assert array.chains["embedding"] == ("name", "product", "value")
    assert array.chains["fixed_weights"] == ("name", "≈", "value")
    assert array.repeated["projection"] == ("name", "product", "first")
    assert array.repeated["attention_output"] == ("name", "first")


def test_a_dialect_cannot_be_changed() -> None:
    array = load_dialect("array")
    with pytest.raises(TypeError):
        array.signs["minus"] = "~"  # type: ignore[index]
    for field in fields(Dialect):
        assert not isinstance(getattr(array, field.name), (list, dict))
