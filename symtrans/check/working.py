"""How a right value comes about: the sum behind one entry of a wrong result, written out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from symtrans.check.finding import Entry, FileReport, LinkVerdict
from symtrans.errors import SymtransError
from symtrans.notation.dialect import load_dialect
from symtrans.notation.tree import Node
from symtrans.notation.writer import Writer
from symtrans.ops.domains.written import WrittenAlgebra
from symtrans.ops.interpret import interpret

MOST = 4  # entries that are worked out for one link
LONGEST = 160


def workings(report: FileReport) -> dict[tuple[int, int], tuple[str, ...]]:
    """For each link with wrong entries, its first entries as sums of the author's own numbers."""
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    wrong = {(link.formula, link.step): link for link in report.links if link.verdict == "FAILS" and link.entries}
    for statement in report.statements:
        for place, step in enumerate(statement.steps):
            link = wrong.get((step.block, step.step))
            side = statement.sides[place]
            if link is not None and side is not None and side.node is not None:
                lines = tuple(_lines(side.node, link))
                if lines:
                    found[(step.block, step.step)] = lines
    return found


def _lines(node: Node, link: LinkVerdict) -> Iterator[str]:
    try:
        tensor = interpret(node, {}, WrittenAlgebra(), {})
    except SymtransError:
        return  # names: what they stand for is told where they are defined
    writer = Writer(load_dialect("ams"))
    for entry in link.entries[:MOST]:
        try:
            tree = tensor.item if tensor.is_scalar else tensor.entry(entry.row, entry.col)
        except SymtransError:
            return
        text = plain(writer.expression(tree))
        if len(text) <= LONGEST and text != entry.stated:
            place = "" if tensor.is_scalar else f"({entry.row}, {entry.col}): "
            yield f"{place}{text} {'=' if _is_exact(entry) else '≈'} {entry.decimal}"


def _is_exact(entry: Entry) -> bool:
    """Whether an entry's decimal is its right value, and not that value rounded."""
    try:
        return entry.exact == entry.decimal or Fraction(entry.exact) == Fraction(entry.decimal)
    except (ValueError, ZeroDivisionError):
        return False


_SIGNS = ((r"\times", "·"), (r"\cdot", "·"), (r"\left", ""), (r"\right", ""), (r"\approx", "≈"), (r"\pi", "π"))
_INNERMOST = (
    (re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}"), lambda m: f"{_atom(m[1])}/{_atom(m[2])}"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), lambda m: f"√{_atom(m[1])}"),
    (re.compile(r"\^\{([^{}]*)\}"), lambda m: f"^{_atom(m[1])}"),
    (re.compile(r"\\(?:text|mathrm|operatorname|mathbf)\{([^{}]*)\}"), lambda m: m[1]),
    (re.compile(r"(?<![A-Za-z}_^])\{([^{}]*)\}"), lambda m: m[1]),
)


def plain(latex: str) -> str:
    """Simple LaTeX as plain text for a terminal: `3·0.2 + 4·0.6`, `e^(-2)/(1 + e^(-2))`."""
    for command, sign in _SIGNS:
        latex = re.sub(re.escape(command) + r"(?![A-Za-z]) ?", sign, latex)
    before = ""
    while before != latex:
        before = latex
        for pattern, text in _INNERMOST:
            latex = pattern.sub(text, latex)
    latex = re.sub(r"\\([A-Za-z]+) ?", r"\1", latex)
    return re.sub(r"(?<=[\w.)])\+", " + ", latex.replace("{", "").replace("}", ""))


def _atom(text: str) -> str:
    """A piece in brackets where it is more than one number or name."""
    return text if re.fullmatch(r"\\?[\w.√^]+(?:\([^()]*\))?", text) else f"({text})"
