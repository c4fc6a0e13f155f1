"""What all tests share: how hypothesis runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from symtrans.ops import all_ops
from symtrans.ops.op import Op
from symtrans.ops.shapes import Shape
from symtrans.ops.tensor import Tensor

# A busy machine is not a fault, hence no deadline; a run that gates a change must repeat, hence no new examples there.
settings.register_profile("symtrans", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True)
settings.load_profile("symtrans")


DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def hand_printed() -> dict[str, str]:
    """The hand calculation's 33 formulas as they were printed, with its slips, by their number."""
    return dict(json.loads((DATA / "handcalc_printed.json").read_text("utf-8")))


@pytest.fixture(scope="session")
def hand_right(hand_printed: dict[str, str]) -> dict[str, str]:
    """The same with the wrong entries replaced by what was worked out by hand from the inputs."""
    corrections = json.loads((DATA / "handcalc_corrections.json").read_text("utf-8"))
    formulas = dict(hand_printed)
    for identity, pairs in corrections.items():
        for wrong, better in pairs:
            assert wrong in formulas[identity], (identity, wrong)
            formulas[identity] = formulas[identity].replace(wrong, better)
    return formulas


@pytest.fixture(scope="session")
def over_registry() -> Callable[[Callable[[Op], int]], dict[str, int]]:
    """Carries a check out on every op: how many facts it compared for each, and the proof that it left none out."""

    def walk(check: Callable[[Op], int]) -> dict[str, int]:
        facts = {name: check(op) for name, op in all_ops().items()}
        assert len(facts) >= 60
        assert [name for name, count in facts.items() if not count] == []
        print(f"{sum(facts.values())} facts of {len(facts)} operations: {facts}")
        return facts

    return walk


@pytest.fixture(scope="session")
def sample_tensor() -> Callable[[Shape, int, Callable[[Fraction], Any]], Tensor[Any]]:
    """A tensor of a shape, of rational numbers none of which has a finite binary fraction."""

    def tensor(shape: Shape, seed: int, make: Callable[[Fraction], Any]) -> Tensor[Any]:
        if not shape:
            return Tensor.scalar(make(Fraction(5 + seed, 11)))
        return Tensor.matrix(
            [
                [make(Fraction(7 * (i + seed) ** 2 - 5 * j * (seed + 2) + 1, 11 + 2 * j)) for j in range(shape[1])]
                for i in range(shape[0])
            ]
        )

    return tensor


@pytest.fixture(scope="session")
def compiles() -> Callable[[Path, str, Path], str]:
    """TeX carried out on a file, by an engine, in a folder."""

    def compiled(source: Path, engine: str, folder: Path) -> str:
        """The engine's log for a file that must compile."""
        if shutil.which(engine) is None:
            pytest.skip(f"{engine} is not installed")
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}", str(source)]
        run = subprocess.run(
            command, capture_output=True, text=True, errors="replace", cwd=folder, timeout=120, check=False
        )
        assert run.returncode == 0, run.stdout[-1500:]
        assert (folder / source.with_suffix(".pdf").name).stat().st_size > 5000
        return (folder / source.with_suffix(".log").name).read_text("utf-8", "replace")

    return compiled
