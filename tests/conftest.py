"""What all tests share: how hypothesis runs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import settings

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
