"""Where an entry comes from: its step's rule on one place holder for each entry of the operands, as plain text.

A template such as `a·c + b·d` is the same for every step of one op, one size and one setting, so that a page
holds it once; the script puts the entries of the operands in.
"""

from __future__ import annotations

import re
from dataclasses import replace

from symtrans.check.working import plain
from symtrans.errors import SymtransError
from symtrans.model.tape import Step, Tape
from symtrans.notation.dialect import load_dialect
from symtrans.notation.name import Name
from symtrans.notation.tree import Node, Product, Symbol, rebuild
from symtrans.notation.writer import Writer
from symtrans.ops.domains.written import WrittenAlgebra
from symtrans.ops.formulas import run
from symtrans.ops.shapes import Shape
from symtrans.ops.tensor import Tensor

FIRST = 0xAC00  # the place holder of the first entry; 11,172 syllables follow it, which count as letters
MOST_HELD = 2000  # entries of the operands of one step, beyond which nothing is said of where its entries come from
MOST_ENTRIES = 400  # the same for the entries of its value
LONGEST = 1000  # characters of a template that is shown; of a longer one, only which entries it takes


def template_key(step: Step, tape: Tape) -> tuple[object, ...]:
    """What the templates of a step depend on."""
    assert step.op is not None
    return (step.op.name, tuple(tape[i].shape for i in step.operands), tuple(sorted(step.settings.items())))


def templates(step: Step, tape: Tape) -> list[str]:
    """For each entry of a step its rule as text with place holders, row by row; empty where that is too much.

    A text that begins with an exclamation mark is only the place holders that the rule takes.
    """
    shapes = [tape[i].shape for i in step.operands]
    held, own = sum(map(_size, shapes)), _size(step.shape)
    if step.op is None or held > MOST_HELD or own > MOST_ENTRIES:
        return []
    tensors, first = [], FIRST
    for shape in shapes:
        symbols: list[Node] = [Symbol(Name(chr(first + place))) for place in range(_size(shape))]
        tensors.append(Tensor(shape, tuple(symbols)))
        first += len(symbols)
    try:
        value = run(step.op, tensors, WrittenAlgebra(), step.settings)
    except SymtransError:
        return []
    writer = Writer(load_dialect("ams"))
    return [_text(writer.expression(_dotted(entry))) for entry in value.entries]


def _size(shape: Shape) -> int:
    return shape[0] * shape[1] if shape else 1


def _dotted(node: Node) -> Node:
    """The tree with a sign for every product, since numbers will stand side by side."""
    node = rebuild(node, _dotted)
    if isinstance(node, Product):
        node = replace(node, operators=tuple(operator or "cdot" for operator in node.operators))
    return node


def _text(latex: str) -> str:
    text = plain(latex)
    if len(text) > LONGEST:
        return "!" + "".join(dict.fromkeys(c for c in text if ord(c) >= FIRST))
    text = re.sub(r"(?<=[\w.)]) ?- ?", " − ", text).replace("-", "−")
    return re.sub(r" *·+ *", "·", text)
