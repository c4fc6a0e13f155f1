"""The steps as the script shows them: exact values, certified decimals, entry symbols, and the rules in templates."""

from __future__ import annotations

import re
from typing import Any

from symtrans.derive.derivation import Derivation
from symtrans.exact.field import Element
from symtrans.exact.rounding import certify
from symtrans.model.names import entry_name
from symtrans.model.tape import Step
from symtrans.notation.dialect import load_dialect
from symtrans.notation.name import Name
from symtrans.notation.writer import Writer
from symtrans.page.story import Display, Story
from symtrans.page.web.mathml import markup, mathml
from symtrans.page.web.origins import template_key, templates

MOST_ENTRIES = 2000  # of one step, beyond which its entries are not explained
LONGEST_EXACT = 60  # characters of an exact value that a reader is shown
RATIONAL = re.compile(r"-?\d+(/\d+)?")


class Steps:
    """Which steps a page explains, each with a number, and what the script needs to know of them."""

    def __init__(self, story: Story, derivation: Derivation, explained: bool = True) -> None:
        self.derivation = derivation
        tape = derivation.tape
        told = dict.fromkeys(block.line.step.id for block in story.blocks if isinstance(block, Display))
        wanted: dict[str, None] = {}
        for step_id in told:
            for needed in (step_id, *tape[step_id].operands):
                original = self.original(tape[needed])
                if explained and _entries(original) <= MOST_ENTRIES:
                    wanted[original.id] = None
        self.told = frozenset(told)
        self.ids = list(wanted)
        self._numbers = {step_id: number for number, step_id in enumerate(self.ids)}
        self._templates: dict[tuple[object, ...], int] = {}
        self._texts: list[list[str]] = []

    def number(self, step: Step) -> int | None:
        """The number of a step, or of what it is a copy of; None where the page does not explain it."""
        return self._numbers.get(self.original(step).id)

    def original(self, step: Step) -> Step:
        """The step itself, or what a head's silent copy is a copy of."""
        while step.silent and step.op is not None and step.op.name == "copy":
            step = self.derivation.tape[step.operands[0]]
        return step

    def target(self, step: Step) -> str:
        """The id of the step's place on the page, or nothing where it is not told."""
        original = self.original(step)
        return original.id if original.id in self.told else ""

    def data(self) -> dict[str, Any]:
        """Everything, ready for JSON: `steps` in the order of their numbers, and the `templates` that they share."""
        steps = [self._step(self.derivation.tape[step_id]) for step_id in self.ids]
        return {"steps": steps, "templates": self._texts}

    def _step(self, step: Step) -> dict[str, Any]:
        """One step.

        `id`; `c`: its columns, 0 for a scalar; `d`: certified decimals, with ≈ where rounded; `x`: exact
        values where they are other texts; `q`: whether all are rationals; `y`: the letter and the mark of its
        entries' symbols; `o`: the numbers of its operands; `t`: the number of its templates.
        """
        entries = self.derivation.values.tensor(step.id).entries
        digits = self.derivation.style.digits
        decimals = [_decimal(entry, digits) for entry in entries]
        exact = [_exact(entry) for entry in entries]
        told: dict[str, Any] = {"id": step.id, "c": step.shape[1] if step.shape else 0, "d": decimals}
        if exact != decimals:
            told["x"] = exact
        if all(RATIONAL.fullmatch(text) for text in exact):
            told["q"] = 1
        symbol = _symbol(step)
        if symbol:
            told["y"] = symbol
        if step.op is not None and step.id in self.told:
            operands = [self.number(self.derivation.tape[i]) for i in step.operands]
            texts = None if None in operands else self._template(step)
            if texts is not None:
                told["o"], told["t"] = operands, texts
        return told

    def _template(self, step: Step) -> int | None:
        key = template_key(step, self.derivation.tape)
        if key not in self._templates:
            self._templates[key] = len(self._texts)
            self._texts.append(templates(step, self.derivation.tape))
        number = self._templates[key]
        return number if self._texts[number] else None


def _entries(step: Step) -> int:
    return step.shape[0] * step.shape[1] if step.shape else 1


def _decimal(entry: Element, digits: int) -> str:
    printed = certify(entry, digits)
    return printed.plain if printed.exact else f"≈{printed.plain}"


def _exact(entry: Element) -> str:
    """The exact value as text, or nothing where it has no short one."""
    if entry.is_enclosed:
        return ""
    text = "-inf" if entry.infinite < 0 else "inf" if entry.infinite else str(entry)
    return text if len(text) <= LONGEST_EXACT else ""


def _symbol(step: Step) -> list[str]:
    """The letter of a step's entries as MathML, and the mark above it; nothing where they have no such symbols."""
    if not step.shape:
        return []
    try:
        name = entry_name(step, 1, 1)
    except KeyError:
        return []
    letter = Name(name.nucleus, font=name.font, accent=name.accent, is_command=name.is_command)
    formula = mathml(Writer(load_dialect("ams")).name(letter))
    mark = "".join(piece.text for piece in name.superscript)
    return [] if formula is None or not len(formula) else [markup(formula[0]), mark]
