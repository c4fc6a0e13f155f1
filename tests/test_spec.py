"""A specification's faults, each told with file, key, what, and what would be accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symtrans.derive.derivation import derive
from symtrans.errors import SpecError, SymtransError, UsageError
from symtrans.model.load import load_spec
from symtrans.model.spec import with_settings
from symtrans.model.spec_reader import read_spec
from symtrans.page.story import Sentence
from symtrans.page.telling import tell

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
        (
            'y = [["1"], ["0"]]',
            'y = [["1"]]',
            "inputs.y: is 1×1; 2×1 is expected (positions × d_out, where positions = 2, d_out = 1)",
        ),
        (
            'W_O = [["1"], ["2"]]',
            'W_O = [["1"]]',
            "parameters.W_O: is 1×1; 2×1 is expected (heads*d_v × d_out, where heads = 2, d_v = 1, d_out = 1)",
        ),
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
        (
            'W_O = [["1"], ["2"]]',
            "W_O = []",
            "parameters.W_O: is empty or has an empty row; rows of quoted numbers are expected",
        ),
        ("\nW_O =", "\nW_o =", "parameters.W_o: is not a key of a specification; did you mean W_O?"),
        ("heads = 2", "", "dimensions.heads: is missing; a whole number is expected"),
        ("heads = 2", "heads = 0", "dimensions.heads: is 0; a whole number from 1 to 4096 is expected"),
        ("heads = 2", "heads = true", "dimensions.heads: is true; a whole number from 1 to 4096 is expected"),
        ("heads = 2", 'heads = "2"', 'dimensions.heads: is "2"; a whole number from 1 to 4096 is expected'),
        ('name = "mine"', "", "name: is missing; a specification has name, architecture"),
        ('name = "mine"', 'name = "../x"', 'name: is "../x"; letters, digits, - and _ are expected'),
        ('"attention"', '"mamba"', 'architecture: is "mamba"; there are attention'),
        ("[inputs]", "[switches]\nweights = 'hard'\n[inputs]", 'switches.weights: is "hard"; it is softmax or uniform'),
        ("[inputs]", "[loss]\nkind = 'mae'\n[inputs]", 'loss.kind: is "mae"; attention takes half_sum_of_squares'),
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
        (
            'x = [["1", "0"]',
            'x = [[0.10, "0"]',
            'inputs.x[1][1]: is 0.10; numbers are quoted, so that their digits are kept: "0.10"',
        ),
        ('x = [["1", "0"]', 'x = [[true, "0"]', 'inputs.x[1][1]: is true; a quoted number is expected, such as "0.5"'),
        ('x = [["1", "0"]', 'x = [[nan, "0"]', 'inputs.x[1][1]: is nan; a quoted number is expected, such as "0.5"'),
        ('x = [["1", "0"]', 'x = [[2020-01-01, "0"]', "inputs.x[1][1]: is 2020-01-01; a quoted number is expected"),
        ('x = [["1", "0"]', 'x = [[{a = 1}, "0"]', "inputs.x[1][1]: is a table; a quoted number is expected"),
        ('x = [["1", "0"]', "x = [[]", "inputs.x: is empty or has an empty row; rows of quoted numbers"),
        ("heads = 2", "heads = 2.0", "dimensions.heads: is 2.0; a whole number from 1 to 4096 is expected"),
        ('name = "mine"', 'name = "mine"\nschema = 1.0', "schema: is 1.0; this version reads schema = 1"),
        ('name = "mine"', 'name = "mine"\n"a\\nb" = 1', r"a\nb: is not a key of a specification"),
        (
            "[inputs]",
            "[title]\nen = 'a'\nenn = 'b'\n[inputs]",
            "title.enn: is not a key of a specification; did you mean en?",
        ),
        ("[inputs]", "[title]\nen = 3\n[inputs]", "title.en: is 3; a text in quotes is expected"),
        (
            "[inputs]",
            '[title]\nen = "a\\nb"\n[inputs]',
            r'title.en: is "a\nb"; one line of at most 200 characters is expected',
        ),
        ("[inputs]", "[notes.A_9]\nen = 'a'\n[inputs]", "notes.A_9: there is no such quantity; did you mean A_"),
        (
            "[inputs]",
            "[notes.y_hat_new]\nen = 'a'\n[inputs]",
            "notes.y_hat_new: there is no such quantity; did you mean y_hat?",
        ),
        (
            "[inputs]",
            "[notes.A_1]\nen = 'a'\nwhen = 'weights'\n[inputs]",
            'notes.A_1.when: is "weights"; it is one of weights=softmax, weights=uniform',
        ),
        (
            "[inputs]",
            "[names]\nquery = '\\mathbf{K}'\n[inputs]",
            "names.query: Q_1 and K_1 are both called K_1; every quantity has a name of its own",
        ),
        (
            "[inputs]",
            "[names]\nscaled_scores = 'S'\nscores = 'S'\n[inputs]",
            "names.scaled_scores: S_1 and Z_1 are both called S_1",
        ),
        (
            "[inputs]",
            "[aliases.y]\nloss = '\\hat{\\mathbf{y}}'\n[inputs]",
            "aliases.y.loss: y and y_hat are both called hat y",
        ),
        (
            "[inputs]",
            f"[names]\nquery = '{'{' * 200}'\n[inputs]",
            "names.query: has 200 characters; a name of at most 120 is expected",
        ),
    ],
)
def test_a_fault_names_file_and_key(old: str, new: str, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(SpecError) as fault:
        read_spec(GOOD.replace(old, new, 1), "mine.toml")
    assert str(fault.value).startswith(f"mine.toml: {sentence}")
    assert "\n" not in str(fault.value)


def test_a_remark_is_told_where_the_file_itself_asks_for_gradients() -> None:
    text = load_spec("handcalc").text.replace("schema = 1", 'schema = 1\ngradients = ["W_O"]', 1)
    remark = "This is the 12×2 matrix that fits"
    told = tell(derive(read_spec(text, "mine.toml")))
    assert remark in "".join(p for b in told.blocks if isinstance(b, Sentence) for p in b.pieces if isinstance(p, str))


def test_remarks_may_stand_at_gradients_at_the_update_and_at_what_only_a_switch_brings() -> None:
    more = """
