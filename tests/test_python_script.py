"""The NumPy script: every rule and vjp as source gives the op's value; whole scripts run and tell a difference."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from symtrans.cli.main import main
from symtrans.ops import all_ops
from symtrans.ops.domains.ball import BallAlgebra
from symtrans.ops.domains.numpy_source import DEFINED, Code, Source, SourceAlgebra
from symtrans.ops.formulas import member_names, run, vjp_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.proof import (
    cotangent_name,
    has_vjp,
    sample_count,
    sample_lengths,
    sample_settings,
    sample_shapes,
)
from symtrans.ops.shapes import Shape
from symtrans.ops.tensor import Tensor

BITS = 128


def numbers(shape: Shape, seed: int) -> np.ndarray[Any, Any]:
    """Positive numbers, so that roots and logarithms have values, and none is 1."""
    return (2 * np.random.default_rng(seed).integers(0, 8, shape or ()) + 1) / 8


def balls(array: np.ndarray[Any, Any]) -> Tensor[Any]:
    from fractions import Fraction

    scalars = BallAlgebra(BITS).scalars
    return Tensor(array.shape, tuple(scalars.number(Fraction(float(x))) for x in array.reshape(-1)))


def carried_out(source: str, names: dict[str, Any]) -> Any:
    space = {"np": np, "math": math}
    for function in DEFINED.values():
        exec(function, space)
    return eval(source, space | names)


def same(value: Any, tensor: Tensor[Any]) -> bool:
    expected = np.array([float(entry) for entry in tensor.entries]).reshape(tensor.shape)
    return np.shape(value) == tensor.shape and bool(np.allclose(value, expected, rtol=1e-12, atol=1e-12))


@pytest.mark.parametrize("name", all_ops())
def test_rule_and_vjps_of_the_op(name: str) -> None:
    op = all_ops()[name]
    given = {f"x{n}": numbers(shape, n) for n, shape in enumerate(sample_shapes(op))}
    settings, count = sample_settings(op), sample_count(op)
    written = [Code(array.shape, (Source(key),)) for key, array in given.items()]
    enclosed = [balls(array) for array in given.values()]
    rule = run(op, written, SourceAlgebra(), settings)
    result = run(op, enclosed, BallAlgebra(BITS), settings)
    assert rule.shape == result.shape
    value = carried_out(rule.entries[0].text, given)
    assert same(value, result), rule.entries[0].text
    bar = numbers(result.shape, 99)
    keys = [*(n.key for n in member_names(op, count)), op.result.name.lstrip("\\"), cotangent_name(op).key]
    sources = dict(
        zip(keys, [*written, Code(result.shape, (Source("y"),)), Code(result.shape, (Source("bar"),))], strict=True)
    )
    values = dict(zip(keys, [*enclosed, result, balls(bar)], strict=True))
    for position in range(count):
        if has_vjp(op, position):
            lengths = sample_lengths(op, position)
            tree = vjp_tree(op, position, count)
            source = interpret(tree, sources, SourceAlgebra(), lengths).entries[0].text
            expected = interpret(tree, values, BallAlgebra(BITS), lengths)
            assert same(carried_out(source, given | {"y": value, "bar": bar}), expected), source


def script(tmp_path: Path, *arguments: str) -> Path:
    path = tmp_path / "steps.py"
    result = CliRunner().invoke(main, ["derive", *arguments, "-o", str(path)])
    assert result.exit_code == 0, result.output
    return path


def carry_out(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ["handcalc"],
        ["handcalc", "--set", "weights=softmax", "--set", "scale=sqrt", "--wrt", "all", "--language", "zh"],
        ["handcalc", "--head", "2"],
        ["encoder"],
        ["encoder-decoder"],
        ["gpt", "--set", "positions=alibi"],
        ["llama"],
        ["bert"],
    ],
    ids=" ".join,
)
def test_the_script_agrees_with_the_derivation(arguments: list[str], tmp_path: Path) -> None:
    ran = carry_out(script(tmp_path, *arguments))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert int(ran.stdout.split()[0]) > 5


def test_a_number_that_differs_is_told(tmp_path: Path) -> None:
    path = script(tmp_path, "encoder")
    text = path.read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith('check("L"'))
    path.write_text(text.replace(line, line.replace(")", "1)")), "utf-8")  # one digit more
    assert carry_out(path).returncode == 0
    digit = line[-10]
    path.write_text(text.replace(line, line[:-10] + str((int(digit) + 1) % 10) + line[-9:]), "utf-8")
    ran = carry_out(path)
    assert ran.returncode == 1
    assert ran.stderr.startswith("L differs from the derivation:")
