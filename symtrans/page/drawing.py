"""Formulas drawn in Unicode characters, for a terminal: matrices in tall brackets, fractions over a line.

SymPy's string pictures are the drawing board: they know how wide a character is and how tall a bracket.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from symtrans.notation.name import AnyName, DerivativeName
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

if TYPE_CHECKING:
    from sympy.printing.pretty.stringpict import stringPict as Picture

OPERATORS = {"": " ", "times": "×", "cdot": "·", "odot": " ⊙ ", "slash": "/", "at": " @ ", "otimes": " ⊗ "}
CONSTANTS = {"infty": "∞", "pi": "π", "e": "e"}
ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "dot": "\u0307", "vec": "\u20d7"}
BEFORE = {"nabla": "∇", "Delta": "Δ"}
CLOSING = {"(": ")", "[": "]", "{": "}", "|": "|", "‖": "‖"}
SMALL = dict(zip("0123456789+-−/T", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ᐟᵀ", strict=True))
GAP = "  "
INDENT = "  "


def draw(chain: Chain, width: int) -> list[str]:
    """A chain as lines of at most `width` characters, cut at relations and between factors, terms and columns."""
    lines: list[Picture] = []
    line = box("")
    for side, relation in zip(chain.sides, ("", *(link.relation for link in chain.links)), strict=True):
        parts = [] if side is None else pieces(side, width - 6)
        parts[:1] = [_beside(box(f" {relation} " if relation else ""), part) for part in parts[:1]]
        whole = sum(part.width() for part in parts)
        for number, part in enumerate(parts):
            # A side that fits on a line of its own is not broken.
            room = whole if number == 0 and whole + len(INDENT) <= width else part.width()
            if line.width() and line.width() + room > width:
                lines.append(line)
                line = box(INDENT if number == 0 else INDENT * 2)
            line = _beside(line, part)
    lines.append(line)
    return [row.rstrip() for drawn in lines for row in _rows(drawn, width)]


def pieces(node: Node, width: int) -> list[Picture]:
    """A side as pictures that stand beside each other, and may stand below each other where there is no room."""
    match node:
        case Matrix(rows) if picture(node).width() > width:
            return list(_blocks(rows, width))
        case Product(factors, operators):
            found: list[Picture] = []
            for factor, operator in zip(factors, ("", *operators), strict=True):
                first, *rest = pieces(factor, width) if isinstance(factor, Matrix) else [_factor(factor)]
                sign = OPERATORS[operator] if found else ""
                found += [_beside(box(sign), first), *rest]
            return found
        case Sum(terms):
            return list(_terms(terms))
    return [picture(node)]


def box(text: str, baseline: int = 0) -> Picture:
    """Lines as a picture, whose `baseline` is the line that stands level with what is beside it."""
    from sympy.printing.pretty.stringpict import stringPict

    return stringPict(text, baseline)


def picture(node: Node) -> Picture:
    """A node as one picture."""
    match node:
        case Number(text):
            return box(text)
        case Constant(which):
            return box(CONSTANTS[which])
        case Symbol(name):
            return name_picture(name)
        case Dots():
            return box("⋯")
        case Matrix(rows):
            return _bracketed(_columns(rows), "[", "]")
        case Sum(terms):
            return _joined(_terms(terms))
        case Product():
            return _joined(pieces(node, 10**9))
        case Fraction(numerator, denominator):
            return _over(picture(numerator), picture(denominator))
        case Power(base, exponent):
            return _raised(_factor(base), _flat(exponent))
        case Transpose(base):
            return _raised(_factor(base), box("T"))
        case Root(body, degree):
            head = box("√") if degree is None else _beside(_raised(box(" "), picture(degree)), box("√"))
            below = picture(body)
            return _beside(head, below if isinstance(body, Number | Symbol) else _bracketed(below, "(", ")"))
        case Group(body, bracket):
            return _bracketed(picture(body), bracket, CLOSING[bracket])
        case Apply(function, arguments, subscript):
            head = box(function)
            if subscript is not None:
                head = _joined([head, box("_"), picture(subscript)])
            return _beside(head, _bracketed(_listed(arguments), "(", ")"))
        case BigSum(body, index, low, high, kind):
            return _beside(_big(kind, index, low, high), _factor(body))
        case Slice(base, rows, columns):
            return _beside(_factor(base), _bracketed(_joined([_range(rows), box(", "), _range(columns)]), "[", "]"))
    raise AssertionError(f"no picture of {type(node).__name__}")


def name_picture(name: AnyName) -> Picture:
    """A name: Greek letters and subscripts where Unicode has them; a derivative over a line."""
    from sympy.printing.pretty.pretty_symbology import greek_unicode, pretty_symbol

    if isinstance(name, DerivativeName):
        above, below = (_joined([box("∂"), name_picture(part)]) for part in (name.of, name.by))
        drawn = _over(above, below)
        return _raised(drawn, box(_text(name.superscript))) if name.superscript else drawn
    nucleus = greek_unicode.get(name.nucleus, name.nucleus) if name.is_command else name.nucleus
    subscript = _text(name.subscript)
    drawn = box(pretty_symbol(f"{nucleus}_{subscript}") if subscript.isdigit() else nucleus)
    if name.accent in ACCENTS and len(nucleus) == 1:
        drawn = box(str(drawn).replace(nucleus, nucleus + ACCENTS[name.accent], 1))
    elif name.accent:
        drawn = _beside(box(BEFORE.get(name.accent, f"{name.accent} ")), drawn)
    after = "'" * name.primes + (f"_{subscript}" if subscript and not subscript.isdigit() else "")
    after += f"^{_text(name.superscript)}" if name.superscript else ""
    return _beside(drawn, box(after)) if after else drawn


def _text(scripts: Iterable[object]) -> str:
    return "".join(str(getattr(script, "text", script)) for script in scripts)


def _terms(terms: Sequence[Term]) -> Iterator[Picture]:
    """Summands with their signs."""
    for number, term in enumerate(terms):
        sign = ("−" if term.sign < 0 else "") if number == 0 else (" − " if term.sign < 0 else " + ")
        inner = _factor(term.node) if isinstance(term.node, Sum) else picture(term.node)
        yield _beside(box(sign), inner)


def _factor(node: Node) -> Picture:
    """A node inside a product or below an exponent, in brackets where it would be read otherwise."""
    drawn = picture(node)
    return _bracketed(drawn, "(", ")") if isinstance(node, Sum) else drawn


def _columns(rows: Sequence[Sequence[Node]]) -> Picture:
    """The cells of a matrix, each column as wide as its widest cell, to the right."""
    drawn = [[picture(cell) for cell in row] for row in rows]
    widths = [max(row[j].width() for row in drawn) for j in range(len(drawn[0]))]
    lines = []
    for row in drawn:
        cells = [_beside(box(" " * (width - cell.width())), cell) for cell, width in zip(row, widths, strict=True)]
        spaced = [cells[0], *(_beside(box(GAP), cell) for cell in cells[1:])]
        lines.append(_joined(spaced))
    whole = lines[0]
    for line in lines[1:]:
        whole = box(*whole.below(line))
    return box("\n".join(whole.picture), whole.height() // 2)


def _blocks(rows: Sequence[Sequence[Node]], width: int) -> Iterator[Picture]:
    """A matrix that is too wide, some columns at a time; brackets stand at its two ends only."""
    count, start = len(rows[0]), 0
    while start < count:
        end = count
        while end > start + 1 and _columns([row[start:end] for row in rows]).width() + 4 > width:
            end -= 1
        block = _columns([row[start:end] for row in rows])
        left, right = "[" if start == 0 else "", "]" if end == count else ""
        drawn = _bracketed(block, left, right)
        yield drawn if start == 0 else _beside(box(GAP), drawn)
        start = end


def _bracketed(inner: Picture, left: str, right: str) -> Picture:
    if left == "‖":
        bar = box("\n".join("‖" * inner.height()), inner.baseline)
        return _joined([bar, inner, bar])
    return box(*inner.parens(left, right))


def _over(above: Picture, below: Picture) -> Picture:
    text, _ = above.stack(above, above.LINE, below)
    return box(text, above.height())


def _raised(base: Picture, exponent: Picture) -> Picture:
    """An exponent to the right of a base, above its first line; in small letters in the same line where there are."""
    small = [SMALL.get(character) for character in exponent.picture[0]] if exponent.height() == 1 else [None]
    if base.height() == 1 and all(small):
        return _beside(base, box("".join(filter(None, small))))
    left = box("\n".join([" " * base.width()] * exponent.height()))
    top = box(*left.right(exponent))
    body = box(*base.right(" " * exponent.width()))
    return box("\n".join([*top.picture, *body.picture]), top.height() + base.baseline)


def _flat(exponent: Node) -> Picture:
    """An exponent, a fraction of numbers in one line."""
    if isinstance(exponent, Fraction):
        parts = (exponent.numerator, exponent.denominator)
        if all(isinstance(part, Number) for part in parts):
            return _joined([picture(parts[0]), box("/"), picture(parts[1])])
    return picture(exponent)


def _big(kind: str, index: AnyName | None, low: Node | None, high: Node | None) -> Picture:
    drawn = box("Σ" if kind == "sum" else "Π")
    if index is None:
        return _beside(drawn, box(" "))
    below = _joined([name_picture(index), *([box("="), picture(low)] if low is not None else [])])
    above = [] if high is None else [picture(high)]
    text, _ = drawn.stack(*above, drawn, below)
    return _beside(box(text, sum(one.height() for one in above)), box(" "))


def _listed(nodes: Sequence[Node]) -> Picture:
    drawn = [picture(node) for node in nodes]
    return _joined([drawn[0], *(_beside(box(", "), one) for one in drawn[1:])]) if drawn else box("")


def _range(ends: tuple[Node, Node] | None) -> Picture:
    return box(":") if ends is None else _joined([picture(ends[0]), box(":"), picture(ends[1])])


def _joined(parts: Iterable[Picture]) -> Picture:
    whole = box("")
    for part in parts:
        whole = _beside(whole, part)
    return whole


def _beside(left: Picture, right: Picture) -> Picture:
    """Two pictures on one baseline."""
    if not left.width():
        return right
    return box(*left.right(right)) if right.width() else left


def _rows(drawn: Picture, width: int) -> list[str]:
    """A picture's rows; one that is wider still is cut, which its next rows tell by an arrow."""
    text = drawn.render(wrap_line=True, num_columns=width, use_unicode=True)
    return str(text).split("\n")
