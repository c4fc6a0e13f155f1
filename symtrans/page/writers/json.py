"""JSON for programs: every step with its exact value, certified decimals and LaTeX; `schema` counts its changes."""

from __future__ import annotations

import json
from typing import Any

from symtrans.derive.derivation import Derivation
from symtrans.derive.steps import DerivedStep
from symtrans.notation.dialect import load_dialect
from symtrans.notation.writer import Writer
from symtrans.page.page_writer import PageWriter
from symtrans.page.story import Display, Story

SCHEMA = 1


def write(story: Story, derivation: Derivation) -> str:
    """The derivation as one JSON object; entries of exact values are strings."""
    formulas: dict[str, list[str]] = {}
    for block in story.blocks:
        if isinstance(block, Display):
            formulas.setdefault(block.line.step.id, []).append(block.latex)
    writer = Writer(load_dialect(story.dialect))
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "example": derivation.spec.name,
        "title": story.title,
        "settings": dict(derivation.spec.settings),
        "dialect": story.dialect,
        "language": story.language,
        "symbols": [
            {"symbol": generator.label, "definition": str(generator.definition), "decimal": decimal}
            for generator, decimal in derivation.symbols()
        ],
        "steps": [_step(step, writer, derivation, formulas) for step in derivation],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _step(step: DerivedStep, writer: Writer, derivation: Derivation, formulas: dict[str, list[str]]) -> dict[str, Any]:
    plain = step.step
    return {
        "id": plain.id,
        "name": writer.name(plain.name),
        "part": plain.part,
        "role": plain.role,
        "head": plain.head,
        "shape": list(plain.shape),
        "op": None if plain.op is None else plain.op.name,
        "operands": list(plain.operands),
        "formula": None if plain.op is None else writer.expression(derivation.formula(plain.id)),
        "exact": step.exact(),
        "decimal": step.decimals(derivation.style.digits),
        "latex": formulas.get(plain.id, []),
    }


WRITER = PageWriter("json", (".json",), write)
