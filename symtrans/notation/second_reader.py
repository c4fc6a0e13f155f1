r"""The independent second reader: latex2sympy2, asked about one side's own source and never trusted alone.

What it reads independently: the operators, their order and precedence, juxtaposition, fractions,
powers, roots, transposes, brackets, functions and their arguments, and decimal numerals (it turns
`0.1` into the rational 1/10). What it does not: names, parts cut out of a named matrix, and matrices
of numbers, which are replaced by placeholders; where the cells of a matrix of expressions begin and
end; and numerals with separators (`1{,}000`), which it is given as our own reader understood them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from symtrans.notation.rereading.allowed import Permit
from symtrans.notation.rereading.engine import load, sympy_tree
from symtrans.notation.rereading.evaluation import evaluate
from symtrans.notation.rereading.refusal import CannotReread
from symtrans.notation.rereading.text import text_for
from symtrans.notation.tree import Node


@dataclass(frozen=True, slots=True)
class Rereading:
    """What the second reader said of a side.

    * `status`: "read", or "cannot" where it has no words for the side.
    * `value`: the exact value that it reads, a SymPy expression or ImmutableMatrix; None if it cannot.
    * `why`: what it cannot express.
    * `text`: what it was given.
    """

    status: Literal["read", "cannot"]
    value: Any = None
    why: str = ""
    text: str = ""


def reread(source: str, tree: Node, value: Callable[[Node], Any]) -> Rereading:
    """Read a side's LaTeX a second time.

    `tree` is our own reader's tree with spans into `source`; `value` gives the exact SymPy value of a
    Symbol or of a Slice of one, or an ImmutableMatrix for a matrix of numbers, or None where it knows none.
    """
    text = ""
    try:
        permit = Permit(value)
        permit.kind(tree)
        text, placeholders = text_for(source, tree, permit.values)
        values = {name: permit.values[node] for name, node in placeholders.items()}
        shapes = {name: getattr(found, "shape", None) for name, found in values.items()}
        return Rereading("read", evaluate(sympy_tree(text, shapes), values), text=text)
    except CannotReread as refusal:
        return Rereading("cannot", why=str(refusal), text=text)


def prepare() -> None:
    """Load what a first rereading loads; processes that are forked from then on share it."""
    load()
