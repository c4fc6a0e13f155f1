"""The command line around the work: lists, specifications to begin with, completion."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from symtrans.cli.list import KINDS
from symtrans.cli.main import main
from symtrans.derive.derivation import derive
from symtrans.language.words import words
from symtrans.model.block import blocks
from symtrans.model.spec_reader import read_spec
from symtrans.model.start import start


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


# --- lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_is_a_table_and_the_same_as_json(kind: str) -> None:
    lines = run("list", kind).stdout.splitlines()
    rows = json.loads(run("list", kind, "--format", "json").stdout)
    assert len(lines) == len(rows) > 1
    for line, row in zip(lines, rows, strict=True):
        assert line.startswith(next(iter(row.values())))
        assert all(value in line for value in row.values())


def test_lists_know_what_is_there() -> None:
    assert {line.split()[0] for line in run("list").stdout.splitlines()} == set(KINDS)
    assert "encoder-decoder  encoder_decoder  A Transformer translates three tokens" in run("list", "examples").stdout
    assert "推导" in run("list", "examples", "--language", "zh").stdout
    assert run("list", "dialects").stdout.startswith("ams ")
    assert "ST101  A value that does not follow" in run("list", "rules").stdout
    assert run("list", "nothing").exit_code == 2


def test_lists_and_help_bring_in_no_library() -> None:
    """SymPy, NumPy and latex2sympy2 stay out; asked in a process of its own."""
    program = (
        "import sys\nfrom symtrans.cli.main import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "print(sorted({'sympy', 'numpy', 'latex2sympy2'} & sys.modules.keys()), file=sys.stderr)"
    )
    for arguments in (["list", "ops"], ["list", "rules"], ["list", "formats"], ["explain"], ["--help"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, text=True, encoding="utf-8", check=True
        )
        assert done.stderr.strip() == "[]", arguments


# --- a specification to begin with -----------------------------------------------------------------

CHOICES = [
    (block.name, switch, value)
    for block in blocks().values()
    for switch, values in block.switches.items()
    for value in values
]


@pytest.mark.parametrize(("architecture", "switch", "value"), CHOICES)
def test_every_setting_has_a_file_that_derives(architecture: str, switch: str, value: str) -> None:
    text = start(blocks()[architecture], "my", words("en"), {switch: value}, {}, 1)
    spec = read_spec(text, "my.toml")
    assert spec.settings[switch] == value
    assert derive(spec)["L"].decimals(3)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_file_tells_every_key(language: str) -> None:
    block = blocks()["decoder"]
    text = start(block, "my", words(language), {}, {}, 2)
    declared = block.declares({switch: values[0] for switch, values in block.switches.items()})
    keys = list(itertools.chain.from_iterable(declared.values()))
    assert len(keys) > 20
    for key in (*keys, *block.dimensions, *block.switches):
        assert any(line.removeprefix("# ").startswith(f"{key} = ") for line in text.splitlines()), key
    assert text.count("[[decoder]]") == 2
    assert start(block, "my", words(language), {}, {}, 2) == text


def test_sizes_are_those_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "two words.toml"
    sizes = {"d_model": 6, "heads": 3, "positions": 2, "vocabulary": 7, "d_ff": 5}
    options = itertools.chain.from_iterable(("--size", f"{key}={size}") for key, size in sizes.items())
    assert run("new", str(file), "--architecture", "encoder", *options).exit_code == 0
    derivation = derive(str(file))
    assert derivation.spec.name == "two-words"
    assert derivation["E"].shape == (7, 6)
    assert derivation["X_emb"].shape == (2, 6)
    assert derivation["W_Q3"].shape == (6, 2)
    assert derivation["W_1"].shape == (6, 5)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--architecture", "cnn"], "no architecture cnn: there are attention, decoder, encoder"),
        (["--set", "weights=hard"], "--set weights=hard: attention takes weights=softmax, weights=uniform"),
        (["--set", "weights"], "--set weights: a setting is written KEY=VALUE"),
        (["--size", "d_model=x"], "--size d_model=x: a whole number is expected"),
        (["--size", "d_model=0"], "--size d_model=0: a number from 1 to 4096 is expected"),
        (["--size", "d_model=200", "--size", "d_in=300"], "W_emb: 300×200 numbers are more than a file begins"),
        (["--size", "depth=4"], "--size depth=4: attention has the sizes positions,"),
        (["--architecture", "encoder", "--size", "heads=3"], "--size heads=3: does not divide d_model = 4; give d_k"),
        (["--architecture", "encoder", "--layers", "65"], "--layers 65: a number from 1 to 64 is expected"),
        (["--language", "de"], "no language de: there are en, zh"),
    ],
)
def test_what_is_refused_leaves_no_file(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    result = run("new", str(file), *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"symtrans: {sentence}")
    assert not file.exists()


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text("mine")
    result = run("new", str(file))
    assert result.exit_code == 2
    assert "is there already, and is left as it is" in result.stderr
    assert file.read_text() == "mine"


def test_a_name_that_is_too_long_is_one_sentence(tmp_path: Path) -> None:
    result = run("new", str(tmp_path / ("a" * 300)))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "cannot be written (File name too long)" in result.stderr


# --- completion ------------------------------------------------------------------------------------


def completed(*arguments: str, incomplete: str) -> list[Any]:
    found = ShellComplete(main, {}, "symtrans", "_SYMTRANS_COMPLETE").get_completions(list(arguments), incomplete)
    return [item.value for item in found]


@pytest.mark.parametrize(
    ("arguments", "incomplete", "found"),
    [
        ([], "fo", ["formulas"]),
        (["derive"], "enc", ["encoder", "encoder-decoder", "enc"]),  # and files that begin so
        (["derive", "--dialect"], "a", ["ams", "array"]),
        (["train", "--language"], "", ["en", "zh"]),
        (["derive", "--format"], "p", ["pdf", "python"]),
        (["new", "my.toml", "--architecture"], "enc", ["encoder", "encoder_decoder"]),
    ],
)
def test_names_are_completed(arguments: list[str], incomplete: str, found: list[str]) -> None:
    assert completed(*arguments, incomplete=incomplete) == found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_reads_its_script(shell: str, tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed, and click asks it for its version")
    script = run("completion", shell).stdout
    assert "_SYMTRANS_COMPLETE" in script
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(script)
    subprocess.run([shell, "-n", str(tmp_path / "script")], check=True, capture_output=True)
