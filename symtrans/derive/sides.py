"""The sides of a step's chain: its formula in names, in numbers, in entries, and its value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from symtrans.derive.elision import elided, flipped, framed, is_large, shown
from symtrans.derive.legible import MOST_SYMBOLS, Legibility
from symtrans.derive.numerals import Kind, Style, exact_entry, exact_texts, rounded_entry, rounded_text, terminating
from symtrans.derive.values import Values
from symtrans.exact.field import Element
from symtrans.model.tape import Step
from symtrans.notation.name import AnyName, Name, Script
from symtrans.notation.numeral_matrix import NumeralMatrix
from symtrans.notation.tree import Matrix, Node, Number, Symbol, Transpose, rebuild, substitute, walk
from symtrans.ops.domains.rational import WholeTensor
from symtrans.ops.domains.written import UNSEEN, WrittenAlgebra
from symtrans.ops.formulas import member_names, rule_tree
from symtrans.ops.interpret import interpret
from symtrans.ops.shapes import bind
from symtrans.ops.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a chain, and whether it differs from what stands before by rounding."""

    node: Node
    rounded: bool = False


class Sides:
    """Writes the sides of steps over one set of values, in one style and one naming."""

    def __init__(
        self, values: Values, style: Style, naming: Callable[[Step, Step], AnyName], most_symbols: int = MOST_SYMBOLS
    ) -> None:
        self.values = values
        self.tape = values.tape
        self.style = style
        self.naming = naming
        self._kinds: dict[str, Kind] = {}
        fractions = style.numbers == "fraction"
        self.legible = Legibility(values, takes_fractions=fractions, most_symbols=most_symbols)

    def name(self, step: Step, at: Step | None = None) -> Node:
        """The step's name as it is written in the line of the step `at` (its own line if not given)."""
        return Symbol(self.naming(step, at or step))

    def product(self, step: Step) -> Node:
        """The step's formula in its operands' names; a silent scalar stands as its number."""
        return self._filled(step, lambda operand: self._as_name(operand, step))

    def operands(self, step: Step) -> Side:
        """The step's formula in its operands' values, transposes carried out."""
        rounded = False

        def value(operand: Step) -> Node:
            nonlocal rounded
            node, was_rounded = self._best(operand)
            rounded |= was_rounded
            return node

        return Side(_transposed(self._filled(step, value)), rounded)

    def entries(self, step: Step) -> Side:
        """The step's rule carried out on written numbers, entry by entry, nothing evaluated."""
        rounded = False
        tensors: list[Tensor[Node]] = []
        for operand_id in step.operands:
            tensor = self.values.tensor(operand_id)
            pairs = [self._entry(entry, "natural") for entry in tensor.entries]
            rounded |= any(was for _, was in pairs)
            tensors.append(Tensor(tensor.shape, tuple(node for node, _ in pairs)))
        return Side(self._written(step, tensors), rounded)

    def symbolic(self, step: Step, symbols: Callable[[Step], Tensor[Node]]) -> Node:
        """The step's rule carried out on symbols, one for each entry of its operands; what is not shown left out."""
        operands = [symbols(self.tape[i]) for i in step.operands]
        if not self.is_large(step):
            return self._written(step, operands)
        short = elided(self._written(step, operands, shown))
        return elided(self._written(step, operands)) if UNSEEN in walk(short) else short

    def value(self, step: Step) -> list[Side]:
        """The step's value: exactly where that has a short form, and rounded where it does not terminate."""
        tensor = self.values.tensor(step.id)
        kind = self.kind(step) if step.shape else "natural"
        whole = self.style.full or not is_large(step.shape)
        if whole and step.shape and isinstance(tensor, WholeTensor):
            return self._numerals(tensor, kind)
        if not whole:
            places = [(i, j) for i in shown(step.shape[0]) for j in shown(step.shape[1])]
            size = (len(shown(step.shape[0])), len(shown(step.shape[1])))
            tensor = Tensor(size, tuple(tensor.entry(i + 1, j + 1) for i, j in places))
        exact = [self._exact(entry, kind) for entry in tensor.entries]
        known = tuple(node for node in exact if node is not None)
        sides: list[Side] = []
        if len(known) == len(exact) and self.legible.of_step(step.id):
            sides.append(Side(_laid_out(known, step.shape, whole)))
        if not sides or not all(self._ends(entry, kind) for entry in tensor.entries):
            rounded = [rounded_entry(entry, kind, self.style) for entry in tensor.entries]
            sides.append(Side(_laid_out(rounded, step.shape, whole), rounded=True))
        return sides

    def _numerals(self, tensor: WholeTensor, kind: Kind) -> list[Side]:
        """The same of a matrix of nothing but numbers, without a tree for each."""
        width = tensor.shape[1]

        def laid_out(texts: list[str]) -> NumeralMatrix:
            return NumeralMatrix(tuple(tuple(texts[i : i + width]) for i in range(0, len(texts), width)))

        exact = exact_texts(tensor.whole.ratios(), kind, self.style)
        sides = [] if exact is None else [Side(laid_out(exact))]
        if exact is None or (self.style.numbers == "decimal" and any("/" in text for text in exact)):
            rounded = [rounded_text(entry, kind, self.style) for entry in tensor.entries]
            sides.append(Side(laid_out(rounded), rounded=True))
        return sides

    def told(self, step: Step, node: Node) -> Node:
        """A side of the step's line as it is told: with dots where the step or what it works on is large."""
        return elided(node) if self.is_large(step) else node

    def is_large(self, step: Step) -> bool:
        """Whether the step or what it works on is not shown whole."""
        shapes = (step.shape, *(self.tape[operand].shape for operand in step.operands))
        return not self.style.full and any(map(is_large, shapes))

    def is_exact(self, step: Step) -> bool:
        """Whether the step's value is written exactly."""
        return not self.value(step)[0].rounded

    def _ends(self, entry: Element, kind: Kind) -> bool:
        """Whether an entry's exact form needs no decimal beside it."""
        if entry.infinite:
            return True
        if not entry.is_rational or self.style.numbers == "fraction":
            return entry.is_rational
        return terminating(entry.fraction, kind, self.style) is not None

    def kind(self, step: Step) -> Kind:
        """Whether a quantity is written in whole numbers or decimals: it belongs to the quantity, not the value."""
        if step.id not in self._kinds:
            if step.literal is not None:
                whole = all(cell is None or cell.is_integer for row in step.literal for cell in row)
            else:
                whole = all(self.kind(self.tape[i]) == "integer" for i in step.operands) and all(
                    entry.is_rational and entry.fraction.denominator == 1
                    for entry in self.values.tensor(step.id).entries
                )
            self._kinds[step.id] = "integer" if whole else "decimal"
        return self._kinds[step.id]

    def scalar(self, value: Element) -> Side:
        """A scalar value in one form: exact if that is short, else rounded."""
        node, rounded = self._entry(value, "natural")
        return Side(node, rounded)

    def rounded(self, value: Element) -> Node:
        """A scalar value as a certified decimal."""
        return rounded_entry(value, "natural", self.style)

    def short(self, value: Element) -> Node | None:
        """A rational scalar as a short exact numeral, or None."""
        return self._exact(value, "natural") if value.is_rational else None

    def _best(self, step: Step) -> tuple[Node, bool]:
        """The step's value in one form: exact if every entry has a short one, else rounded."""
        side = self.value(step)[0]
        return side.node, side.rounded

    def _exact(self, entry: Element, kind: Kind) -> Node | None:
        if not self.legible.of_entry(entry):
            return None
        return exact_entry(entry, kind, self.style, self.values.written)

    def _entry(self, entry: Element, kind: Kind) -> tuple[Node, bool]:
        exact = self._exact(entry, kind)
        return (rounded_entry(entry, kind, self.style), True) if exact is None else (exact, False)

    def _as_name(self, operand: Step, at: Step) -> Node:
        if operand.silent and not operand.shape:
            return self._entry(self.values.tensor(operand.id).item, "natural")[0]
        return self.name(operand, at)

    def _filled(self, step: Step, meaning: Callable[[Step], Node]) -> Node:
        assert step.op is not None
        names = member_names(step.op, len(step.operands))
        by_key = {name.key: self.tape[i] for name, i in zip(names, step.operands, strict=True)}
        numbers = self._lengths(step)

        def meant(symbol: Symbol) -> Node | None:
            operand = by_key.get(symbol.name.key)
            if operand is not None:
                return meaning(operand)
            return _literal(symbol, numbers)

        return _lengths_filled(substitute(rule_tree(step.op, len(step.operands)), meant), numbers)

    def _written(self, step: Step, tensors: list[Tensor[Node]], seen: Callable[[int], Iterable[int]] = range) -> Node:
        assert step.op is not None
        names = member_names(step.op, len(step.operands))
        table = {name.key: tensor for name, tensor in zip(names, tensors, strict=True)}
        tree = rule_tree(step.op, len(step.operands))
        result = interpret(tree, table, WrittenAlgebra(seen), self._lengths(step), by_rows=True)
        return _written_out(result)

    def _lengths(self, step: Step) -> Mapping[str, int]:
        assert step.op is not None
        return bind(step.op, [self.tape[i].shape for i in step.operands], step.settings)


