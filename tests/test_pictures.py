"""Pictures: what is drawn is what is derived, the file is the same each time, and a fault is one sentence."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from symtrans.cli.main import main
from symtrans.derive.derivation import Derivation, derive
from symtrans.derive.optimizer import Optimizer
from symtrans.derive.training import Training, train
from symtrans.errors import UsageError
from symtrans.language.words import words
from symtrans.model.load import load_spec
from symtrans.page import plotting
from symtrans.page.picture import drawn, pictures

pytest.importorskip("matplotlib")
SOFTMAX = {"settings": {"weights": "softmax"}}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def figure(name: str, subject: Any, language: str = "en") -> Any:
    return pictures()[name].draw(subject, words(language))


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
@pytest.mark.parametrize(
    "command",
    [
        ["derive", "--set", "weights=softmax", "--plot", "attention"],
        ["train", "--of", "W_O", "--rate", "0.001", "--plot", "loss"],
    ],
    ids=["attention", "loss"],
)
def test_a_picture_is_the_same_each_time(command: list[str], kind: str) -> None:
    for name in ("a", "b"):
        result = run(*command, "-o", f"{name}.{kind}")
        assert (result.exit_code, result.output) == (0, "")
    data = Path(f"a.{kind}").read_bytes()
    assert data.startswith({"png": b"\x89PNG\r\n", "svg": b"<?xml", "pdf": b"%PDF-"}[kind])
    assert data == Path(f"b.{kind}").read_bytes()
    assert sorted(path.name for path in Path().iterdir()) == [f"a.{kind}", f"b.{kind}"]
    if kind == "svg":
        ElementTree.fromstring(data)
    assert re.search(rb"20\d\d-\d\d-\d\d|D:20\d\d", data) is None


def test_each_head_has_its_map_with_its_weights() -> None:
    """They are the softmax of the scores, here computed in floating point."""
    import math

    drawing = figure("attention", derive("handcalc", **SOFTMAX))  # type: ignore[arg-type]
    maps = [axes for axes in drawing.axes if axes.get_title()]
    assert [axes.get_title() for axes in maps] == ["Head 1", "Head 2", "Head 3"]
    derivation = derive("handcalc", **SOFTMAX)  # type: ignore[arg-type]
    scores = [[float(entry) for entry in row] for row in derivation["S_1"].decimals(20)]
    expected = [[math.exp(x) / sum(map(math.exp, row)) for x in row] for row in scores]
    shown = maps[0].collections[0].get_array().tolist()
    assert shown == [pytest.approx(row, rel=1e-5) for row in expected]
    told = [text.get_text() for text in maps[0].texts]
    assert [float(text) for text in told] == pytest.approx([x for row in expected for x in row], rel=5e-3)
    assert all(len(text.split("e")[0].replace(".", "").lstrip("0")) == 3 for text in told)
    assert (maps[0].get_xlabel(), maps[0].get_ylabel()) == ("Key", "Query")
    assert [label.get_text() for label in maps[0].get_yticklabels()] == ["1", "2"]


def test_layers_stand_below_each_other() -> None:
    drawing = figure("attention", derive("encoder-decoder"))
    headings = [
        (part.get_suptitle(), [axes.get_title() for axes in part.axes if axes.get_title()]) for part in drawing.subfigs
    ]
    assert headings == [
        ("Encoder layer", ["Head 1", "Head 2"]),
        ("Decoder layer", ["Head 1", "Head 2"]),
        ("Decoder layer, attention to the encoder's output", ["Head 1", "Head 2"]),
    ]
    one = figure("attention", derive("encoder-decoder", head=2))
    assert [axes.get_title() for axes in one.axes if axes.get_title()] == ["Head 2"] * 3


def test_an_svg_is_letters_and_shapes_in_fonts_that_are_everywhere() -> None:
    run("derive", "--set", "weights=softmax", "--plot", "attention", "-o", "a.svg")
    root = ElementTree.parse("a.svg").getroot()
    told = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Head 1", "Head 2", "Head 3", "Key", "Query", "6.54e-7", "1.00"} <= set(told)
    assert all("sans-serif" in text.get("style", "") for text in root.iter("{http://www.w3.org/2000/svg}text"))
    assert not list(root.iter("{http://www.w3.org/2000/svg}image"))


def test_the_curve_goes_through_the_losses() -> None:
    training = train(load_spec("handcalc"), Optimizer.of("sgd", "0.001", {}), 2)
    axes = figure("loss", training).axes[0]
    (line,) = axes.lines
    assert line.get_xdata().tolist() == [0, 1, 2]
    assert line.get_ydata().tolist()[0] == 12.63
    assert line.get_ydata().tolist()[2] == pytest.approx(3.01293, abs=5e-6)
    assert axes.get_yscale() == "linear"
    assert figure("loss", train(load_spec("handcalc"), Optimizer.of("sgd", "1", {}), 1)).axes[0].get_yscale() == "log"


def test_each_command_knows_its_pictures() -> None:
    assert "attention" in pictures(Derivation)
    assert "loss" in pictures(Training)
    assert pictures(Derivation).keys().isdisjoint(pictures(Training))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["derive", "--plot", "attention"], "--plot attention: a picture needs a file; give one with -o FILE.svg"),
        (
            ["derive", "--plot", "loss", "-o", "x.svg"],
            "--plot loss: there is no such picture here; there are attention",
        ),
        (["train", "--plot", "attention", "-o", "x.svg"], "--plot attention: there is no such picture here"),
        (["derive", "--plot", "attention", "--numbered", "-o", "x.pdf"], "--numbered are for LaTeX and PDF pages"),
        (["derive", "--plot", "attention", "-o", "x.gif"], "a picture is png, svg, pdf, not gif"),
        (["derive", "--plot", "attention", "-o", "x"], "a picture is png, svg, pdf, not a file without an ending"),
        (["derive", "--plot", "attention", "--part", "loss", "-o", "x.svg"], "there are no attention weights among"),
        (["train", "--steps", "12", "--rate", "1", "--plot", "loss", "-o", "x.svg"], "is too large to be drawn"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert sentence in result.stderr
    assert list(Path().iterdir()) == []


def test_without_matplotlib_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install matplotlib" in run("derive", "--plot", "attention", "-o", "x.svg").stderr


def test_chinese_needs_a_font(monkeypatch: pytest.MonkeyPatch) -> None:
    derivation = derive("handcalc", head=1)
    assert pictures()["attention"].draw(derivation, words("zh")).axes[0].get_xlabel() == "键"
    monkeypatch.setattr(plotting, "CHINESE", ("No Such Font",))
    with pytest.raises(UsageError, match="no font of Chinese letters"):
        drawn("attention", derivation, "svg", "zh")