[update]
of = "y_hat"
step = "0.1"
[notes]
Z_2 = { en = "a", when = "scale=sqrt" }
"dL/dW_K" = { zh = "b" }
y_hat_new = { en = "c\\nd" }
"""
    assert read_spec(GOOD + more, "mine.toml").notes["Z_2"] == {"en": "a", "when": "scale=sqrt"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a." * 100_000 + "a = 1", "line 1 has a key of more than 16 parts; a key here has at most 3"),
        ("\n[" + '"a" . ' * 100_000 + "a]", "line 2 has a key of more than 16 parts"),
        ("a = " + "[" * 100_000, "is nested too deep; a matrix is a list of rows"),
        ("a = " + "9" * 5000, "has a whole number of thousands of digits; numbers are quoted"),
        ('"' + "k" * 500_000 + '" = 1', "k" * 39 + "…: is not a key of a specification"),
    ],
    ids=["dots", "dotted table", "nesting", "digits", "key"],
)
def test_texts_made_to_exhaust_a_parser(text: str, sentence: str) -> None:
    with pytest.raises(SpecError) as fault:
        read_spec(text, "mine.toml")
    assert str(fault.value).startswith(f"mine.toml: {sentence}")
    assert len(str(fault.value)) < 300


@pytest.mark.parametrize("name", ["a" * 5000, "a\0b", "hancalc", "\x1b[31m"])
def test_no_example_and_no_file(name: str) -> None:
    with pytest.raises(UsageError, match="no example or file of this name; there are bert, encoder") as fault:
        load_spec(name)
    assert str(fault.value).isprintable()


@pytest.mark.parametrize("name", ["a" * 5000 + ".toml", "a\0b.toml", "a\nb.toml"])
def test_a_path_that_cannot_be_opened(name: str) -> None:
    with pytest.raises(SpecError, match="a TOML file is expected") as fault:
        load_spec(name)
    assert str(fault.value).isprintable()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device without an end here")
def test_a_device_without_an_end() -> None:
    with pytest.raises(SpecError, match="/dev/zero: is larger than 1,000,000 bytes"):
        load_spec("/dev/zero")


def test_a_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load_spec(str(tmp_path / "a.toml")).name == "mine"


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"weigths": "softmax"}, "--set weigths=softmax: handcalc has no switch weigths; it has weights, scale"),
        ({"weights": "hard"}, "--set weights=hard: weights is softmax or uniform"),
    ],
)
def test_switches_that_there_are_not(chosen: dict[str, str], sentence: str) -> None:
    with pytest.raises(UsageError) as fault:
        with_settings(load_spec("handcalc"), chosen)
    assert str(fault.value) == sentence


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
