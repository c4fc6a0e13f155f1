"""Transformers at the edge: one key, one vocabulary entry, sequences of different lengths, rows without a spread."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from symtrans.derive.derivation import derive
from symtrans.derive.optimizer import Optimizer
from symtrans.derive.training import train
from symtrans.errors import SpecError, SymtransError
from symtrans.model.load import examples, load_spec
from symtrans.model.names import entry_name
from symtrans.model.spec import with_settings
from symtrans.model.spec_reader import read_spec
from symtrans.model.tape import Tape
from symtrans.notation.dialect import load_dialect
from symtrans.notation.tree import Symbol
from symtrans.notation.writer import Writer
from symtrans.page.page_writer import page_writer
from symtrans.page.training import tell_training
from symtrans.registry import files

TEXTS = files("symtrans.model.examples", ".toml")
IDENTITY = '[["1", "0"], ["0", "1"]]'
ONE_KEY = f"""
schema = 1
name = "one-key"
architecture = "multi_head_attention"
[dimensions]
d_model = 2
heads = 1
d_key = 2
d_value = 2
[inputs]
query = [["1", "0"], ["0", "2"]]
key = [["3", "5"]]
y = [["1", "5"], ["3", "7"]]
[parameters]
W_Q = {IDENTITY}
W_K = {IDENTITY}
W_V = {IDENTITY}
W_O = {IDENTITY}
"""
ONE_WORD = """
schema = 1
name = "one-word"
architecture = "decoder"
[dimensions]
d_model = 2
heads = 1
[switches]
norm = "none"
positions = "none"
[inputs]
tokens = [0, 0, 0]
labels = [0, 0, 0]
keep = [1, 0, 1]
[parameters]
E = [["1", "2"]]
b_out = ["3"]
[[decoder]]
W_Q = [["1"], ["0"]]
W_K = [["1"], ["0"]]
W_V = [["1"], ["0"]]
W_O = [["1", "1"]]
W_1 = [["1"], ["1"]]
W_2 = [["1", "1"]]
""".replace("heads = 1", "heads = 1\nd_k = 1")


def changed(example: str, *replacements: tuple[str, str]) -> str:
    text = TEXTS[example]
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def test_with_one_key_every_query_looks_at_it() -> None:
    """The weights are 1 each: scores in one column are rows of one entry, and no vector."""
    derivation = derive(read_spec(ONE_KEY, "one-key.toml"), wrt=["W_V", "query", "key"])
    assert derivation["A_1"].exact() == [["1"], ["1"]]
    assert derivation["Z_attn"].exact() == [["3", "5"], ["3", "5"]]
    assert derivation["L"].exact() == [["4"]]  # (2² + 0² + 0² + 2²)/2
    # Rows 3 5 and 3 5 less y: (2, 0) and (0, -2). W_V gets the key's entries times their sum (2, -2).
    assert derivation["dL/dW_V"].exact() == [["6", "-6"], ["10", "-10"]]
    assert derivation["dL/dkey"].exact() == [["2", "-2"]]
    assert derivation["dL/dquery"].exact() == [["0", "0"], ["0", "0"]]


def test_a_vocabulary_of_one_leaves_nothing_to_learn() -> None:
    derivation = derive(read_spec(ONE_WORD, "one-word.toml"), wrt=["all"])
    assert derivation["P"].exact() == [["1"], ["1"], ["1"]]
    assert derivation["L"].exact() == [["0"]]
    gradients = [step for step in derivation if step.id == f"dL/d{step.step.of}"]
    assert {step.step.of for step in gradients} >= {"E", "b_out", "W_Q", "W_O", "W_1", "W_2"}
    assert {cell for step in gradients for row in step.exact() for cell in row} == {"0"}


@pytest.mark.parametrize(
    ("example", "replacements", "sentence"),
    [
        (
            "encoder",
            [('"sinusoidal"', '"learned"'), ("[parameters]", '[parameters]\nW_pos = [["1", "0", "0", "1"]]')],
            "parameters.W_pos: has 1 rows; at least 3 are expected, one for each position",
        ),
        (
            "encoder",
            [("[inputs]", "[loss]\nkind = false\n[inputs]")],
            "loss.kind: is false; encoder takes",
        ),
        ("encoder", [("[inputs]", '[loss]\nkind = ""\n[inputs]')], 'loss.kind: is ""; encoder takes cross_entropy or'),
        ("encoder", [("[inputs]", "[loss]\nkind = []\n[inputs]")], "loss.kind: is a list; encoder takes"),
    ],
)
def test_faults_have_file_and_key(example: str, replacements: list[tuple[str, str]], sentence: str) -> None:
    text = changed(example, *replacements)
    with pytest.raises(SymtransError) as fault:
        derive(read_spec(text, "my.toml"))
    assert str(fault.value).startswith(f"my.toml: {sentence}")


def test_relative_positions_need_their_numbers() -> None:
    """Set from the command line, the switch is read after the file: the missing numbers are told, not left out."""
    with pytest.raises(SymtransError, match=r"^bert\.toml: enc1\.b_rel: is missing; with "):
        derive("bert", settings={"positions": "relative"})


def test_as_many_relative_numbers_as_diagonals() -> None:
    text = changed(
        "encoder",
        ('positions = "sinusoidal"', 'positions = "relative"'),
        ("[[encoder]]", '[[encoder]]\nb_rel = ["1", "2", "3", "4"]'),
    )
    with pytest.raises(SymtransError, match=r"b_rel: has 4 entries; 5 are expected, one for each diagonal"):
        derive(read_spec(text, "my.toml"))


@pytest.mark.parametrize(
    ("replacements", "sentence"),
    [
        (
            ('positions = "none"', 'positions = "sinusoidal"'),
            "dimensions.d_model: is 3; with positions = sinusoidal",
        ),
        (('positions = "none"', 'positions = "rotary"'), "dimensions.d_k: is 1; with positions = rotary it is even"),
    ],
)
def test_widths_that_positions_do_not_have(replacements: tuple[str, str], sentence: str) -> None:
    text = ONE_WORD.replace("d_model = 2", "d_model = 3").replace('"2"]]\nb_out', '"2", "0"]]\nb_out')
    text = text.replace('[["1"], ["0"]]', '[["1"], ["0"], ["0"]]').replace('[["1"], ["1"]]', '[["1"], ["1"], ["1"]]')
    text = text.replace('[["1", "1"]]', '[["1", "1", "1"]]').replace(*replacements)
    with pytest.raises(SymtransError) as fault:
        derive(read_spec(text, "my.toml"))
    assert str(fault.value).startswith(f"my.toml: {sentence}")


def test_a_sample_of_one_has_no_deviation() -> None:
    text = """
