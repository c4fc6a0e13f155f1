"""`symtrans prove` as a person meets it: what is told of lines and gradients, exit codes, and a wrong call."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from symtrans.cli import prove_run
from symtrans.cli.main import main
from symtrans.derive import line_proofs
from symtrans.derive.derivation import Derivation, derive
from symtrans.derive.proving import Prover
from symtrans.errors import LimitError, SymtransError, UsageError
from symtrans.model.tape import Tape


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["prove", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_command_tells_what_is_proven() -> None:
    result = run("handcalc", "--set", "weights=softmax")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "handcalc: 41 vjp lines, 1 sums over several uses, 12 gradients"
    assert lines[-1] == ("41 of 41 lines and 12 of 12 gradients proven; 0 only supported, 0 undecided, 0 refuted")
    place = lines.index("Gradients")
    assert sum(line.startswith("  proven  ") for line in lines[place:]) == 12
    softmax = r"A\odot (\bar{A}-(A\odot \bar{A})\mathbf{1}_m{\mathbf{1}_m}^{\top})"
    assert f"  proven  softmax, S, shapes 2×2: {softmax}" in lines


def test_the_same_call_gives_the_same_bytes() -> None:
    assert run("llama", "--format", "json").stdout == run("llama", "--format", "json").stdout


def test_the_json_says_all_of_it() -> None:
    result = run("encoder", "--wrt", "W_1", "--wrt", "gamma_2", "--format", "json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data["stands"]
    assert [(g["of"], g["shape"], g["verdict"]) for g in data["gradients"]] == [
        ("W_1", [4, 4], "proven"),
        ("gamma_2", [1, 4], "proven"),
    ]
    relu = next(line for line in data["lines"] if line["op"] == "relu")
    assert (relu["verdict"], relu["shapes"], relu["proven_at"], relu["compared"], relu["steps"]) == (
        "proven",
        [[3, 4]],
        [[3, 4]],
        12,
        ["dL/dU"],
    )
    certificate = data["certificate"]
    assert certificate["together"]
    assert int(certificate["prime"]) % int(certificate["smallest_prime"]) == 1


def test_it_speaks_chinese() -> None:
    text = run("handcalc", "--language", "zh").stdout
    assert "17 行中 17 行、12 个梯度中 12 个已证明" in text
    assert "proven" not in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nosuch"], "nosuch: no example or file of this name"),
        (["handcalc", "--wrt", "nix"], "no gradient with respect to nix: there are x, W_emb"),
        (["handcalc", "--set", "weights"], "--set weights: a setting is written KEY=VALUE"),
        (["handcalc", "--language", "xx"], "no language xx: there are en, zh"),
        (["handcalc", "-o", "."], ".: is a folder, and -o takes a file"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"symtrans: {sentence}")
    assert result.stderr.count("\n") == 1


def test_an_example_without_gradients_has_nothing_to_prove() -> None:
    with pytest.raises(UsageError, match="has no gradient to prove"):
        Prover(derive("handcalc", parts=["forward"]))


def test_what_is_refuted_fails_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*arguments: Any, **options: Any) -> Derivation:
        derivation = derive(*arguments, **options)
        steps = []
        for step in derivation.tape:
            if step.id == "dL/dW_O" and step.op is not None:
                step = replace(step, op=replace(step.op, rule=f"2({step.op.rule})"))
            steps.append(step)
        derivation.tape = Tape(steps)
        return derivation

    monkeypatch.setattr(prove_run, "derive", wrong)
    result = run("encoder", "--wrt", "W_O", "--wrt", "W_1")
    assert result.exit_code == 1
    assert "  refuted  W_O (4×4): 20 lines\n" in result.stdout
    assert "  proven  W_1 (4×4): 11 lines\n" in result.stdout
    assert "each alone: 1 of 2 agree" in result.stdout
    assert "matmul: entry 1 of the cotangent of operand 2 is not the derivative" in result.stdout


def test_too_many_exponentials_in_each_other_are_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from symtrans.exact import prime_tower

    monkeypatch.setattr(prime_tower, "TALLEST", 3)
    with pytest.raises(LimitError) as fault:
        Prover(derive("gpt", wrt=["E"]))
    assert isinstance(fault.value, SymtransError)
    assert str(fault.value) == "more than 2 exponentials in each other"


def test_what_is_only_supported_says_at_which_sizes_it_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_proofs, "MOST_WORK", 16)
    result = run("handcalc", "--wrt", "W_O")
    assert result.exit_code == 0
    assert "  supported  matmul, W, shapes 2×12, 12×2: X^{\\top}\\bar{Y}\n" in result.stdout
    assert "12 entries compared at 2×3, 3×4; agrees modulo primes at its own shapes" in result.stdout
    assert "supported: it agrees modulo primes at one point." in result.stdout
    assert (
        result.stdout.splitlines()[-1]
        == "1 of 2 lines and 0 of 1 gradients proven; 2 only supported, 0 undecided, 0 refuted"
    )
