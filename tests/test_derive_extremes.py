"""`symtrans derive` at the edge: numbers of any size, many positions, choices that leave nothing to tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symtrans.cli.main import main


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["derive", *arguments, "--no-save"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def rows(matrix: list[list[str]]) -> str:
    return str(matrix).replace("'", '"')


def write_example(x: list[list[str]], weights: list[list[str]], head: str = "1", extra: str = "") -> str:
    """A file with one head of width 1; every matrix but the input and the embedding is made of `head`."""
    size, positions = len(weights), len(x)
    column, row = rows([[head]] * size), rows([[head]])
    Path("own.toml").write_text(
        f"""
name = "own"
architecture = "attention"
[dimensions]
positions = {positions}
d_in = {size}
d_model = {size}
d_k = 1
d_v = 1
heads = 1
d_out = 1
[inputs]
x = {rows(x)}
y = {rows([["0"]] * positions)}
[parameters]
W_emb = {rows(weights)}
W_Q = {column}
W_K = {column}
W_V = {column}
W_O = {row}
{extra}
""",
        "utf-8",
    )
    return "own.toml"


def test_numbers_of_any_size_are_written_exactly_and_short() -> None:
    example = write_example([["1e300", "-2.5e-300"]], [["1", "0"], ["0", "1"]])
    text = run(example, "--part", "inputs").stdout
    assert r"$$\mathbf{x}=\left[\begin{array}{cc}1\times {10}^{300}& -2.5\times {10}^{-300}\end{array}\right]$$" in text


def test_a_terminating_number_with_many_zeros_is_not_called_rounded() -> None:
    example = write_example([["20000000000000", "1"]], [["1", "0"], ["0", "1"]])
    assert r"$$\mathbf{x}=\left[\begin{array}{cc}20000000000000& 1\end{array}\right]$$" in run(example).stdout


def test_long_coefficients_of_symbols_are_rounded_with_the_whole_value() -> None:
    long = "0." + "1234567891" * 6
    example = write_example([[long], ["1"]], [["1"]], long)
    text = run(example).stdout
    assert max(map(len, text.split("$$"))) < 600
    report = run(example, "--check")
    assert (report.exit_code, report.stderr) == (0, "")


def test_a_fraction_is_written_out_only_where_it_fits_a_line() -> None:
    text = run(write_example([["1e-70", "1/3"]], [["1", "0"], ["0", "1"]]), "--part", "inputs", "--numbers", "fraction")
    assert r"\mathbf{x}\approx \left[\begin{array}{cc}1\times {10}^{-70}& 0.333333\end{array}\right]" in text.stdout


def test_what_would_take_minutes_in_symbols_is_enclosed() -> None:
    positions = 12
    x = [[str((7 * i + 3 * j) % 11) for j in range(positions)] for i in range(positions)]
    weights = [["1" if i == j else "0" for j in range(positions)] for i in range(positions)]
    result = run(write_example(x, weights, "0.1"), "--wrt", "all")
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--head", "1", "--part", "loss"], "there is nothing to tell in handcalc for --head 1 --part loss;"),
        (["--head", "1", "--wrt", "W_Q2"], "the gradient with respect to W_Q2 is not among the lines that head 1 "),
        (["--head", "1", "--wrt", "x"], "the gradient with respect to x is not among the lines that head 1 needs"),
        (["-o", ""], ": its ending tells no format"),
        (["-o", "a" * 300 + ".tex"], "a" * 300 + ".tex: cannot be written (File name too long)"),
    ],
)
def test_a_call_that_asks_for_nothing_there_is_gets_one_sentence(arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"symtrans: {sentence}")
    assert result.stderr.count("\n") == 1


def test_a_full_disk_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    from symtrans.cli import terminal

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    class Echo:
        echo = staticmethod(full)

    monkeypatch.setattr(terminal, "click", Echo)
    result = run("--head", "1")
    assert result.exit_code == 2
    assert result.stderr == "symtrans: the output cannot be written (No space left on device)\n"


def test_the_step_size_as_a_symbol_is_read_back() -> None:
    assert "no value is known" not in run("--symbolic", "--part", "update", "--check").stdout


def test_an_endless_decimal_is_its_fraction_first_and_rounded_beside() -> None:
    text = run(write_example([["1/3", "1"]], [["1", "0"], ["0", "1"]], "2"), "--part", "forward").stdout
    exact = r"=\left[\begin{array}{cc}\frac{1}{3}& 1.0\end{array}\right]\left[\begin{array}{c}2\\ 2\end{array}\right]"
    assert (
        exact
        + r"=\left[\begin{array}{c}\frac{8}{3}\end{array}\right]\approx \left[\begin{array}{c}2.66667\end{array}\right]"
        in text
    )


def test_pi_is_a_symbol_that_is_defined_where_gelu_is_exact() -> None:
    begun = CliRunner().invoke(
        main,
        ["new", "pi.toml", "--architecture", "encoder", "--set", "activation=gelu_tanh", "--set", "norm=none"]
        + [word for size in ("heads=1", "d_model=2", "d_ff=1", "positions=2") for word in ("--size", size)],
    )
    assert begun.exit_code == 0
    spec = Path("pi.toml").read_text("utf-8")
    before, header, stack = spec.partition("[[encoder]]")
    Path("pi.toml").write_text(before + header + re.sub(r'"-?[0-9.]+"', '"0"', stack), "utf-8")
    text = run("pi.toml", "--wrt", "all").stdout
    assert re.search(r"=\\pi\\approx 3\.14159\$\$", text)
    Path("pi.md").write_text(text, "utf-8")
    verified = CliRunner().invoke(main, ["verify", "pi.md"])
    assert (verified.exit_code, " 0 undecided, 0 unreadable" in verified.output) == (0, True)
