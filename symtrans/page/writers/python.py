"""Python: a NumPy script that recomputes every step and compares it with the derivation's own digits."""

from __future__ import annotations

import keyword
import re
import textwrap

from symtrans.derive.derivation import Derivation
from symtrans.derive.steps import DerivedStep
from symtrans.language.words import words
from symtrans.model.tape import PARTS, Cell, Step
from symtrans.ops.domains.numpy_source import DEFINED, Code, Source, SourceAlgebra
from symtrans.ops.formulas import run
from symtrans.page.page_writer import PageWriter
from symtrans.page.story import Story

DIGITS = 12
WIDTH = 116
RESERVED = ("np", "math", "sys", "check", "checked", *DEFINED)
CHECK = f'''
checked = 0


def check(name, value, expected):
    """Compare a step with what the derivation says, to {DIGITS} digits and what floats lose."""
    global checked
    value, expected = np.asarray(value, dtype=float), np.array(expected, dtype=float)
    if value.shape != expected.shape or not np.allclose(value, expected, rtol=1e-9, atol=1e-9):
        sys.exit(f"{{name}} differs from the derivation:\\n{{value}}\\nand not\\n{{expected}}")
    checked += 1
'''


def write(story: Story, derivation: Derivation) -> str:
    """The script; it needs NumPy, prints one line, and exits with 1 and the step's name where one differs."""
    steps = [derivation[step_id] for step_id in _ordered(derivation)]
    names = _identifiers([step.id for step in steps])
    told, part, body = words(story.language), "", []
    for step in steps:
        if step.step.part != part:
            part = step.step.part
            body += ["", f"# --- {told.parts[part]}", ""]
        body += _lines(step, names, derivation)
    text = "\n".join(body)
    used = [DEFINED[name] for name in DEFINED if re.search(rf"\b{name}\(", text)]
    head = [
        f'"""{_plain(story.title)}',
        "",
        textwrap.fill(told.phrases["script"], WIDTH),
        '"""',
        "",
        *(["import math"] if "math." in "".join(used) else []),
        "import sys",
        "",
        "import numpy as np",
    ]
    functions = [line for function in used for line in ("", "", function)]
    end = ["", 'print(f"{checked} ' + told.phrases["script_agrees"] + '")']
    return "\n".join([*head, *functions, "", "", CHECK.strip("\n"), "", text, *end]) + "\n"


def _ordered(derivation: Derivation) -> list[str]:
    """What the told steps need, part by part, in the tape's order."""
    told = derivation.tape.needed(step.id for step in derivation.told_steps())
    steps = sorted((step for step in derivation.tape if step.id in told), key=lambda step: PARTS.index(step.part))
    return [step.id for step in steps]


def _lines(step: DerivedStep, names: dict[str, str], derivation: Derivation) -> list[str]:
    """A step's assignment, and its comparison where it is computed."""
    plain, name = step.step, names[step.id]
    comment = "" if name == step.id else f"  # {step.id}"
    if plain.op is None:
        assert plain.literal is not None
        return [_assigned(name, _rows(plain.shape, [[_cell(c) for c in row] for row in plain.literal]), comment)]
    operands = [Code(derivation.tape[i].shape, (Source(names[i]),)) for i in plain.operands]
    source = run(plain.op, operands, SourceAlgebra(), plain.settings).entries[0].text
    expected = _rows(plain.shape, step.decimals(DIGITS)).removeprefix("np.array(").removesuffix(")")
    if _is_silent_copy(plain):
        return [f"{name} = {source}{comment}"]
    return [f"{name} = {source}{comment}", _called(name, step.id, expected)]


def _is_silent_copy(step: Step) -> bool:
    return step.silent and step.op is not None and step.op.name == "copy"


def _assigned(name: str, value: str, comment: str) -> str:
    line = f"{name} = {value}{comment}"
    return line if len(line) <= WIDTH else f"{name} = {_broken(value)}{comment}"


def _called(name: str, step_id: str, expected: str) -> str:
    line = f'check("{step_id}", {name}, {expected})'
    return line if len(line) <= WIDTH else f'check("{step_id}", {name}, {_broken(expected)})'


def _broken(value: str) -> str:
    """A nested list with a row on each line."""
    start = value.index("[[")
    rows = value[start + 1 : value.rindex("]]") + 1].replace("], [", "],\n    [")
    return f"{value[: start + 1]}\n    {rows},\n{value[value.rindex(']]') + 1 :]}"


def _rows(shape: tuple[int, ...], rows: list[list[str]]) -> str:
    """An array, or a number, with the entries as they are."""
    if not shape:
        return rows[0][0]
    return "np.array([" + ", ".join("[" + ", ".join(_number(cell) for cell in row) + "]" for row in rows) + "])"


def _number(text: str) -> str:
    return {"-inf": "-np.inf", "inf": "np.inf"}.get(text, text)


def _cell(cell: Cell) -> str:
    """A number as the specification has it; a ratio or a numeral that Python does not read as its fraction."""
    if cell is None:
        return "-np.inf"
    value = cell.value
    decimal = re.fullmatch(r"-?(0|[1-9]\d*)(\.\d*)?", cell.text) and len(cell.text) < 20
    if decimal:
        return cell.text
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator} / {value.denominator}"


def _identifiers(ids: list[str]) -> dict[str, str]:
    """A valid Python name for every id, no two alike."""
    found: dict[str, str] = {}
    taken = set(RESERVED)
    for step_id in ids:
        name = re.sub(r"\W+", "_", step_id).strip("_")
        name = f"x_{name}" if not name or name[0].isdigit() or keyword.iskeyword(name) else name
        while name in taken:
            name += "_"
        taken.add(name)
        found[step_id] = name
    return found


def _plain(text: str) -> str:
    """A title inside a docstring."""
    return text.replace("\\", "/").replace('"', "'")


WRITER = PageWriter("python", (".py",), write)
