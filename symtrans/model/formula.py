"""The 25 formulas of the Transformer: what each says, on whose word, its vjp with derivation, and a small example."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from symtrans.errors import UsageError
from symtrans.registry import files


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """A formula's small example, as `model.formula_tape` makes a tape of it.

    * `numbers`: each input as rows, `1 2; 3 4`, or a scalar; `-inf` is a masked entry. A list holds
      one input for each index of a family, `W_Q^i`.
    * `steps`: result, op, operands, then settings such as `d=4`. A step with an index `i` stands for
      one step each, an operand with an index in a step without one for all of them.
    * `results`: the quantities that the formula tells; `cotangents`: theirs, one for each.
    * `lengths`: numbers that the vjp uses by a letter, `h` the count of a family among them.
    * `constants`: inputs that no gradient is asked for.
    """

    numbers: Mapping[str, str | list[str]]
    steps: tuple[tuple[str, ...], ...]
    results: tuple[str, ...]
    cotangents: Mapping[str, str] = field(default_factory=dict)
    lengths: Mapping[str, int] = field(default_factory=dict)
    constants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    r"""One formula.

    * `status`: what of the formula is certain and what reconstructed; `evidence`: from what that is
      known, in each language.
    * `shapes`: of what the formula names, in each language.
    * `names`: the scoped ids of its quantities on a whole model's tape, by their names here:
      `Z_{add\_norm\_1}` is `enc.Z_add_norm_1` in one formula and `dec.Z_add_norm_1` in another.
    * `vjp`: one equation each, in the order in which they are worked out, from the result's cotangent
      on; a line without a bar on its left is an abbreviation. `derivation`: why. Both are empty for a constant.
    * `invariants`: equations that hold whatever the numbers; `pitfall`: where derivations go wrong.
    * `op`: the operation that computes it, the last of the example's steps.
    """

    number: int
    section: Mapping[str, str]
    latex: str
    status: str
    evidence: Mapping[str, str]
    shapes: Mapping[str, str]
    vjp: tuple[str, ...]
    derivation: tuple[str, ...]
    invariants: tuple[str, ...]
    pitfall: Mapping[str, str]
    source: str
    evaluation: Evaluation
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def op(self) -> str:
        """The name of the operation that computes the result."""
        return self.evaluation.steps[-1][1]

    @property
    def standing(self) -> str:
        """The status as one word: certain, content, corroborated or reconstructed."""
        return "content" if "content" in self.status else self.status.split()[0]


@cache
def formulas() -> tuple[Formula, ...]:
    """All formulas, by number."""
    made: list[Formula] = []
    for text in files("symtrans.model.formulas", ".toml").values():
        table = tomllib.loads(text)
        made.extend(_formula({"section": table["section"]} | row) for row in table["formula"])
    return tuple(sorted(made, key=lambda formula: formula.number))


def find_formula(number: int) -> Formula:
    """The formula of this number; UsageError where there is none."""
    for formula in formulas():
        if formula.number == number:
            return formula
    raise UsageError(f"no formula {number}: there are 1 to {len(formulas())}")


def _formula(row: dict[str, Any]) -> Formula:
    lists = {key: tuple(row.get(key, ())) for key in ("vjp", "derivation", "invariants")}
    example = dict(row["evaluation"])
    example["steps"] = tuple(tuple(step) for step in example["steps"])
    for key in ("results", "constants"):
        example[key] = tuple(example.get(key, ()))
    return Formula(**row | lists | {"evaluation": Evaluation(**example)})
