"""Formulas as HTML: each side as MathML, with marks on the names and the matrices that the script answers for.

A matrix has `data-s`, the number of the step whose entries are its cells, and `data-t` where it is transposed;
`data-v` says that it is the step's value. A name has `data-n`, the number of the step that it names. A side has
`data-r` where its relation follows from how exactly the numbers are shown.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html import escape
from itertools import groupby

from symtrans.derive.derivation import Derivation
from symtrans.derive.naming import Naming
from symtrans.exact.rounding import certify
from symtrans.model.tape import Step
from symtrans.notation.dialect import load_dialect
from symtrans.notation.name import AnyName
from symtrans.notation.tree import Apply, BigSum, Dots, Matrix, Node, Slice, Sum, Symbol, Transpose, children, walk
from symtrans.notation.writer import Writer
from symtrans.ops.formulas import member_names, rule_tree
from symtrans.page.story import Display, Math, Story
from symtrans.page.web.mathml import markup, mathml
from symtrans.page.web.steps import Steps

Marks = list[tuple[Step, bool] | None]
"""For each matrix of a side, in order: the step whose entries it shows, and whether transposed; None for another."""


class Formulas:
    """Writes the formulas of one page."""

    def __init__(self, story: Story, derivation: Derivation, steps: Steps) -> None:
        self.tape = derivation.tape
        self.values = derivation.values
        self.digits = derivation.style.digits
        self.steps = steps
        self.writer = Writer(load_dialect(story.dialect))
        self.naming = Naming({} if derivation.wrt else derivation.spec.aliases)
        self._heads: dict[tuple[str, str], list[Step]] = {}
        for step in derivation.told_steps():
            if step.head is not None:
                self._heads.setdefault((step.role, step.scope), []).append(step)
        self._shapes: dict[AnyName, str] = {}
        self._named = {self.writer.name(step.name): step for step in derivation.told_steps()}

    def inline(self, math: Math) -> str:
        """A formula in a sentence, cut where a name is a link to its definition."""
        root = mathml(math.latex)
        if root is None:
            return f"<code>{escape(math.latex)}</code>"
        wanted = [step for latex, step in self._named.items() if latex in math.latex]
        self._mark_names(root, {self._shape_of(s.name): s for s in wanted})
        row = root[0] if len(root) == 1 and root[0].tag == "mrow" and "data-n" not in root[0].attrib else root
        return "".join(self._piece(number, list(run)) for number, run in groupby(row, lambda one: one.get("data-n")))

    def _piece(self, number: str | None, run: list[ET.Element]) -> str:
        """Elements side by side as a formula of their own, a link where they are the name of a step."""
        root = ET.Element("math")
        root.extend(run)
        if number is None:
            return markup(root)
        name = escape(self.steps.ids[int(number)])
        return f'<a class="name" href="#{name}" aria-label="{name}">{markup(root)}</a>'

    def chain(self, display: Display) -> str:
        """A formula on a line of its own: each side with the relation before it is a box, so that it can wrap."""
        step, claim = display.line.step, display.line.claim
        names = self._names(step)
        boxes, values, before_exact = [], 0, bool(step.shape)
        for place, (latex, node) in enumerate(zip(display.sides, claim.chain.sides, strict=True)):
            relation = display.relations[place - 1] if place else ""
            root = mathml(relation + latex)
            if root is None or node is None:
                boxes.append(f'<span class="side"><code>{escape(relation + latex)}</code></span>')
                before_exact = False
                continue
            is_value = self._is_value(step, node)
            marks = self._marks(step, node) if display.line.telling == "numbers" else []
            shown = self._mark_tables(root, marks, is_value)
            if not step.shape and place and is_value:
                shown = self._mark_scalar(root, step)
            self._mark_names(root, names)
            told = ""
            changes = shown and (is_value or self._is_of_operands(step, marks))
            if changes and before_exact and claim.word != "assumed":
                told += ' data-r="1"'
            if shown and is_value:
                values += 1
                told += ' data-twin="1"' if values > 1 else ""
            before_exact = bool(step.shape) and (changes or not any(isinstance(n, Matrix) for n in walk(node)))
            boxes.append(f'<span class="side"{told}>{markup(root)}</span>')
        return "".join(boxes)

    def _is_value(self, step: Step, node: Node) -> bool:
        """Whether a side is the step's value, and not its rule carried out on numbers."""
        cells = [cell for row in node.rows for cell in row] if isinstance(node, Matrix) else [node]
        if isinstance(node, Matrix) and "entries" not in self.writer.dialect.chains.get(step.kind, ()):
            return True
        return all(map(_is_number, cells))

    def _is_of_operands(self, step: Step, marks: Marks) -> bool:
        """Whether a side is the rule on its operands' values, of which those that the script leaves alone are exact."""
        if any(mark is None or mark[0] is step for mark in marks):
            return False
        scalars = [self.values.tensor(i).item for i in step.operands if not self.tape[i].shape]
        return all(certify(entry, self.digits).exact for entry in scalars)

    def _names(self, step: Step) -> dict[str, Step]:
        """The names that the line of a step may hold, as MathML, with what they name."""
        others = (self.tape[i] for i in (*step.operands, *([step.of] if step.of else ())))
        of_heads = () if step.head is None else self._heads.get((step.role, step.scope), ())
        return {self._shape_of(self.naming(other, step)): other for other in (*of_heads, *others, step)}

    def _marks(self, step: Step, node: Node) -> Marks:
        """What the matrices of a side are: the value itself, or the operands in the order of the rule."""
        if isinstance(node, Matrix) and (len(node.rows), len(node.rows[0])) == step.shape:
            inner = sum(isinstance(n, Matrix) for n in walk(node)) - 1
            if not inner:
                return [(step, False)]
        if step.op is None or (isinstance(node, Matrix) and any(isinstance(n, Dots) for n in walk(node))):
            return []
        names = member_names(step.op, len(step.operands))
        by_key = {name.key: self.tape[i] for name, i in zip(names, step.operands, strict=True)}
        return list(_occurrences(rule_tree(step.op, len(step.operands)), by_key))

    def _mark_tables(self, root: ET.Element, marks: Marks, is_value: bool) -> bool:
        """Mark the tables of a side; whether all of them are marked, and there are some.

        A table whose size is not that of its step, such as one that is shown in part, gets no mark.
        """
        tables = list(root.iter("mtable"))
        if len(tables) != len(marks):
            return False
        whole = bool(tables)
        for table, mark in zip(tables, marks, strict=True):
            number = None if mark is None else self.steps.number(mark[0])
            if mark is None or number is None or _size(table) != (mark[0].shape[::-1] if mark[1] else mark[0].shape):
                whole = False
                continue
            table.set("data-s", str(number))
            if mark[1]:
                table.set("data-t", "1")
            if is_value:
                table.set("data-v", "1")
        return whole

    def _mark_scalar(self, root: ET.Element, step: Step) -> bool:
        """Mark a number that is the value of a scalar step: all that follows the relation."""
        number = self.steps.number(step)
        content = root[0] if len(root) == 1 and root[0].tag == "mrow" else root
        if number is None or len(content) < 2 or content[0].tag != "mo":
            return False
        row = ET.Element("mrow", {"data-s": str(number), "data-v": "1"})
        row.extend(list(content)[1:])
        content[:] = [content[0], row]
        return True

    def _mark_names(self, element: ET.Element, names: dict[str, Step]) -> None:
        """Mark the names below an element, the largest ones."""
        for child in element:
            if child.tag in ("mi", "mrow", "msub", "msup", "msubsup", "mover", "mtext", "mfrac"):
                step = names.get(markup(child))
                number = None if step is None else self.steps.number(step)
                if step is not None and number is not None and self.steps.target(step):
                    child.set("data-n", str(number))
                    continue
            if child.tag != "mtable" or child.get("data-s") is None:
                self._mark_names(child, names)

    def _shape_of(self, name: AnyName) -> str:
        """A name as the MathML that it has inside a formula."""
        if name not in self._shapes:
            root = mathml(self.writer.name(name))
            self._shapes[name] = "" if root is None or len(root) != 1 else markup(root[0])
        return self._shapes[name]


def _occurrences(node: Node, by_key: dict[str, Step]) -> Iterator[tuple[Step, bool] | None]:
    """The matrices of a rule that is filled with its operands' values, in written order."""
    match node:
        case Symbol(name):
            step = by_key.get(name.key)
            if step is not None and step.shape:
                yield step, False
        case Transpose(Symbol(name)):
            step = by_key.get(name.key)
            if step is not None and step.shape:
                yield step, True
        case _:
            if isinstance(node, Matrix):
                yield None
            for child in children(node):
                yield from _occurrences(child, by_key)


def _is_number(node: Node) -> bool:
    """Whether a node is a number written out, and not a formula: no name, no function, no sum of two."""
    if isinstance(node, Sum):
        return len(node.terms) == 1 and _is_number(node.terms[0].node)
    return not any(isinstance(n, Symbol | Sum | Apply | BigSum | Matrix | Slice) for n in walk(node))


def _size(table: ET.Element) -> tuple[int, int]:
    lengths = {len(row) for row in table}
    return len(table), lengths.pop() if len(lengths) == 1 else 0
