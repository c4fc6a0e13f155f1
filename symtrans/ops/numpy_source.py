"""The translator: a formula's tree and names make one NumPy expression, of whole matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symtrans.errors import ShapeError
from symtrans.notation import tree as t
from symtrans.notation.name import AnyName, Name
from symtrans.notation.tree import Node
from symtrans.ops.counting import COUNTED, counted, integer, rational
from symtrans.ops.formulas import member_names, rule_tree
from symtrans.ops.interpret import NotEvaluated, UnknownName, at_index
from symtrans.ops.numpy_functions import blocks, call, entrywise, reduced, transposed
from symtrans.ops.numpy_piece import ATOM, POWER, PRODUCT, SUM, Piece, atom, ones, pairwise, product
from symtrans.ops.op import Op
from symtrans.ops.shapes import bind

SHORTEST_LOOP = 3  # summands from which a sum over an index is written as one
ENTRYWISE = ("odot", "slash", "otimes")


class _NoLoop(Exception):
    """A sum over an index whose body cannot be told for all places at once."""


def numpy_rule(op: Op, operands: Sequence[Piece], settings: Mapping[str, int] | None = None) -> Piece:
    """The op on operands told as source; ShapeError where their shapes do not fit."""
    lengths = bind(op, [piece.shape for piece in operands], settings)
    names = {n.key: piece for n, piece in zip(member_names(op, len(operands)), operands, strict=True)}
    return numpy_source(rule_tree(op, len(operands)), names, lengths)


def numpy_source(tree: Node, names: Mapping[str, Piece], lengths: Mapping[str, int] | None = None) -> Piece:
    """The tree as an expression whose value has the formula's shape.

    It means what `interpret` means, in the same names and lengths, for floating-point arrays: a
    matrix is an array of two dimensions, a scalar a number. Raises what `interpret` raises.
    """
    return _Translator(names, lengths or {}).piece(tree).spread()


class _Translator:
    """One translation; `loops` are the indices of the sums around, which stand for themselves."""

    def __init__(self, names: Mapping[str, Piece], lengths: Mapping[str, int]) -> None:
        self.names = names
        self.lengths = lengths
        self.loops: dict[str, range] = {}
        self.entrywise = False

    def piece(self, node: Node) -> Piece:
        match node:
            case t.Number(text):
                return atom(python_numeral(text), ())
            case t.Symbol(name):
                return self._symbol(name)
            case t.Constant(which):
                return atom({"infty": "np.inf", "pi": "np.pi"}.get(which, "np.e"), ())
            case t.Group(body, bracket):
                return self._group(body, bracket)
            case t.Sum(terms):
                return self._terms(terms)
            case t.Product(factors, operators):
                return self._product(factors, operators)
            case t.Fraction(numerator, denominator):
                return pairwise(self.piece(numerator), self.piece(denominator), "/")
            case t.Power(base, exponent):
                return self._power(base, exponent)
            case t.Transpose(base):
                return transposed(self.piece(base))
            case t.Root(body, degree):
                return self._root(body, degree)
            case t.Matrix(rows):
                return blocks([[self.piece(cell) for cell in row] for row in rows])
            case t.Apply(function, arguments) if function in COUNTED:
                self._without_index(node)
                return atom(str(counted(function, arguments, self.lengths)), ())
            case t.Apply(function, arguments, subscript):
                below = None if subscript is None else self.piece(subscript)
                return call(function, [self.piece(a) for a in arguments], below)
            case t.BigSum():
                return self._sum(node)
            case t.Slice(base, rows, columns):
                return self._slice(self.piece(base), rows, columns)
            case _:
                raise NotEvaluated("an ellipsis has no value")

    def _symbol(self, name: AnyName) -> Piece:
        found = self.names.get(name.key)
        if found is not None:
            return found
        if name.key in self.loops:
            return atom(name.key, ())
        if isinstance(name, Name):
            if name.key in self.lengths:
                return atom(str(self.lengths[name.key]), ())
            size = self._size(name)
            if size is not None and name.nucleus == "1":
                return ones(size, 1)
            if size is not None and name.nucleus == "I":
                return atom(f"np.eye({size})", (size, size))
            if name == Name("pi", is_command=True):
                return atom("np.pi", ())
        raise UnknownName(name)

    def _size(self, name: Name) -> int | None:
        if name.font != "bold" or len(name.subscript) != 1:
            return None
        text = name.subscript[0].text
        return int(text) if text.isdigit() and len(text) < 7 else self.lengths.get(text)

    def _group(self, body: Node, bracket: str) -> Piece:
        value = self.piece(body)
        if bracket == "‖":
            return reduced("np.linalg.norm", [value])
        return entrywise("abs", [value]) if bracket == "|" else value

    def _terms(self, terms: Sequence[t.Term]) -> Piece:
        total = self.piece(terms[0].node)
        if terms[0].sign < 0:
            total = replace(total, text=f"-{total.at(PRODUCT)}", binding=SUM, ones=False, joint="")
        for term in terms[1:]:
            total = pairwise(total, self.piece(term.node), "+" if term.sign > 0 else "-")
        return total

    def _product(self, factors: Sequence[Node], operators: Sequence[str]) -> Piece:
        pieces: list[Piece] = []
        signs: list[str] = []
        place = 0
        while place < len(factors):
            joint = operators[place] if place < len(operators) else "end"
            if joint == "" and self._is_sigmoid(factors[place], factors[place + 1]):
                place += 1
                pieces.append(call("sigmoid", [self.piece(factors[place])]))
            else:
                pieces.append(self.piece(factors[place]))
            signs.extend(operators[place : place + 1])
            place += 1
        if len(pieces) > 2 and pieces[0].is_scalar and pieces[1].shape and pieces[2].ones and signs[1] not in ENTRYWISE:
            pieces[1:3] = [product(pieces[1], pieces[2])]  # a scalar before a row sum stays before it
            del signs[1]
        result = pieces[0]
        for sign, piece in zip(signs, pieces[1:], strict=True):
            result = self._joined(result, piece, sign)
        return result

    @staticmethod
    def _joined(left: Piece, right: Piece, sign: str) -> Piece:
        match sign:
            case "odot":
                return product(left, right) if left.is_scalar or right.is_scalar else pairwise(left, right, "*")
            case "slash":
                return pairwise(left, right, "/")
            case "otimes":
                raise NotEvaluated("the product ⊗ has no value here; ⊙ is the entrywise product")
            case _:
                return product(left, right)

    def _is_sigmoid(self, factor: Node, following: Node) -> bool:
        return (
            isinstance(factor, t.Symbol)
            and factor.name == Name("sigma", is_command=True)
            and isinstance(following, t.Group)
            and following.bracket in ("(", "[")
            and factor.name.key not in self.names
        )

    def _power(self, base: Node, exponent: Node) -> Piece:
        power = self.piece(exponent)
        if isinstance(base, t.Constant) and base.which == "e":
            return entrywise("np.exp", [power])
        value = self.piece(base)
        known = rational(exponent, self.lengths)
        if known is None and not (power.is_scalar and value.is_scalar):
            raise ShapeError("an exponent must be a scalar")
        square = bool(value.shape) and value.shape[0] == value.shape[1] and value.shape != (1, 1)
        if square and not self.entrywise and known is not None and known.denominator == 1:
            return atom(f"np.linalg.matrix_power({value.spread().text}, {power.text})", value.shape)
        return Piece(f"{value.at(ATOM)} ** {power.at(ATOM)}", value.shape, value.held, POWER)

    def _root(self, body: Node, degree: Node | None) -> Piece:
        value = self.piece(body)
        if degree is None:
            return entrywise("np.sqrt", [value])
        return Piece(f"{value.at(ATOM)} ** (1 / {self.piece(degree).at(POWER)})", value.shape, value.held, POWER)

    def _sum(self, node: t.BigSum) -> Piece:
        if node.index is None:
            before, self.entrywise = self.entrywise, True
            body = self.piece(node.body)
            self.entrywise = before
            if node.kind == "prod":
                raise NotEvaluated("a product without bounds")
            return reduced("np.sum", [body])
        if node.low is None or node.high is None:
            raise NotEvaluated("a sum over an index needs its first and its last value")
        self._without_index(node.low)
        self._without_index(node.high)
        places = range(integer(node.low, self.lengths), integer(node.high, self.lengths) + 1)
        if not places:
            raise NotEvaluated("a sum whose last index comes before its first")
        if node.kind == "sum" and len(places) >= SHORTEST_LOOP:
            try:
                return self._loop(node.body, node.index, places)
            except _NoLoop:
                pass
        parts = [self.piece(at_index(node.body, node.index, place)) for place in places]
        result = parts[0]
        for part in parts[1:]:
            result = pairwise(result, part, "+") if node.kind == "sum" else product(result, part)
        return result

    def _loop(self, body: Node, index: AnyName, places: range) -> Piece:
        """The sum as `sum(… for i in range(…))`; _NoLoop where the index stands in a name or decides a shape."""
        key = index.key
        taken = {piece.text for piece in self.names.values()} | self.loops.keys()
        if not (key.isascii() and key.isidentifier()) or key in taken or key in self.names:
            raise _NoLoop
        if any(at_index(s, index, 0) != s for s in t.walk(body) if isinstance(s, t.Symbol) and s.name != index):
            raise _NoLoop
        before = self.lengths
        self.loops[key] = places
        self.lengths = {**before, key: places[0]}
        try:
            value = self.piece(body).spread()
        finally:
            self.lengths = before
            del self.loops[key]
        bounds = f"{places.start}, {places.stop}" if places.start else str(places.stop)
        return atom(f"sum({value.text} for {key} in range({bounds}))", value.shape)

    def _slice(self, value: Piece, rows: tuple[Node, Node] | None, columns: tuple[Node, Node] | None) -> Piece:
        if value.is_scalar:
            raise ShapeError("rows or columns of a scalar cannot be taken")
        value = value.spread()
        texts, shape = [], []
        for side, available in zip((rows, columns), value.shape, strict=True):
            if side is None:
                texts.append(":")
                shape.append(available)
                continue
            first, last = self._bound(side[0], -1), self._bound(side[1], 0)
            ends = max(len(first[1]), len(last[1]))
            lows, highs = (bound[1] * (ends if len(bound[1]) == 1 else 1) for bound in (first, last))
            counts = {high - low for low, high in zip(lows, highs, strict=True)}
            if len(counts) > 1:
                raise _NoLoop
            if min(lows) < 0 or max(highs) > available or min(counts) < 1:
                raise ShapeError(f"there are no places {min(lows) + 1} to {max(highs)} among {available}")
            colon = " : " if " " in first[0] + last[0] else ":"
            texts.append(f"{first[0]}{colon}{last[0]}")
            shape.append(counts.pop())
        return atom(f"{value.at(ATOM)}[{', '.join(texts)}]", (shape[0], shape[1]))

    def _bound(self, node: Node, less: int) -> tuple[str, list[int]]:
        """A bound of a range, counted from 0, as source and as its value at every place of the loops around."""
        used = [key for key in self.loops if _uses(node, key)]
        if not used:
            value = integer(node, self.lengths) + less
            return str(value), [value]
        if len(used) > 1:
            raise _NoLoop
        key, places = used[0], self.loops[used[0]]
        values = [integer(node, {**self.lengths, key: place}) + less for place in places]
        slope = values[1] - values[0]
        start = values[0] - slope * places[0]
        if values != [slope * place + start for place in places]:
            raise _NoLoop
        steps = key if abs(slope) == 1 else f"{abs(slope)} * {key}"
        if slope > 0:
            text = steps if not start else f"{steps} {'+' if start > 0 else '-'} {abs(start)}"
        else:
            text = f"{start} - {steps}" if slope else str(start)
        return text, values

    def _without_index(self, node: Node) -> None:
        if any(_uses(node, key) for key in self.loops):
            raise _NoLoop


def _uses(node: Node, key: str) -> bool:
    return any(isinstance(part, t.Symbol) and part.name.key == key for part in t.walk(node))


def python_numeral(text: str) -> str:
    """An unsigned numeral as Python writes it: `007` is 7 there, and is no number with its zeros."""
    return str(int(text)) if text.isdigit() else text
