"""One of the 25 formulas as a sheet: headings, sentences and formulas in one language, apart from any format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from symtrans.derive.naming import Naming
from symtrans.derive.numerals import Style, exact_entry, rounded_entry
from symtrans.derive.sides import Sides
from symtrans.derive.symbolic import entry_symbols
from symtrans.derive.values import Values
from symtrans.language.words import Words
from symtrans.model.formula import Formula
from symtrans.model.formula_tape import formula_tape, vjp_steps
from symtrans.model.tape import Step
from symtrans.notation.dialect import load_dialect
from symtrans.notation.tree import Chain, Link, Matrix, Node
from symtrans.notation.writer import Writer

UNDERSCORE = r"\_"
LONGEST_LINE = 100  # of a terminal, beyond which a chain is cut at its relations and a matrix at its rows


@dataclass(frozen=True, slots=True)
class Shown:
    """A formula on the sheet: as LaTeX, and with its matrices on one line each for a terminal."""

    latex: str
    line: str


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and what stands below it: sentences and formulas."""

    heading: str
    items: tuple[str | Shown, ...]


def writers() -> tuple[Writer, Writer]:
    """One for pages, which transposes as the formulas do, and one that writes a matrix as `[1, 2; 3, 4]`."""
    page = replace(load_dialect("ams"), transpose="^T")
    line = {**page.matrix, "begin": "[", "cell": ", ", "row": "; ", "end": "]"}
    return Writer(page), Writer(replace(page, matrix=line))


def sheet(formula: Formula, words: Words) -> list[Part]:
    """The parts of a formula's sheet."""
    say = words.formulas
    example = _Example(formula)
    scoped = [
        Shown(rf"{name}\colon\text{{{scoped.replace('_', UNDERSCORE)}}}", f"{scoped}: {name}")
        for name, scoped in formula.names.items()
    ]
    how = [say["symbols_how"], *([say["heads_how"]] if "h" in formula.evaluation.lengths else [])]
    parts = [
        Part(say["shapes"], (formula.shapes[words.code],)),
        Part(say["status"], (say[f"status.{formula.standing}"], formula.evidence[words.code])),
        Part(say["names"], tuple(scoped)),
        Part(say["symbols"], (*how, *example.on_symbols())),
        Part(say["numbers"], tuple(example.on_numbers())),
    ]
    if formula.vjp:
        parts += [
            Part(say["vjp"], tuple(map(_same, formula.vjp))),
            Part(say["derivation"], (say["derivation_how"], *map(_same, formula.derivation))),
            Part(say["vjp_numbers"], tuple(example.vjp_on_numbers())),
        ]
    else:
        parts.append(Part(say["vjp"], (say["no_gradient"],)))
    parts += [
        Part(say["invariants"], tuple(map(_same, formula.invariants))),
        Part(say["pitfall"], (formula.pitfall[words.code],)),
        Part(say["source"], (formula.source,)),
    ]
    return [part for part in parts if part.items]


def _same(latex: str) -> Shown:
    return Shown(latex, latex)


class _Example:
    """A formula's example, derived, and its lines."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.tape = formula_tape(formula)
        self.values = Values(self.tape)
        self.sides = Sides(self.values, Style(), Naming({}))
        self.page, self.line = writers()

    def on_symbols(self) -> Iterator[Shown]:
        """Every forward step's rule in names and on one symbol for each entry; of the heads, the first."""
        for step in self.tape:
            if step.part == "forward" and step.head in (None, 1):
                yield self._chain(
                    (self.sides.name(step), self.sides.product(step), self.sides.symbolic(step, entry_symbols)), "=="
                )

    def on_numbers(self) -> Iterator[Shown]:
        """Every input and every forward step with its value."""
        given = {step.id for step in self.tape if step.part == "inputs" and not step.id.startswith("bar ")}
        return self._valued(step for step in self.tape if step.id in given or step.part == "forward")

    def vjp_on_numbers(self) -> Iterator[Shown]:
        """The results' cotangents, which are given, and what each line of the vjp makes of them."""
        told = [step_id for _, ids in vjp_steps(self.formula) for step_id in ids]
        given = [step for step in self.tape if step.part == "inputs" and step.id.startswith("bar ")]
        return self._valued([*given, *(self.tape[step_id] for step_id in told)])

    def _valued(self, steps: Iterable[Step]) -> Iterator[Shown]:
        for step in steps:
            value, is_exact = self._value(step)
            yield self._chain((self.sides.name(step), value), "=" if is_exact else "≈")

    def _value(self, step: Step) -> tuple[Node, bool]:
        """A value exactly where all of it is rational and short, else as proven decimals."""
        style, tensor = Style(), self.values.tensor(step.id)
        exact = [
            exact_entry(entry, "natural", style, self.values.written) if entry.infinite or entry.is_rational else None
            for entry in tensor.entries
        ]
        is_exact = None not in exact
        told = tensor.map(lambda entry: rounded_entry(entry, "natural", style))
        if is_exact:
            told = replace(told, entries=tuple(node for node in exact if node is not None))
        return (Matrix(tuple(told.rows())) if told.shape else told.item), is_exact

    def _chain(self, sides: tuple[Node, ...], relations: str) -> Shown:
        chain = Chain(sides, tuple(Link("≈" if sign == "≈" else "=") for sign in relations))
        line = self.line.chain(chain)
        if len(line) > LONGEST_LINE:
            told = [self.line.expression(side).replace("; ", ";\n       ") for side in sides]
            line = told[0] + "".join(f"\n    {sign} {side}" for sign, side in zip(relations, told[1:], strict=True))
        return Shown(self.page.chain(chain), line)
