"""From the parser's rules to the tree: what each combination of tokens means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lark import Token, Transformer, v_args

from symtrans.notation.brackets import LIST, as_row, group, matrix
from symtrans.notation.name import DerivativeName, Name
from symtrans.notation.scripts import with_subscript, with_superscript
from symtrans.notation.tokens import Tok
from symtrans.notation.tree import (
    Apply,
    BigSum,
    Constant,
    Dots,
    Fraction,
    Group,
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

Parse = Callable[[list[Tok]], Any]


def _join(left: Node, right: Node) -> Span:
    assert left.span is not None
    assert right.span is not None
    return Span(left.span.start, right.span.end)


@v_args(inline=True)
class Builder(Transformer[Token, Any]):
    """Builds nodes bottom up; `parse` reads the tokens inside a token."""

    def __init__(self, parse: Parse) -> None:
        super().__init__()
        self.parse = parse

    def start(self, node: Node) -> Node:
        return node

    def alone(self, node: Node) -> Node:
        return node

    def sign(self, token: Token) -> Tok:
        return token.value  # type: ignore[no-any-return]

    def signed(self, sign: Tok, node: Node) -> Node:
        if sign.kind == "PLUS":
            return node
        assert node.span is not None
        return Sum((Term(-1, node),), span=Span(sign.start, node.span.end))

    def added(self, left: Node, sign: Tok, right: Node) -> Node:
        term = Term(-1 if sign.kind == "MINUS" else 1, right)
        terms = left.terms if isinstance(left, Sum) else (Term(1, left),)
        return Sum((*terms, term), span=_join(left, right))

    def term(self, node: Node) -> Node:
        return node

    def chain(self, node: Node) -> Node:
        return node

    def item(self, node: Node) -> Node:
        return node

    def scripted(self, node: Node) -> Node:
        return node

    def bare(self, node: Node) -> Node:
        return node

    def group(self, token: Token) -> Node:
        tok: Tok = token.value
        return group(tok, self.parse) if tok.kind == "GROUP" else matrix(tok, self.parse)

    def listed(self, node: Node) -> Node:
        return as_row(node)

    def big(self, token: Token, *rest: Any) -> Node:
        *scripts, body = rest
        tok: Tok = token.value
        index = low = high = None
        for script in scripts:
            if script.kind == "SUB":
                index, low = self._index(script.parts[0])
            elif script.kind == "SUP":
                high = self.parse(script.parts[0])
        assert body.span is not None
        return BigSum(body, index, low, high, tok.text, span=Span(tok.start, body.span.end))  # type: ignore[arg-type]

    def _index(self, content: list[Tok]) -> tuple[Any, Node | None]:
        """The index of a sum and where it starts: `i=1`, `i`, or `i,j`, which is told as a name."""
        places = [i for i, t in enumerate(content) if t.kind == "REL"]
        if places and content[places[0]].text == "=":
            name = self.parse(content[: places[0]])
            low = self.parse(content[places[0] + 1 :])
        else:
            cut = places[0] if places else next((i for i, t in enumerate(content) if t.kind == "COMMA"), len(content))
            name, low = self.parse(content[:cut]), None
        if not isinstance(name, Symbol):
            raise Unreadable(content[0].start, content[-1].end, "the index of a sum is a name")
        return name.name, low

    def juxtaposed(self, left: Node, right: Node) -> Node:
        if isinstance(right, Number) and (
            isinstance(left, Number)
            or (isinstance(left, Product) and isinstance(left.factors[-1], Number) and left.operators[-1] == "")
        ):
            assert right.span is not None
            raise Unreadable(right.span.start, right.span.end, "two numbers side by side without a sign")
        return self._product(left, "", right)

    def joined(self, left: Node, operator: Token, right: Node) -> Node:
        return self._product(left, operator.value.text, right)

    def joined_signed(self, left: Node, operator: Token, sign: Tok, right: Node) -> Node:
        return self._product(left, operator.value.text, self.signed(sign, right))

    def _product(self, left: Node, operator: Any, right: Node) -> Node:
        factors, operators = (left.factors, left.operators) if isinstance(left, Product) else ((left,), ())
        return Product((*factors, right), (*operators, operator), span=_join(left, right))

    def script(self, token: Token) -> Tok:
        return token.value  # type: ignore[no-any-return]

    def with_script(self, base: Node, script: Tok) -> Node:
        assert base.span is not None
        span = Span(base.span.start, script.end)
        if script.kind == "SUB":
            return with_subscript(base, script, span, self.parse)
        if script.kind == "SUP":
            return with_superscript(base, script, span, self.parse)
        if isinstance(base, Symbol) and isinstance(base.name, Name):
            return Symbol(replace(base.name, primes=base.name.primes + 1), span=span)
        raise Unreadable(script.start, script.end, "a prime on something that is not a name")

    def percent(self, base: Node, token: Token) -> Node:
        assert base.span is not None
        return Fraction(base, Number("100"), span=Span(base.span.start, token.value.end))

    def call(self, token: Token, *rest: Any) -> Node:
        return self._applied(token.value, rest)

    def call_bare(self, token: Token, *rest: Any) -> Node:
        return self._applied(token.value, rest)

    def _applied(self, tok: Tok, rest: tuple[Any, ...]) -> Node:
        *scripts, argument = rest
        subscript = power = None
        for script in scripts:
            if script.kind == "SUB":
                subscript = self._subscript(script)
            else:
                power = script
        assert argument.span is not None
        span = Span(tok.start, argument.span.end)
        arguments: tuple[Node, ...] = (argument,)
        if isinstance(argument, Apply) and argument.function == LIST:
            arguments = argument.arguments
        elif isinstance(argument, Group) and argument.bracket in ("(", "["):
            arguments = (argument.body,)
        if tok.text == "sqrt" and len(arguments) == 1:
            return Root(arguments[0], span=span)
        node: Node = Apply(tok.text, arguments, subscript, span=span)
        return node if power is None else with_superscript(node, power, span, self.parse)

    def _subscript(self, script: Tok) -> Node | None:
        try:
            return self.parse(script.parts[0])  # type: ignore[no-any-return]
        except Unreadable:
            return None  # a remark below the function's name (max over j), which changes nothing

    def atom(self, token: Token) -> Node:
        tok: Tok = token.value
        span = Span(tok.start, tok.end)
        match tok.kind:
            case "NUM":
                return Number(tok.text, span=span)
            case "NAME":
                return Symbol(tok.value, span=span)
            case "DOTS":
                return Dots(span=span)
            case "INFTY":
                return Constant("infty", span=span)
            case "FRAC":
                return self._fraction(tok, span)
            case "SQRT":
                degree = self.parse(tok.parts[1]) if len(tok.parts) > 1 else None
                return Root(self.parse(tok.parts[0]), degree, span=span)
            case "BRACE":
                inner: Node = self.parse(tok.parts[0])
                return (
                    Group(inner, "{", span=span)
                    if isinstance(inner, Sum | Product | BigSum)
                    else replace(inner, span=span)
                )
            case _:
                raise Unreadable(tok.start, tok.end, "this has no place here")

    def _fraction(self, tok: Tok, span: Span) -> Node:
        above, below = tok.parts
        derivative = self._derivative(above, below, span)
        return derivative or Fraction(self.parse(above), self.parse(below), span=span)

    def _derivative(self, above: list[Tok], below: list[Tok], span: Span) -> Node | None:
        r"""`\frac{\partial L}{\partial X}`, or `\frac{dL}{dX}`, as one name."""
        if not (_is_differential(above) and _is_differential(below)):
            return None
        of, by = (self.parse(part[1:]) for part in (above, below))
        if (
            isinstance(of, Symbol)
            and isinstance(by, Symbol)
            and isinstance(of.name, Name)
            and isinstance(by.name, Name)
        ):
            return Symbol(DerivativeName(of.name, by.name), span=span)
        return None


def _is_differential(tokens: list[Tok]) -> bool:
    if len(tokens) < 2:
        return False
    first = tokens[0]
    return first.kind == "PARTIAL" or (
        first.kind == "NAME" and first.value in (Name("d"), Name("d", "roman")) and tokens[1].kind in ("NAME", "BRACE")
    )
