r"""The writer: a tree as LaTeX in a dialect, with the brackets that its precedence needs.

A `Group` in the tree is written as it is; where a tree has none but its LaTeX would be read as
another tree without, the writer sets brackets of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symtrans.notation.dialect import Dialect
from symtrans.notation.name import AnyName, DerivativeName, Name
from symtrans.notation.name_writer import braced, join, script, spell_name
from symtrans.notation.numeral_matrix import NumeralMatrix, numeral_node
from symtrans.notation.tree import (
    Apply,
    BigSum,
    Chain,
    Constant,
    Dots,
    Fraction,
    Group,
    Matrix,
    Node,
    Number,
    Power,
    Product,
    Root,
    Slice,
    Sum,
    Symbol,
    Term,
    Transpose,
)

# How tightly a node's LaTeX holds together: as a summand, as a product, as a factor, under a script.
_SUM, _PRODUCT, _FACTOR, _NUCLEUS = range(4)


def _tightness(node: Node) -> int:
    match node:
        case Sum():
            return _SUM
        case Product() | BigSum():
            return _PRODUCT
        case Fraction() | Power() | Transpose() | Apply() | Symbol(DerivativeName()):
            return _FACTOR
        case _:
            return _NUCLEUS


class Writer:
    """Writes trees, names and chains in one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        before, rest = dialect.fraction.split("<numerator>")
        between, after = rest.split("<denominator>")
        self._ratio = before, between, after

    def name(self, name: AnyName) -> str:
        """A name as LaTeX."""
        return spell_name(self.dialect, name)

    def expression(self, node: Node) -> str:
        """A tree as LaTeX."""
        return self._write(node)

    def chain(self, chain: Chain) -> str:
        """Sides and the relations between them as LaTeX; a missing first side is left out."""
        text = "" if chain.sides[0] is None else self._write(chain.sides[0])
        for link, side in zip(chain.links, chain.sides[1:], strict=True):
            text += self.dialect.relations[link.relation]
            if side is not None:
                text = join(text, self._write(side))
        return text

    def _write(self, node: Node, least: int = _SUM) -> str:
        """The node's LaTeX, in brackets where it holds together less tightly than `least`."""
        if _tightness(node) < least:
            return self._bracket("(", self._write(node))
        spell = self.dialect
        match node:
            case Number(text):
                return text
            case Constant(which):
                return spell.constants[which]
            case Symbol(name):
                return self.name(name)
            case Dots(direction):
                return spell.dots[direction]
            case NumeralMatrix():
                return self._enclosed([self._numerals(row) for row in node.texts], len(node.texts[0]))
            case Matrix(rows):
                return self._enclosed([map(self._write, row) for row in rows], max(map(len, rows), default=0))
            case Sum():
                return self._sum(node)
            case Product():
                return self._product(node)
            case Fraction(numerator, denominator):
                template = spell.fraction.replace("<numerator>", self._write(numerator))
                return template.replace("<denominator>", self._write(denominator))
            case Power(base, exponent):
                return self._power(base, exponent)
            case Transpose(base):
                return self._nucleus(base) + spell.transpose
            case Root(body, degree):
                template = spell.root if degree is None else spell.root_degree.replace("<degree>", self._write(degree))
                return template.replace("<body>", self._write(body))
            case Group(body, bracket):
                if _is_matrix(body) and bracket in ("(", "["):
                    return self._write(body)  # a matrix has its own brackets
                return self._bracket("(" if bracket == "[" and _is_list(body) else bracket, self._write(body))
            case Apply():
                return self._apply(node)
            case BigSum():
                return self._big_sum(node)
            case Slice():
                return self._slice(node)
        raise TypeError(f"no spelling for {type(node).__name__}")

    def _bracket(self, kind: str, text: str) -> str:
        pairs = self.dialect.brackets[kind]
        opening, closing = pairs[2:] if any(mark in text for mark in self.dialect.tall) else pairs[:2]
        return join(opening, text) + closing

    def _nucleus(self, node: Node) -> str:
        """The node as the nucleus of a script; a plain round bracket is braced at its closing sign only."""
        if _tightness(node) < _NUCLEUS:
            node = Group(node)
        text = self._write(node)
        closing = self.dialect.brackets["("][1]
        if isinstance(node, Group) and node.bracket == "(" and text.startswith(self.dialect.brackets["("][0]):
            return text.removesuffix(closing) + braced(self.dialect, closing, has_scripts=False)
        return braced(self.dialect, text, _has_scripts(node))

    def _power(self, base: Node, exponent: Node) -> str:
        """The power, in brackets where the exponent would be read as a label of the base or as a transpose."""
        if isinstance(exponent, Symbol) and isinstance(exponent.name, Name) and exponent.name.nucleus == "T":
            exponent = Group(exponent)
        if isinstance(base, Symbol) and isinstance(base.name, Name) and _is_label(exponent, base.name):
            base = Group(base)
        elif base == Constant("e") and _begins_upright(exponent):
            exponent = Group(exponent)
        return self._nucleus(base) + script("^", self._write(exponent))

    def _enclosed(self, rows: Iterable[Iterable[str]], width: int) -> str:
        """Cells that are written, as a matrix of so many columns."""
        spell = self.dialect.matrix
        lines = spell["row"].join(map(spell["cell"].join, rows))
        return spell["begin"].replace("<columns>", spell["column"] * width) + lines + spell["end"]

    def _numerals(self, texts: Iterable[str]) -> Iterator[str]:
        """The LaTeX of a numeral matrix's cells: that of their trees, without making them."""
        minus = self.dialect.signs["minus"]
        before, between, after = self._ratio
        for text in texts:
            if "e" in text:
                yield self._write(numeral_node(text))
                continue
            sign, size = (minus, text[1:]) if text[0] == "-" else ("", text)
            above, slash, below = size.partition("/")
            yield f"{sign}{before}{above}{between}{below}{after}" if slash else sign + size

    def _sum(self, node: Sum) -> str:
        signs = self.dialect.signs
        text = ""
        for term in node.terms:
            sign = signs["minus"] if term.sign < 0 else signs["plus"] if text else ""
            text += join(sign, self._write(term.node, _PRODUCT))
        return text

    def _product(self, node: Product) -> str:
        text = ""
        for place, factor in enumerate(node.factors):
            # A sum sign reaches to the end of the product, so only the last factor may be a bare one.
            bare = isinstance(factor, BigSum) and place == len(node.factors) - 1
            written = self._write(factor, _PRODUCT if bare else _FACTOR)
            operator = node.operators[place - 1] if place else ""
            if place and not operator and written[0].isdigit():
                written = self._bracket("(", written)
            text = join(join(text, self.dialect.operators[operator or "juxtapose"]), written)
        return text

    def _apply(self, node: Apply) -> str:
        spell = self.dialect
        text = spell.functions.get(node.function) or spell.word.replace("<word>", node.function)
        if node.subscript is not None:
            text += script("_", self._write(node.subscript))  # in braces it would not be an operator any more
        return text + self._bracket("(", self._series(node.arguments))

    def _series(self, nodes: Iterable[Node]) -> str:
        return self.dialect.argument.join(map(self._write, nodes))

    def _big_sum(self, node: BigSum) -> str:
        text = self.dialect.big[node.kind]
        if node.index is not None:
            below = self.name(node.index)
            if node.low is not None:
                below = join(below + self.dialect.relations["="], self._write(node.low))
            text += script("_", below)
        if node.high is not None:
            text += script("^", self._write(node.high))
        return f"{text} {self._write(node.body, _PRODUCT)}"

    def _slice(self, node: Slice) -> str:
        spell = self.dialect.slice
        # Two single places would be an index of the name; a slice shows at least one colon.
        single = node.rows is None or node.columns is None or node.columns[0] != node.columns[1]
        sides = (self._range(node.rows, single), self._range(node.columns, True))
        return self._nucleus(node.base) + script("_", spell["comma"].join(sides))

    def _range(self, side: tuple[Node, Node] | None, single: bool) -> str:
        if side is None:
            return self.dialect.slice["all"]
        first, last = map(self._write, side)
        return first if single and first == last else first + self.dialect.slice["range"] + last