def _written_out(tensor: Tensor[Node]) -> Node:
    return Matrix(tuple(tensor.rows())) if tensor.shape else tensor.item


def _laid_out(nodes: Sequence[Node], shape: tuple[int, ...], whole: bool) -> Node:
    """The entries, or those that are shown, as a matrix of the shape."""
    if whole:
        return _written_out(Tensor(shape, tuple(nodes)))
    cells = iter(nodes)
    return framed((shape[0], shape[1]), lambda i, j: next(cells))


def _transposed(node: Node) -> Node:
    """The tree with the transpose of every matrix written out carried out."""
    node = rebuild(node, _transposed)
    if isinstance(node, Transpose) and isinstance(node.base, Matrix):
        return Matrix(tuple(tuple(map(flipped, column)) for column in zip(*node.base.rows, strict=True)))
    return node


def _literal(symbol: Symbol, numbers: Mapping[str, int]) -> Node | None:
    """A shape letter or setting as its number."""
    key = symbol.name.key
    return Number(str(numbers[key])) if key in numbers else None


def _lengths_filled(node: Node, numbers: Mapping[str, int]) -> Node:
    r"""The tree with the length of `\mathbf{1}_{n}` and `\mathbf{I}_{n}` told as a number."""

    def told(symbol: Symbol) -> Node | None:
        name = symbol.name
        if not isinstance(name, Name) or name.font != "bold" or name.nucleus not in ("1", "I") or not name.subscript:
            return None
        letter = "".join(piece.text for piece in name.subscript)
        return Symbol(replace(name, subscript=(Script(str(numbers[letter])),))) if letter in numbers else None

    return substitute(node, told)
