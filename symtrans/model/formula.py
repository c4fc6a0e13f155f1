"""The 25 formulas of the Transformer: what each says, its shapes, and its vjp in matrix form."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from symtrans.errors import UsageError
from symtrans.registry import files


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula; `vjp` holds an equation each, `op` names the operation that computes it, None where there is none.

    `section` and `pitfall`, what derivations get wrong, are told in each language; `status` says
    what of the formula is certain and what reconstructed. `evaluation` holds the op's operands, settings
    and result on small numbers.
    """

    number: int
    section: Mapping[str, str]
    latex: str
    status: str
    shapes: str
    vjp: tuple[str, ...]
    pitfall: Mapping[str, str]
    source: str
    invariants: tuple[str, ...]
    evaluation: Mapping[str, Any] | None
    op: str | None


@cache
def formulas() -> tuple[Formula, ...]:
    """All formulas, by number."""
    rows = [
        row for text in files("symtrans.model.formulas", ".toml").values() for row in tomllib.loads(text)["formula"]
    ]
    made = [
        Formula(**{"op": None, "evaluation": None} | row | {key: tuple(row[key]) for key in ("vjp", "invariants")})
        for row in rows
    ]
    return tuple(sorted(made, key=lambda formula: formula.number))


def find_formula(number: int) -> Formula:
    """The formula of this number; UsageError where there is none."""
    for formula in formulas():
        if formula.number == number:
            return formula
    raise UsageError(f"no formula {number}: there are 1 to {len(formulas())}")
