"""From the parser's rules to the tree: what each combination of tokens means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lark import Token, Tree

from symtrans.notation.brackets import arguments, group, matrix
from symtrans.notation.name import DerivativeName, Name
from symtrans.notation.scripts import with_scripts
from symtrans.notation.tokens import Tok, cut, unwrapped
from symtrans.notation.tree import (
    Apply,
    BigSum,
    Constant,
    Dots,
    Fraction,
    Node,
    Number,
    Product,
    Root,
    Span,
    Sum,
    Symbol,
    Term,
)
from symtrans.notation.trouble import Unreadable

Parse = Callable[[list[Tok]], Node]


class Builder:
    """Builds nodes; `parse` reads the tokens inside a token."""

    def __init__(self, parse: Parse) -> None:
        self.parse = parse

    def build(self, found: Tree[Token] | Token | Any) -> Node:
        """The node of a rule, or of a token that stands alone."""
        if isinstance(found, Token):
            return self.leaf(found.value)
        parts: list[Any] = [part.value if isinstance(part, Token) else part for part in found.children]
        match found.data:
            case "sum":
                return self.sum(parts)
            case "product":
                return self.product(parts)
            case "big":
                return self.big(parts)
            case "item":
                return with_scripts(self.part(parts[0]), parts[1:], self.parse)
            case _:
                return self.call(parts)

    def part(self, part: Any) -> Node:
        """The node of a rule's part."""
        return self.leaf(part) if isinstance(part, Tok) else self.build(part)

    def sum(self, parts: list[Any]) -> Node:
        """Terms with their signs; a second sign before a term is the term's own."""
        terms: list[Term] = []
        signs: list[Tok] = []
        start = parts[0].start if _is_sign(parts[0]) else None
        for part in parts:
            if _is_sign(part):
                signs.append(part)
                continue
            node = self.part(part)
            if len(signs) > 2:
                raise Unreadable(signs[0].start, signs[-1].end, "more than two signs in a row")
            if len(signs) == 2:
                node = _signed(signs[1], node)
            terms.append(Term(-1 if signs and signs[0].kind == "MINUS" else 1, node))
            signs = []
        last = terms[-1].node
        if len(terms) == 1 and terms[0].sign > 0:
            return last
        return Sum(tuple(terms), span=Span(_start(terms[0].node) if start is None else start, _end(last)))

    def product(self, parts: list[Any]) -> Node:
        """Factors and what stands between them; a product in braces without a script is part of this one."""
        factors: list[Node] = []
        operators: list[Any] = []
        sign: Tok | None = None
        operator = ""
        for part in parts:
            if isinstance(part, Tok) and part.kind == "OP":
                operator = part.text
                continue
            if _is_sign(part):
                sign = part
                continue
            node = self.part(part) if sign is None else _signed(sign, self.part(part))
            if not operator and isinstance(node, Number) and factors and isinstance(factors[-1], Number):
                raise Unreadable(_start(node), _end(node), "two numbers side by side without a sign")
            flat = (
                isinstance(part, Tok) and part.kind == "BRACE" and isinstance(node, Product) and not any(node.operators)
            )
            inner = node.factors if flat and isinstance(node, Product) else (node,)
            if factors:
                operators.append(operator)
            operators.extend("" for _ in inner[1:])
            factors.extend(inner)
            sign, operator = None, ""
        first = parts[0]
        start = first.start if isinstance(first, Tok) else _start(factors[0])
        last = parts[-1]
        end = last.end if isinstance(last, Tok) else _end(factors[-1])
        return Product(tuple(factors), tuple(operators), span=Span(start, end))

    def big(self, parts: list[Any]) -> Node:
        """A sum or product with its bounds; over two indices it is one in the other."""
        sign: Tok = parts[0]
        indices: list[tuple[Any, Node | None]] = [(None, None)]
        high: Node | None = None
        for script in parts[1:-1]:
            if script.kind == "SUB":
                indices = [self._index(index) for index in cut(unwrapped(script.parts[0]), "COMMA")]
            else:
                high = self.parse(script.parts[0])
        if high is not None and len(indices) > 1:
            raise Unreadable(sign.start, sign.end, "a sum over several indices with one upper bound")
        body = self.part(parts[-1])
        span = Span(sign.start, _end(body))
        for index, low in reversed(indices):
            body = BigSum(body, index, low, high, sign.text, span=span)  # type: ignore[arg-type]
        return body

    def _index(self, content: list[Tok]) -> tuple[Any, Node | None]:
        """The index of a sum and where it starts: `i=1`, `i`."""
        if not content:
            raise Unreadable(0, 0, "a sum without its index")
        sides = cut(content, "REL")
        relations = [token for token in content if token.kind == "REL"]
        if len(relations) > 1 or any(token.text != "=" for token in relations) or len(sides) != len(relations) + 1:
            raise Unreadable(content[0].start, content[-1].end, "a condition below a sum")
        name = self.parse(sides[0])
        if not isinstance(name, Symbol):
            raise Unreadable(content[0].start, content[-1].end, "the index of a sum is a name")
        return name.name, self.parse(sides[1]) if len(sides) > 1 else None

    def call(self, parts: list[Any]) -> Node:
        """A function with its argument; a power on the function's name is one of its value."""
        function: Tok = parts[0]
        argument: Tok = parts[-1]
        subscript: Node | None = None
        powers: list[Tok] = []
        for script in parts[1:-1]:
            if script.kind == "PRIME":
                raise Unreadable(script.start, script.end, f"the derivative of {function.text}")
            if script.kind == "SUB":
                subscript = self._below(script)
            else:
                powers.append(script)
        given = arguments(argument, self.parse)
        span = Span(function.start, argument.end)
        if function.text == "sqrt" and len(given) == 1 and subscript is None:
            return with_scripts(Root(given[0], span=span), powers, self.parse)
        node = Apply(function.text, given, subscript, span=span)
        for power in powers:
            inside = unwrapped(power.parts[0])
            if inside and inside[0].kind == "MINUS":
                raise Unreadable(power.start, power.end, f"the inverse of {function.text}")
            node = replace(with_scripts(node, [power], self.parse), span=span)  # type: ignore[assignment]
        return node

    def _below(self, script: Tok) -> Node | None:
        """What stands below a function's name, or None for a remark that changes nothing (max over j)."""
        content = unwrapped(script.parts[0])
        if content and all(token.kind == "NAME" for token in content) and len(content) > 1:
            word = "".join(token.text for token in content)
            return Symbol(Name(word), span=Span(content[0].start, content[-1].end))
        try:
            return self.parse(content)
        except Unreadable:
            return None

    def leaf(self, token: Tok) -> Node:
        """The node of one token."""
        span = Span(token.start, token.end)
        match token.kind:
            case "NUM":
                return Number(token.text, span=span)
            case "NAME":
                is_pi = token.value.is_command and token.value == Name("pi", is_command=True)
                return Constant("pi", span=span) if is_pi else Symbol(token.value, span=span)
            case "GROUP":
                return group(token, self.parse)
            case "MATRIX":
                return matrix(token, self.parse)
            case "FRAC":
                above, below = token.parts
                if token.text == "binom":
                    return Apply("binom", (self.parse(above), self.parse(below)), span=span)
                return self._derivative(above, below, span) or Fraction(self.parse(above), self.parse(below), span=span)
            case "SQRT":
                degree = self.parse(token.parts[1]) if len(token.parts) > 1 else None
                return Root(self.parse(token.parts[0]), degree, span=span)
            case "BRACE":
                return replace(self.parse(token.parts[0]), span=span)
            case "INFTY":
                return Constant("infty", span=span)
            case _:
                return Dots(span=span)

    def _derivative(self, above: list[Tok], below: list[Tok], span: Span) -> Node | None:
        r"""`\frac{\partial L}{\partial X}`, or `\frac{dL}{dX}`, as one name."""
        above, below = unwrapped(above), unwrapped(below)
        if not (_is_differential(above) and _is_differential(below)):
            return None
        of, by = (self.parse(part[1:]) for part in (above, below))
        if not (isinstance(of, Symbol) and isinstance(by, Symbol)):
            return None
        if not (isinstance(of.name, Name) and isinstance(by.name, Name)):
            return None
        return Symbol(DerivativeName(of.name, by.name), span=span)


def _is_differential(tokens: list[Tok]) -> bool:
    if len(tokens) < 2:
        return False
    first, second = tokens[:2]
    return first.kind == "PARTIAL" or (
        first.kind == "NAME" and first.value in (Name("d"), Name("d", "roman")) and second.kind in ("NAME", "BRACE")
    )


def _is_sign(part: Any) -> bool:
    return isinstance(part, Tok) and part.kind in ("PLUS", "MINUS")


def _signed(sign: Tok, node: Node) -> Node:
    return node if sign.kind == "PLUS" else Sum((Term(-1, node),), span=Span(sign.start, _end(node)))


def _start(node: Node) -> int:
    assert node.span is not None
    return node.span.start


def _end(node: Node) -> int:
    assert node.span is not None
    return node.span.end