schema = 1
name = "narrow"
architecture = "encoder"
[dimensions]
d_model = 1
heads = 1
[switches]
norm = "layer_norm_of_sample"
positions = "none"
[inputs]
x = [["1"]]
[numbers]
epsilon = "0"
[parameters]
[[encoder]]
W_Q = [["1"]]
W_K = [["1"]]
W_V = [["1"]]
W_O = [["1"]]
W_1 = [["1"]]
W_2 = [["1"]]
gamma_1 = ["1"]
beta_1 = ["0"]
gamma_2 = ["1"]
beta_2 = ["0"]
"""
    with pytest.raises(SymtransError, match=r"^my\.toml: dimensions\.d_model: is 1; with norm = layer_norm_of_sample"):
        derive(read_spec(text, "my.toml"))
    # The deviation of one number is 0, and so is epsilon: the step is named that would divide by it.
    derivation = derive(read_spec(text.replace("_of_sample", ""), "my.toml"))
    with pytest.raises(SymtransError, match=r"^Z_add_norm_1: a division by zero has no value"):
        derivation["Z_add_norm_1"].exact()


def tapes() -> Iterator[tuple[str, Tape]]:
    """The tapes of all examples with all gradients, under each value of each switch that builds, and of trainings."""
    for example in examples():
        spec = load_spec(example)
        for setting in [{}, *({key: value} for key, values in spec.switches.items() for value in values)]:
            try:
                yield f"{example} {setting}", derive(with_settings(spec, setting), wrt=["all"]).tape
            except SpecError:  # it lacks what the switch needs
                continue
        for kind in ("momentum", "adamw"):
            yield f"{example} {kind}", train(spec, Optimizer.of(kind, "0.1", {}, 2), 2).derivation.tape


def test_no_two_quantities_and_no_two_entries_have_one_name() -> None:
    writer, tried = Writer(load_dialect("array")), 0
    for label, tape in tapes():
        names: dict[str, str] = {}
        entries: dict[str, str] = {}
        for step in tape:
            if step.silent:
                continue
            assert names.setdefault(writer.expression(Symbol(step.name)), step.id) == step.id, label
            if step.shape:
                assert entries.setdefault(entry_name(step, 1, 1).key, step.id) == step.id, label
            tried += 1
    assert tried > 10_000


def test_a_training_in_fractions_uses_no_symbol_that_it_does_not_define() -> None:
    """The attention weights are let-bound symbols where each step is told; here only the updates are."""
    from symtrans.derive.numerals import Style

    spec = with_settings(load_spec("handcalc"), {"weights": "softmax", "scale": "sqrt"})
    training = train(spec, Optimizer.of("sgd", "0.001", {}), 1, style=Style("fraction"))
    text = page_writer("md").write(tell_training(training), training.derivation)
    assert "{a}_{11}" not in text


@pytest.mark.parametrize(("digits", "told"), [(1, "1.25"), (2, "1.25"), (3, "1.25"), (6, "1.25000")])
def test_a_value_that_seems_to_lie_in_the_middle_shows_more_digits(digits: int, told: str) -> None:
    """The mean of row 1 is 1.25, but known by its enclosures only: no precision tells it from what rounds down."""
    derivation = derive("encoder-decoder", wrt=["W_out"])
    assert derivation["dec.mu_1"].decimals(digits)[0][0] == told
