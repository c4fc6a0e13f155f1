"""A specification's faults, each told with file, key, what, and what would be accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symtrans.errors import SpecError, SymtransError
from symtrans.model.load import load_spec
from symtrans.model.spec import with_settings
from symtrans.model.spec_reader import read_spec

GOOD = """
name = "mine"
architecture = "attention"
[dimensions]
positions = 2
d_in = 2
d_model = 2
d_k = 1
d_v = 1
heads = 2
d_out = 1
[inputs]
x = [["1", "0"], ["0.5", "-1/3"]]
y = [["1"], ["0"]]
[parameters]
W_emb = [["1", "0"], ["0", "1"]]
W_Q = [[["1"], ["0"]], [["0"], ["2"]]]
W_K = [["1"], ["1"]]
W_V = [["1"], ["1.0"]]
W_O = [["1"], ["2"]]
"""


def test_a_good_one() -> None:
    spec = read_spec(GOOD, "mine.toml")
    assert [[cell.text for cell in row] for row in spec.matrices["x"][0]] == [["1", "0"], ["0.5", "-1/3"]]
    assert len(spec.matrices["W_Q"]) == 2
    assert len(spec.matrices["W_K"]) == 1
    assert spec.settings == {"weights": "softmax", "scale": "none"}


def test_the_bundled_example_has_the_hand_worked_numbers() -> None:
    spec = load_spec("handcalc")
    texts = {key: [[cell.text for cell in row] for row in value[0]] for key, value in spec.matrices.items()}
    assert texts["W_V"] == [["0.3", "0.4", "0.5", "0.6"], ["0.7", "0.8", "0.9", "1.0"]]
    assert texts["W_O"] == [["1", "0"], ["0", "1"], *[["0", "0"]] * 10]
    assert spec.settings == {"weights": "uniform", "scale": "none"}
    assert with_settings(spec, {"scale": "sqrt"}).settings["scale"] == "sqrt"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            'x = [["1", "0"]',
            "x = [[0.1, 0]",
            'inputs.x[1][1]: is 0.1; numbers are quoted, so that their digits are kept: "0.1"',
        ),
        ('x = [["1", "0"]', 'x = [[1, "0"]', "inputs.x[1][1]: is 1; numbers are quoted"),
        (
            'x = [["1", "0"]',
            'x = [["1", "o"]',
            "inputs.x[1][2]: 'o' is not a number; numbers are written 0.1, 1/3, -2 or 1.2e-3",
        ),
        ('x = [["1", "0"]', 'x = [["1", "1/0"]', "inputs.x[1][2]: '1/0' is not a number"),
        (
            'x = [["1", "0"]',
            'x = [["1"]',
            "inputs.x: row 2 has 2 entries and row 1 has 1; rows of one length are expected",
        ),
        ('y = [["1"], ["0"]]', 'y = [["1"]]', "inputs.y: is 1×1; 2×1 is expected (positions × d_out)"),
        ('W_O = [["1"], ["2"]]', 'W_O = [["1"]]', "parameters.W_O: is 1×1; 2×1 is expected (heads*d_v × d_out)"),
        (
            'W_O = [["1"], ["2"]]',
            "",
            "parameters.W_O: is missing; a matrix of heads*d_v × d_out quoted numbers is expected",
        ),
        (
            'W_O = [["1"], ["2"]]',
            'W_O = [[["1"], ["2"]]]',
            "parameters.W_O: is a list of matrices; one matrix is expected",
        ),
        (', [["0"], ["2"]]]', "]", "parameters.W_Q: has 1 matrices; one, or one for each of the 2 heads, is expected"),
        ('W_O = [["1"], ["2"]]', 'W_O = "1"', 'parameters.W_O: is "1"; rows of quoted numbers are expected'),
        ('W_O = [["1"], ["2"]]', "W_O = []", "parameters.W_O: is a list; rows of quoted numbers are expected"),
        ("\nW_O =", "\nW_o =", "parameters.W_o: is not a key of a specification; did you mean W_O?"),
        ("heads = 2", "", "dimensions.heads: is missing; a whole number is expected"),
        ("heads = 2", "heads = 0", "dimensions.heads: is 0; a whole number from 1 to 4096 is expected"),
        ("heads = 2", "heads = true", "dimensions.heads: is true; a whole number from 1 to 4096 is expected"),
        ("heads = 2", 'heads = "2"', 'dimensions.heads: is "2"; a whole number from 1 to 4096 is expected'),
        ('name = "mine"', "", "name: is missing; a specification has name, architecture"),
        ('name = "mine"', 'name = "../x"', 'name: is "../x"; letters, digits, - and _ are expected'),
        ('"attention"', '"mamba"', 'architecture: is "mamba"; there are attention'),
        ("[inputs]", "[switches]\nweights = 'hard'\n[inputs]", 'switches.weights: is "hard"; it is softmax or uniform'),
        ("[inputs]", "[loss]\nkind = 'mae'\n[inputs]", "loss.kind: is 'mae'; attention takes half_sum_of_squares"),
        ("[inputs]", "[update]\nof = 'y_hat'\n[inputs]", "update.step: is missing; expected are of"),
        ("[inputs]", "[update]\nof = 'y_hat'\nstep = 0.1\n[inputs]", "update.step: is 0.1; numbers are quoted"),
        ("[inputs]", "[names]\nquery = 'Q+1'\n[inputs]", "names.query: is not read as a name"),
        (
            "[inputs]",
            "[names]\nquerry = 'Q'\n[inputs]",
            "names.querry: is not a key of a specification; did you mean query?",
        ),
        ('name = "mine"', 'name = "mine"\nschema = 2', "schema: is 2; this version reads schema = 1"),
        ('name = "mine"', 'name = "mine"\ntitle = "x"', 'title: is "x"; texts by language are expected'),
        ("[dimensions]", "[dimensions", "is not TOML: "),
    ],
)
def test_a_fault_names_file_and_key(old: str, new: str, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(SpecError) as fault:
        read_spec(GOOD.replace(old, new, 1), "mine.toml")
    assert str(fault.value).startswith(f"mine.toml: {sentence}")
    assert "\n" not in str(fault.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="is a folder; a TOML file is expected"):
        load_spec(str(tmp_path))
    (tmp_path / "a.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(SpecError, match=r"a.toml: byte 9 is not UTF-8"):
        load_spec(str(tmp_path / "a.toml"))
    (tmp_path / "b.toml").write_text("#" * 1_000_001)
    with pytest.raises(SpecError, match=r"b.toml: is larger than 1,000,000 bytes"):
        load_spec(str(tmp_path / "b.toml"))


@given(st.text(alphabet="abx=[]\"\n.1{}'#,-_ ", max_size=60))
def test_no_text_is_a_traceback(text: str) -> None:
    for whole in (text, GOOD + "\n" + text, GOOD.replace('"1"', text, 1)):
        told = ""
        try:
            read_spec(whole, "any.toml")
        except SymtransError as fault:
            told = str(fault)
        assert told == "" or told.startswith("any.toml: ")
        assert "\n" not in told
