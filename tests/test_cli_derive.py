"""`symtrans derive` as a person meets it: what is printed, saved, and said of a wrong call."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symtrans.cli.main import main


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["derive", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def displays(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("$$")]


def test_head_1_is_the_smallest_slice() -> None:
    result = run("--head", "1")
    names = [line[2:].split("=")[0].split(r"\approx")[0].strip() for line in displays(result.stdout)]
    assert names == [
        r"\mathbf{x}",
        r"{\mathbf{W}}_{\mathbf{emb}}",
        r"{\mathbf{W}}_{\mathbf{Q}}",
        r"{\mathbf{W}}_{\mathbf{K}}",
        r"{\mathbf{W}}_{\mathbf{V}}",
        r"\mathbf{e}",
        r"{\mathbf{Q}}_1",
        r"{\mathbf{K}}_1",
        r"{\mathbf{V}}_1",
        r"{\text{Attention Scores}}_1",
        r"{\text{Attention Weights}}_1",
        r"{\text{Attention Output}}_1",
    ]


def test_head_2_alone_is_told_in_full() -> None:
    text = run("--head", "2").stdout
    assert r"{\mathbf{K}}_2=\mathbf{e}{\mathbf{W}}_{K2}=\left[\begin{array}{cc}1& 2\\ 3& 4\end{array}\right]" in text
    assert "_1" not in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nosuch"], "nosuch: no example or file of this name; there are bert, encoder"),
        (["--head", "4"], "no head 4: handcalc has heads 1 to 3"),
        (["--set", "colour=red"], "--set colour=red: handcalc has no switch colour; it has weights, scale"),
        (["--set", "scale=log"], "--set scale=log: scale is none or sqrt"),
        (["--set", "scale"], "--set scale: a setting is written KEY=VALUE, such as weights=softmax"),
        (["--part", "middle"], "no part middle: there are inputs, forward, loss, backward, update"),
        (["--language", "fr"], "no language fr: there are en, zh"),
        (["--dialect", "word"], "there is no dialect 'word'; there are ams, array"),
        (["--format", "rtf"], "no format rtf: there are docx, html, json, md, "),
        (["--format", "pdf"], "--format pdf: is no text, so it needs a file; give one with -o FILE.pdf"),
        (["--numbered"], "--numbered: md has no such layout; pdf, tex have it"),
        (["--standalone", "-o", "x.docx"], "--standalone: docx has no such layout; pdf, tex have it"),
        (["-o", "nowhere/x.tex"], "nowhere/x.tex: cannot be written (No such file or directory)"),
        (["-o", "x.odt"], "x.odt: its ending tells no format"),
        (["none.toml"], "none.toml: cannot be read (No such file or directory)"),
    ],
)
def test_a_wrong_call_gets_one_sentence(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"symtrans: {sentence}")
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_quantity_is_told_with_those_there_are() -> None:
    result = run("--wrt", "W_Q9")
    assert result.exit_code == 2
    assert result.stderr.startswith("symtrans: no gradient with respect to W_Q9: there are x, W_emb, W_Q, ")


def test_output_goes_to_the_file_only(tmp_path: Path) -> None:
    result = run("-o", "page.tex", "--language", "zh")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert [path.name for path in tmp_path.iterdir()] == ["page.tex"]
    assert "ctex" in (tmp_path / "page.tex").read_text("utf-8")


def test_latex_is_a_part_unless_a_whole_document_is_asked_for(tmp_path: Path) -> None:
    assert "documentclass" not in run("--format", "tex").stdout
    assert run("-o", "whole.tex", "--standalone").exit_code == 0
    gallery = Path(__file__).parent.parent / "output" / "handcalc.array.en.tex"
    assert (tmp_path / "whole.tex").read_bytes() == gallery.read_bytes()


def test_format_wins_over_the_ending(tmp_path: Path) -> None:
    assert run("-o", "page.txt", "--format", "md").exit_code == 0
    assert (tmp_path / "page.txt").read_text("utf-8").startswith("# ")


@pytest.mark.parametrize(
    "options", [["--digits", "9"], ["--part", "loss"], ["--wrt", "x"], ["--no-save"], ["--symbolic"]]
)
def test_other_texts_save_nothing(options: list[str], tmp_path: Path) -> None:
    result = run(*options)
    assert (result.exit_code, result.stderr) == (0, "")
    assert not (tmp_path / "output").exists()


def test_an_output_folder_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "output").write_text("in the way")
    result = run("--head", "1")
    assert result.exit_code == 0
    assert result.stderr == "symtrans: warning: output/handcalc.head1.array.en.tex not saved (File exists)\n"
    assert len(displays(result.stdout)) == 12


def test_the_same_call_writes_the_same_bytes() -> None:
    command = [sys.executable, "-m", "symtrans", "derive", "--set", "weights=softmax", "--wrt", "all", "--no-save"]
    first, second = (
        subprocess.run(command, capture_output=True, check=True, env={"PYTHONHASHSEED": seed, "PATH": ""}).stdout
        for seed in ("1", "2")
    )
    assert first == second
    assert first


def test_json_holds_every_step() -> None:
    data = json.loads(run("--format", "json", "--set", "weights=softmax", "--digits", "14").stdout)
    assert data["schema"] == 1
    steps = {step["id"]: step for step in data["steps"]}
    assert steps["W_O"]["shape"] == [12, 2]
    assert steps["K_1"]["exact"][1] == ["3", "37/10", "22/5", "51/10"]
    assert steps["K_1"]["formula"] == r"\mathbf{e}{\mathbf{W}}_{K1}"
    assert steps["L"]["decimal"] == [["25.949989560514"]]
    assert steps["L"]["shape"] == []
    assert [symbol["symbol"] for symbol in data["symbols"]] == ["a_11", "a_21"]
    assert data["symbols"][1]["decimal"] == "3.8813821014338e-14"


def test_the_second_reader_agrees() -> None:
    lines = run("--check").stdout.splitlines()
    numbers = {line[:18].strip(): line[18:].split() for line in lines}
    sides, agree = int(numbers["sides written"][0]), int(numbers["read back, agree"][0])
    assert numbers["disagree"] == ["0"]
    assert sides > 80
    assert agree >= 0.95 * sides


@pytest.mark.parametrize("more", [("-o", "page.html"), ("-o", "graph.svg"), ("--plot", "attention", "-o", "w.svg")])
def test_a_check_does_not_stand_aside_for_a_file(more: tuple[str, ...], tmp_path: Path) -> None:
    result = run("--check", *more)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "symtrans: --check: reports in place of a page or a picture; leave -o and --plot out\n"
    assert list(tmp_path.iterdir()) == []


def test_a_second_reader_that_disagrees_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    from symtrans.derive import readback

    real = readback.reread

    def wrong(source: str, tree: object, value: object) -> object:
        again = real(source, tree, value)  # type: ignore[arg-type]
        return type(again)(again.status, None if again.value is None else again.value * 2, again.why, again.text)

    monkeypatch.setattr(readback, "reread", wrong)
    result = run("--check", "--part", "forward")
    assert result.exit_code == 1
    assert "disagreement: " in result.stderr


def test_softmax_is_told_with_definitions() -> None:
    text = run("--set", "weights=softmax", "--set", "scale=sqrt", "--digits", "14").stdout
    assert r"$${a}_{11}=\frac{{e}^{5.96}}{{e}^{5.96}+{e}^{13.08}}\approx 0.00080811317605617$$" in text
    loss = r"$$L=4.88{{a}_{11}}^2-15.96{a}_{11}+4.88{{a}_{21}}^2-15.56{a}_{21}+25.95\approx 25.937102635069$$"
    assert loss in text


def test_with_fixed_weights_the_cotangent_stops_there() -> None:
    text = run("--wrt", "W_Q1", "--part", "backward").stdout
    place = text.index(r"\frac{\partial L}{\partial {\text{Attention Weights}}_1}=")
    stops = text.index("The cotangent of ${\\text{Attention Weights}}_1$ stops")
    zero = text.index(r"\frac{\partial L}{\partial {\mathbf{W}}_{Q1}}=\left[\begin{array}{cccc}0.0& 0.0")
    assert place < stops < zero


def test_expand_refuses_what_no_page_holds() -> None:
    result = run("--expand", "--set", "weights=softmax")
    assert result.exit_code == 2
    assert "as one full expression takes" in result.stderr
    assert result.stdout == ""


def test_symbolic_tells_entries_before_numbers() -> None:
    lines = displays(run("--symbolic", "--head", "1", "--part", "forward").stdout)
    place = next(i for i, line in enumerate(lines) if line.startswith(r"$${\mathbf{Q}}_1="))
    assert r"{e}_{11}{w}_{11}^{(Q1)}+{e}_{12}{w}_{21}^{(Q1)}" in lines[place]
    assert lines[place + 1].startswith(r"$${\mathbf{Q}}_1=\mathbf{e}{\mathbf{W}}_{Q1}=")


def test_starting_needs_no_sympy() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from symtrans.cli.main import main; "
        "CliRunner().invoke(main, ['derive', '--head', '1', '--no-save']); print('sympy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
