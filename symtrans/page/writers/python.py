"""A NumPy script that computes every step again, in floating point, and compares it with the derivation's numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction

from symtrans.derive.derivation import Derivation
from symtrans.derive.steps import DerivedStep
from symtrans.errors import Undecided, UsageError
from symtrans.exact.written import Written
from symtrans.language.words import words
from symtrans.model.tape import PARTS, Step
from symtrans.ops.numpy_functions import HELPERS, helpers_of
from symtrans.ops.numpy_piece import atom
from symtrans.ops.numpy_source import numpy_rule
from symtrans.page.identifiers import identifiers
from symtrans.page.page_writer import PageWriter
from symtrans.page.source_lines import WIDTH, assignment, comment, matrix, printable
from symtrans.page.story import Display, Heading, Story

DIGITS = 12  # of the derivation's numbers; float64 holds 15 to 17
SPARE = 13  # float64 keeps 16 digits of the largest number, of which rounding may spoil some
GREATEST = Fraction(10) ** 300  # near the end of float64
BUILT_IN = ("abs", "float", "max", "min", "print", "range", "sum")
TAKEN = (*HELPERS, *BUILT_IN, "CLOSE", "check", "checked", "math", "np", "sys")

CHECK = """np.set_printoptions(precision=12)
checked = []
{comment}
CLOSE = {{"rtol": 1e-9, "atol": {tolerance}}}


def check(step, value, expected):
    same = np.shape(value) == np.shape(expected)
    if not same or not np.allclose(value, expected, **CLOSE):
        sys.exit(f"{differs}\\n{{value}}\\n{{expected}}")
    checked.append(step)
"""


def write(story: Story, derivation: Derivation) -> str:
    """The script; UsageError for a number that is beyond float64."""
    return _Script(story, derivation).text()


class _Script:
    """One script in the making."""

    def __init__(self, story: Story, derivation: Derivation) -> None:
        self.derivation = derivation
        self.words = words(story.language)
        self.title = story.title
        tape = derivation.tape
        told = [step.id for step in derivation.told_steps()]
        needed = tape.needed(told)
        self.steps = sorted((step for step in tape if step.id in needed), key=lambda step: PARTS.index(step.part))
        self.names = identifiers([step.id for step in self.steps], TAKEN)
        self.headings = _headings(story)
        self.cells: list[str] = []  # every number that is given or compared

    def text(self) -> str:
        phrase = self.words.phrases
        body = "\n".join(self._body())
        helpers = helpers_of(body)
        title = printable(self.title).replace("\\", "/").replace('"', "'")
        check = CHECK.format(
            comment=comment(phrase["script_close"]), tolerance=self._tolerance(), differs=phrase["script_differs"]
        )
        blocks = [
            f'"""{title}\n\n{phrase["script"].strip()}\n"""\n',
            *(["import math"] if "erf" in helpers else []),
            "import sys\n\nimport numpy as np\n",
            check,
            *("\n" + HELPERS[name] for name in helpers),
            body,
            f'\nprint(f"{phrase["script_agree"].format(count="{len(checked)}")}")\n',
        ]
        return "\n".join(blocks)

    def _tolerance(self) -> str:
        """What rounding may leave of the largest number, a power of ten."""
        largest = max((abs(Fraction(cell)) for cell in self.cells if not cell.endswith("inf")), default=Fraction(0))
        if not largest:
            return "0"
        power = 0
        while Fraction(10) ** power < largest:
            power += 1
        while Fraction(10) ** (power - 1) >= largest:
            power -= 1
        return f"1e{power - SPARE}"

    def _body(self) -> Iterator[str]:
        part = ""
        waiting = {step.id: step for step in self.steps if step.silent}
        for step in self.steps:
            if step.silent:
                continue
            headings = self.headings.get(step.id, [])
            if step.part != part:
                part = step.part
                yield f"\n{comment('--- ' + self.words.parts[part])}"
                headings = headings or [""]
            if headings:
                yield "\n".join(["", *(comment(heading) for heading in headings if heading)])
            for operand in step.operands:
                if operand in waiting:
                    yield from self._step(waiting.pop(operand))
            yield from self._step(step)
        for step in waiting.values():
            yield from self._step(step)

    def _step(self, step: Step) -> Iterator[str]:
        name = self.names[step.id]
        mark = "" if name == step.id else f"  # {printable(step.id)}"
        if step.op is None:
            yield self._given(step, name, mark)
            return
        operands = [atom(self.names[i], self.derivation.tape[i].shape) for i in step.operands]
        line = assignment(name, numpy_rule(step.op, operands, step.settings).text)
        expected = None if step.silent else self._expected(step)
        if expected is None:
            yield line + mark
            return
        yield line
        yield expected

    def _given(self, step: Step, name: str, mark: str) -> str:
        """An input with its digits as written."""
        if step.literal is None:
            raise UsageError(f"{step.id} has no numbers, and a script must begin with some")
        self.cells.extend(str(cell.value) for row in step.literal for cell in row if cell is not None)
        cells = [[_given_cell(cell, step) for cell in row] for row in step.literal]
        if not step.shape:
            return f"{name} = {cells[0][0]}{mark}"
        return matrix(cells, f"{name} = np.array(", f", dtype=float){mark}")

    def _expected(self, step: Step) -> str | None:
        """The line that compares a step with the derivation's number; None where that has no decided digits."""
        try:
            rows = DerivedStep(step, self.derivation.values).decimals(DIGITS)
        except Undecided:
            return None
        self.cells.extend(text for row in rows for text in row)
        cells = [[_literal(text, step) for text in row] for row in rows]
        told = json.dumps(printable(step.id), ensure_ascii=False)
        before = f"check({told}, {self.names[step.id]}, "
        if len(before) >= WIDTH:
            before = f"check(\n    {told},\n    {self.names[step.id]},\n    "
        return matrix(cells, before, ")") if step.shape else f"{before}{cells[0][0]})"


def _headings(story: Story) -> dict[str, list[str]]:
    """The headings below a part's own that stand before each step's first line."""
    found: dict[str, list[str]] = {}
    pending: list[str] = []
    for block in story.blocks:
        if isinstance(block, Heading):
            if block.level == 1:
                pending = []
            else:
                pending.append(block.text)
        elif isinstance(block, Display):
            found.setdefault(block.line.step.id, pending)
            pending = []
    return found


def _given_cell(cell: Written | None, step: Step) -> str:
    if cell is None:
        return "-np.inf"
    _within(cell.value, step)
    if cell.decimals is None:
        return f"{cell.value.numerator} / {cell.value.denominator}"
    text = cell.text.strip().replace("−", "-").removeprefix("+")
    return str(int(text)) if cell.is_integer else text


def _literal(text: str, step: Step) -> str:
    """A printed decimal as Python writes it."""
    if text.endswith("inf"):
        return text.replace("inf", "np.inf")
    _within(Fraction(text), step)
    return text


def _within(value: Fraction, step: Step) -> None:
    if abs(value) > GREATEST:
        raise UsageError(f"{step.id} has a number beyond 1e300, which NumPy's floating point does not hold")


WRITER = PageWriter("python", (".py",), write)
