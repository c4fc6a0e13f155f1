"""Training: losses and parameters against PyTorch's optimizers, against fractions, and the schedule by mpmath."""

from __future__ import annotations

import io
import json
import re
import sys
from fractions import Fraction
from typing import Any

import flint
import mpmath
import pytest
from click.testing import CliRunner, Result

from symtrans.cli.main import main
from symtrans.cli.progress import work_out
from symtrans.derive.derivation import derive
from symtrans.derive.optimizer import Optimizer
from symtrans.derive.training import Training, train
from symtrans.model.load import load_spec
from symtrans.model.spec import with_settings
from symtrans.model.spec_reader import read_spec
from symtrans.registry import files

HANDCALC = files("symtrans.model.examples", ".toml")["handcalc"]


def losses(training: Training, digits: int = 17) -> list[str]:
    ids = [*(update.loss for update in training.updates), training.final_loss]
    return [training.derivation[i].decimals(digits)[0][0] for i in ids]


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["train", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(("rate", "loss"), [("0.1", "24825.99203"), ("0.001", "5.706770977")])
def test_the_hand_calculation_with_heads_of_their_own(rate: str, loss: str) -> None:
    """The two losses after one step that the reference works out: 24825.99 and 5.7068."""
    own = re.sub(r"^(W_[QKV] = )(.*)$", lambda m: f"{m[1]}[{m[2]}, {m[2]}, {m[2]}]", HANDCALC, flags=re.M)
    training = train(read_spec(own, "x"), Optimizer.of("sgd", rate, {}), 1)
    assert losses(training, 10) == ["12.63", loss]


def test_one_step_on_the_output_weights_in_fractions() -> None:
    """W_O alone, rate 1/10: by hand from C = [27 32 37 42 …]/10 in both rows and ŷ − y = [17 32; 27 22]/10."""
    training = train(load_spec("handcalc"), Optimizer.of("sgd", "0.1", {}), 1, only=["W_O"])
    row = [Fraction(n, 10) for n in (27, 32, 37, 42)] * 3
    errors = [[Fraction(17, 10), Fraction(32, 10)], [Fraction(27, 10), Fraction(22, 10)]]
    square = sum(x * x for x in row)
    moved = [sum(e[j] for e in errors) * square / 10 for j in range(2)]
    expected = sum((e[j] - moved[j]) ** 2 for e in errors for j in range(2)) / 2
    value = training.derivation.values.tensor(training.final_loss).item
    assert value.fraction == expected
    assert round(float(expected), 2) == 9726.28


def reference(optimizer: Any, count: int) -> tuple[list[float], dict[str, Any]]:
    """The same training of handcalc's true softmax attention by PyTorch; the three heads share their weights."""
    torch = pytest.importorskip("torch")
    spec = load_spec("handcalc")
    tensors = {
        key: torch.tensor([[float(cell.value) for cell in row] for row in literals[0]], dtype=torch.float64)  # type: ignore[union-attr]
        for key, literals in spec.matrices.items()
    }
    parameters = {key: tensor.requires_grad_() for key, tensor in tensors.items() if key.startswith("W")}
    updates, found = optimizer(torch.optim, list(parameters.values())), []
    for _ in range(count + 1):
        e = tensors["x"] @ tensors["W_emb"]
        q, k, v = (e @ tensors[f"W_{letter}"] for letter in "QKV")
        head = torch.softmax(q @ k.T / 2, 1) @ v
        loss = ((torch.cat([head] * 3, 1) @ tensors["W_O"] - tensors["y"]) ** 2).sum() / 2
        found.append(loss.item())
        if len(found) <= count:
            updates.zero_grad()
            loss.backward()
            updates.step()
    return found, parameters


@pytest.mark.parametrize(
    ("kind", "constants", "optimizer"),
    [
        ("sgd", {}, lambda o, p: o.SGD(p, lr=0.001)),
        ("momentum", {"momentum": "0.8"}, lambda o, p: o.SGD(p, lr=0.001, momentum=0.8)),
        ("adam", {}, lambda o, p: o.Adam(p, lr=0.001)),
        ("adam", {"beta1": "0.5", "beta2": "0.75"}, lambda o, p: o.Adam(p, lr=0.001, betas=(0.5, 0.75))),
        ("adamw", {"weight_decay": "0.1"}, lambda o, p: o.AdamW(p, lr=0.001, weight_decay=0.1)),
    ],
)
def test_losses_and_parameters_are_those_of_pytorch(kind: str, constants: dict[str, str], optimizer: Any) -> None:
    expected, parameters = reference(optimizer, 3)
    spec = with_settings(load_spec("handcalc"), {"weights": "softmax", "scale": "sqrt"})
    training = train(spec, Optimizer.of(kind, "0.001", constants), 3)
    assert [float(loss) for loss in losses(training)] == pytest.approx(expected, abs=1e-10)
    for key, tensor in parameters.items():
        derived = training.derivation[f"{key}@3"].decimals(17)
        assert [[float(x) for x in row] for row in derived] == [
            pytest.approx(row, abs=1e-10) for row in tensor.tolist()
        ]


def test_the_schedule_of_the_paper() -> None:
    training = train(load_spec("encoder"), Optimizer.of("sgd", "0.5", {}, warm_up=2), 3, only=["b_1"])
    with mpmath.workdps(40):
        for update in training.updates:
            t = update.number
            rate = mpmath.mpf("0.5") * mpmath.mpf(4) ** -0.5 * min(mpmath.mpf(t) ** -0.5, t * mpmath.mpf(2) ** -1.5)
            assert mpmath.almosteq(mpmath.mpf(training.derivation[update.rate].decimals(25)[0][0]), rate, 1e-24)


def test_tied_embeddings_are_trained_as_one() -> None:
    training = train(load_spec("gpt"), Optimizer.of("adam", "0.01", {}), 2)
    assert "E" in training.parameters
    assert "W_out" not in training.parameters
    told = [float(loss) for loss in losses(training)]
    assert told == sorted(told, reverse=True)


def test_the_page_has_a_table_of_losses_in_each_format() -> None:
    arguments = ["handcalc", "--steps", "2", "--rate", "0.001"]
    markdown = run(*arguments).stdout
    assert markdown.rstrip().endswith("| 2 |  | 3.01293 |")
    assert r"\begin{tabular}{rrr}" in run(*arguments, "--format", "tex", "--language", "zh").stdout
    rows = json.loads(run(*arguments, "--format", "json").stdout)["steps"]
    assert [row["updates"] for row in rows] == [0, 1, 2]
    assert rows[0]["loss"] == {"exact": "1263/100", "decimal": "12.63"}
    assert run(*arguments).stdout == markdown


def test_a_loss_of_more_digits_than_python_writes_is_written_or_said_to_have_no_fraction() -> None:
    """Updates on numbers that grow: a fraction of thousands of digits, and then one that is known by balls only."""
    *_, fraction, enclosed = (
        row["loss"] for row in json.loads(run("handcalc", "--steps", "6", "--format", "json").stdout)["steps"]
    )
    above, below = (flint.fmpz(part) for part in fraction["exact"].split("/"))
    assert len(str(above)) > 4300
    mantissa, exponent = fraction["decimal"].split("e")
    digits = above // (below * flint.fmpz(10) ** (int(exponent) - 5))
    assert abs(int(digits) - int(mantissa.replace(".", ""))) <= 1
    assert enclosed["exact"] is None
    assert enclosed["decimal"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["encoder", "--steps", "0"], "--steps 0: a number of updates from 1 to 100 is expected"),
        (["encoder", "--steps", "101"], "--steps 101: a number of updates from 1 to 100 is expected"),
        (["encoder", "--rate", "fast"], "--rate: 'fast' is not a number"),
        (["encoder", "--optimizer", "lion"], "no optimizer lion: there are sgd, momentum, adam, adamw"),
        (["encoder", "--momentum", "0.9"], "--momentum: sgd has no such constant; it takes only a rate"),
        (["encoder", "--optimizer", "adam", "--beta1", "1"], "--beta1: is 1; a number from 0 to less than 1"),
        (["encoder", "--optimizer", "adam", "--beta1", ""], "--beta1: '' is not a number"),
        (["handcalc", "--optimizer", "adam", "--epsilon", "0"], "W_Q@1: a division by zero has no value"),
        (["encoder", "--of", "x"], "--of x: is no parameter of encoder; there are E, "),
        (["handcalc", "--warm-up", "0", "--format", "python"], "no format python for a training: there are md, tex"),
        (["nosuch"], "nosuch: no example or file of this name"),
    ],
)
def test_what_is_refused(arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"symtrans: {sentence}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(("terminal", "short", "shown"), [(True, 10, True), (False, 10, False), (True, 10_000, False)])
def test_a_bar_stands_on_a_terminal_only_and_for_long_work(
    terminal: bool, short: int, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(stderr, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr("symtrans.cli.progress.SHORT_WORK", short)
    work_out(derive("handcalc"))
    assert ("working out" in stderr.getvalue()) == shown