def _has_scripts(node: Node) -> bool:
    """Whether the node's LaTeX ends in a script, so that another one needs braces round it."""
    match node:
        case Symbol(Name() as name):
            return bool(name.subscript or name.superscript or name.primes)
        case _:
            return isinstance(node, Slice)


def _is_matrix(node: Node) -> bool:
    while isinstance(node, Group) and node.bracket in ("(", "["):
        node = node.body
    return isinstance(node, Matrix)


def _is_label(exponent: Node, name: Name) -> bool:
    r"""Whether a superscript on the name is read as a part of it: `W^{i}`, `h^{(1)}`, `x^{\text{new}}`."""
    match exponent:
        case Group(Symbol() | Number() | Sum(), "(" | "["):
            return True
        case Symbol(Name() as label):
            word = label.font in ("text", "roman", "bold", "sans") or (len(label.nucleus) > 1 and not label.is_command)
            return word or name.nucleus[:1].isupper() or name.font != "italic" or bool(name.subscript)
        case _:
            return _begins_upright(exponent)


def _begins_upright(node: Node) -> bool:
    """Whether the node's LaTeX begins with a word, which as a superscript makes a label of it all."""
    match node:
        case Symbol(Name(font="text" | "roman")):
            return True
        case Sum((Term(1, first), *_)) | Product((first, *_)) | Power(first) | Transpose(first) | Slice(first):
            return _begins_upright(first)
        case _:
            return False


def _is_list(body: Node) -> bool:
    """Whether a product in square brackets would be read as a row of entries: `[[1, 2] [3, 4]]`."""
    if isinstance(body, Sum) and len(body.terms) == 1:
        body = body.terms[0].node
    return isinstance(body, Product) and all(
        isinstance(factor, Matrix | Number | Constant) or (isinstance(factor, Group) and factor.bracket == "[")
        for factor in body.factors
    )
