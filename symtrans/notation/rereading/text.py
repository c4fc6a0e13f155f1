r"""What the second reader is given: the author's own source, names and matrices of numbers replaced.

Operators, fractions, powers, roots and brackets stay where the author put them. What is rewritten
means the same: sizes of brackets are dropped, every bracket becomes a round one, arguments without
braces get theirs (`\frac12`, `^2`), a transpose is `^T`, a minus is `+(-1)\times`, `\log` without a
base is `\ln`, and signs of Unicode become commands. A function without brackets gets them where
nothing stands behind its argument that latex2sympy2 might take into it.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

from symtrans.notation.rereading.allowed import FUNCTIONS
from symtrans.notation.rereading.refusal import CannotReread
from symtrans.notation.tree import Constant, Fraction, Matrix, Node, Number, Span, children

_NAMES = "|".join(sorted(FUNCTIONS, key=len, reverse=True))
_T = r"(?:T|\\top\b|\\intercal\b|\\(?:mathsf|mathrm|mathbf|mathit|mathtt|text|textrm)\s*\{\s*T\s*\}|\\rm\s+T)"
_DRAWN = "left|right|middle|[bB]igg?[lrm]?|displaystyle|textstyle|scriptstyle|enspace|thinspace|limits|nolimits"
_KINDS = (
    ("SKIP", rf"[\s~$\u200b\u2061\u2062\ufeff]+|\\[,;:!> ]|\\(?:{_DRAWN})(?![A-Za-z])"),
    ("CLOSE", r"\{\s*(?:\\right\s*)?[)\]]\s*\}|[)\]）]|\\\}|\\(?:rbrace|rbrack)(?![A-Za-z])"),
    ("OPEN", r"[(\[（]|\\\{|\\(?:lbrace|lbrack)(?![A-Za-z])"),
    ("TRANSPOSE", rf"\^\s*(?:{_T}|\{{\s*{_T}\s*\}})|ᵀ|\^\s*⊤"),
    ("NUM", r"\d+(?:\.\d+)?|\.\d+"),
    ("SUPER", r"⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+"),
    ("CARET", r"\^"),
    ("SUB", r"_"),
    ("FRAC", r"\\[dtc]?frac(?![A-Za-z])"),
    ("SQRT", r"\\sqrt(?![A-Za-z])|√|sqrt(?![A-Za-z])|\\(?:operatorname|text|mathrm)\s*\{\s*sqrt\s*\}"),
    ("FUNC", rf"\\(?:operatorname\*?|text|mathrm)\s*\{{\s*(?:{_NAMES})\s*\}}|\\?(?:{_NAMES})(?![A-Za-z])"),
    ("TIMES", r"\\(?:times|ast)(?![A-Za-z])|[×*@]"),
    ("CDOT", r"\\(?:cdot|bullet)(?![A-Za-z])|[·⋅∙]"),
    ("SLASH", r"/|\\div(?![A-Za-z])|[÷∕]"),
    ("PLUS", r"\+"),
    ("MINUS", r"[-−–﹣]"),
    ("LB", r"\{"),
    ("RB", r"\}"),
    ("PERCENT", r"\\%"),
)
_TOKEN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS))
_PLAIN = re.compile(r"\d+(?:\.\d+)?|\.\d+|⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_OPERATORS = {"TIMES": r"\times ", "CDOT": r"\cdot ", "SLASH": "/"}
# A letter is read fastest, an index of two digits takes five times as long. Without d, e, i, j, I, T and E, which
# mean something to it.
_LETTERS = "abcghkmnpqstuvwxyzABGHKMNQSUVWXYZ"
_PLACEHOLDERS = (*_LETTERS, *(f"{letter}_{index}" for index in range(1, 10) for letter in _LETTERS))
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def text_for(source: str, node: Node, known: Container[Node]) -> tuple[str, dict[str, Node]]:
    """The node's source as the second reader is given it, and what the placeholders in it stand for.

    Every occurrence of what is known gets a placeholder of its own, so that `z/z` can not be cancelled.
    Raises CannotReread for a sign that the second reader has no word for.
    """
    placeholders: dict[str, Node] = {}
    return _text(source, node, known, placeholders), placeholders


def _text(source: str, node: Node, known: Container[Node], placeholders: dict[str, Node]) -> str:
    if node.span is None:
        raise CannotReread("a part that does not stand in the source")
    holes: list[tuple[Span, str]] = []
    _find_holes(source, node, known, placeholders, holes)
    tokens: list[_Token] = []
    at = node.span.start
    for span, text in sorted(holes, key=lambda hole: hole[0].start):
        if span.start < at:
            raise CannotReread("parts that stand in one place of the source")
        tokens += _scan(source[at : span.start])
        tokens.append(_Token("HOLE", text))
        at = span.end
    tokens += _scan(source[at : node.span.end])
    return _Rewriting(tokens).side()


def _find_holes(
    source: str, node: Node, known: Container[Node], placeholders: dict[str, Node], holes: list[tuple[Span, str]]
) -> None:
    """The places to be replaced."""
    if node in known:
        if len(placeholders) == len(_PLACEHOLDERS):
            raise CannotReread(f"more than {len(_PLACEHOLDERS)} names")
        name = _PLACEHOLDERS[len(placeholders)]
        placeholders[name] = node
        _cut_out(node, f"{{{name}}}", holes)
        return
    match node:
        case Number(text):
            # A numeral stays in the source, unless it has separators; a percent sign's 100 stands nowhere.
            if node.span is not None and not _PLAIN.fullmatch(source[node.span.start : node.span.end]):
                _cut_out(node, text, holes)
        case Constant(which):
            _cut_out(node, "e" if which == "e" else rf"\{which}", holes)
        case Matrix(rows):
            lines = (" & ".join(_text(source, cell, known, placeholders) for cell in row) for row in rows)
            _cut_out(node, r"\begin{bmatrix}" + r" \\ ".join(lines) + r"\end{bmatrix}", holes)
        case Fraction(Number(above), Number(below)) if node.span is not None and node.span.end == node.span.start + 1:
            _cut_out(node, rf"\frac{{{above}}}{{{below}}}", holes)  # ½
        case _:
            for child in children(node):
                _find_holes(source, child, known, placeholders, holes)


def _cut_out(node: Node, text: str, holes: list[tuple[Span, str]]) -> None:
    if node.span is None:
        raise CannotReread("a part that does not stand in the source")
    holes.append((node.span, text))


def _scan(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            word = re.compile(r"\\[A-Za-z]+|.", re.S).match(text, at)
            raise CannotReread(f"the sign {word[0] if word else text[at]}")
        kind = match.lastgroup or ""
        if kind != "SKIP":
            found.append(_Token(kind, match[0]))
        at = match.end()
    return found


class _Rewriting:
    """Rewrites a list of tokens once, from left to right."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.at = 0

    def side(self) -> str:
        """All of it."""
        text = self._run(None)
        if self.at < len(self.tokens):
            raise CannotReread("brackets that do not match")
        return text

    def _run(self, stop: str | None) -> str:
        """The tokens up to the closing one, which is not consumed."""
        out = ""
        operand = False  # whether what has just been written can stand before an operator
        while self.at < len(self.tokens) and self.tokens[self.at].kind != stop:
            token = self.tokens[self.at]
            if token.kind in ("MINUS", "PLUS"):
                if not operand and out.endswith("/"):
                    raise CannotReread("a sign behind a division")
                out += "+" if operand else ""
                out += r"(-1)\times " if token.kind == "MINUS" else ""
                operand = False
                self.at += 1
            elif token.kind in _OPERATORS:
                out += _OPERATORS[token.kind]
                operand = False
                self.at += 1
            else:
                piece = self._piece(token)
                if out[-1:].isdigit() and piece[:1].isdigit():
                    raise CannotReread("two numerals side by side")
                out += piece
                operand = True
        return out

    def _piece(self, token: _Token) -> str:
        self.at += 1
        match token.kind:
            case "HOLE" | "NUM":
                return token.text
            case "OPEN":
                return f"({self._inside('CLOSE')})"
            case "LB":
                if self._kind(0) in ("PLUS", "MINUS", *_OPERATORS) and self._kind(1) == "RB":
                    raise CannotReread("an operator in braces")
                inner = self._inside("RB")
                return f"{{{inner}}}" if inner else ""
            case "TRANSPOSE":
                return "^T"
            case "SUPER":
                sign = r"(-1)\times " if token.text.startswith("⁻") else ""
                return f"^{{{sign}{token.text.lstrip('⁻').translate(_SUPERSCRIPTS)}}}"
            case "CARET":
                return f"^{{{self._argument()}}}"
            case "FRAC":
                above = self._argument()
                return rf"\frac{{{above}}}{{{self._argument()}}}"
            case "SQRT":
                return self._root(token)
            case "FUNC":
                return self._function(token)
            case "PERCENT":
                return r"\%"
            case _:
                raise CannotReread(
                    "brackets that do not match" if token.kind in ("CLOSE", "RB") else "a subscript there"
                )

    def _inside(self, closing: str) -> str:
        inner = self._run(closing)
        if self.at >= len(self.tokens):
            raise CannotReread("brackets that do not match")
        self.at += 1
        return inner

    def _argument(self) -> str:
        """A command's argument: what stands in braces, or the next single token."""
        if self.at >= len(self.tokens):
            raise CannotReread("an argument is missing")
        token = self.tokens[self.at]
        if token.kind == "LB":
            self.at += 1
            return self._inside("RB")
        if token.kind == "NUM" and len(token.text) > 1:  # without braces an argument is one digit
            self.tokens[self.at] = _Token("NUM", token.text[1:])
            return token.text[0]
        return self._piece(token)

    def _root(self, token: _Token) -> str:
        degree = ""
        if token.text.startswith("\\sqrt") and self._kind(0) == "OPEN" and self.tokens[self.at].text == "[":
            self.at += 1
            degree = f"[{self._inside('CLOSE')}]"
        if self._kind(0) == "OPEN":
            self.at += 1
            return rf"\sqrt{degree}{{{self._inside('CLOSE')}}}"
        if self._kind(0) == "NUM" and not token.text.startswith("\\"):  # √64
            self.at += 1
            return rf"\sqrt{{{self.tokens[self.at - 1].text}}}"
        return rf"\sqrt{degree}{{{self._argument()}}}"

    def _function(self, token: _Token) -> str:
        name = re.findall("[a-z]+", token.text)[-1]
        above = ""
        if self._kind(0) == "SUB":
            self.at += 1
            above = f"_{{{self._argument()}}}"
        elif name == "log":
            name = "ln"
        if self._kind(0) in ("CARET", "SUPER"):
            above += self._piece(self.tokens[self.at])
        if self._kind(0) != "OPEN":  # it would take all factors that follow as its argument
            if self._kind(0) not in ("HOLE", "NUM", "FRAC", "SQRT", "LB"):
                raise CannotReread(f"{name} without brackets")
            argument = self._piece(self.tokens[self.at])
            if self._kind(0) not in ("", "PLUS", "MINUS", "CLOSE", "RB"):
                raise CannotReread(f"{name} without brackets")
            return rf"\{name}{above} ({argument})"
        return rf"\{name}{above} "

    def _kind(self, ahead: int) -> str:
        place = self.at + ahead
        return self.tokens[place].kind if place < len(self.tokens) else ""
