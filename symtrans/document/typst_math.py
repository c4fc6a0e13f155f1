r"""Typst's mathematics as LaTeX, with the way back to every digit kept: `mat(1, 2; 3, 4)`, `vec`, `frac`, `x_1`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtrans.document.mapped import Mapped, Weaver

MAX_DEPTH = 40

_TOKEN = re.compile(
    r'(?P<space>\s+)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>\d+(?:\.\d+)?)|(?P<name>[^\W\d_]{2,}(?:\.[a-z]+)*)'
    r"|(?P<shorthand><=|>=|!=|:=|=>|->|\.\.\.|\|\|)|(?P<line>\\(?=\s|\Z))|(?P<escape>\\.)|(?P<sign>.)",
    re.DOTALL,
)
_SYMBOLS = {
    "times": r"\times ", "dot": r"\cdot ", "dot.op": r"\cdot ", "approx": r"\approx ", "approx.eq": r"\approx ",
    "arrow.r": r"\to ", "arrow": r"\to ", "arrow.l": r"\leftarrow ", "infinity": r"\infty ", "oo": r"\infty ",
    "sum": r"\sum ", "product": r"\prod ", "partial": r"\partial ", "diff": r"\partial ", "nabla": r"\nabla ",
    "in": r"\in ", "RR": r"\mathbb{R}", "top": r"\top ", "tack.b": r"\top ", "dots": r"\ldots ", "dots.h": r"\ldots ",
    "dots.c": r"\cdots ", "dots.v": r"\vdots ", "quad": r"\quad ", "qquad": r"\qquad ", "thin": r"\, ", "med": r"\: ",
    "thick": r"\; ", "wide": r"\quad ", "lt": "<", "gt": ">", "lt.eq": r"\leq ", "gt.eq": r"\geq ", "eq.not": r"\neq ",
    "dot.circle": r"\odot ", "dot.o": r"\odot ", "times.circle": r"\otimes ", "times.o": r"\otimes ", "plus": "+",
    "minus": "-", "div": r"\div ", "compose": r"\circ ", "prop": r"\propto ", "transpose": r"\top ", "eq": "=",
    "intercal": r"\top ", "sect": r"\cap ",
}  # fmt: skip
_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi",
    "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega",
}  # fmt: skip
_COMMANDS = {"sin", "cos", "tan", "tanh", "sinh", "cosh", "exp", "log", "ln", "max", "min", "det", "lim"}
_WRAPPED = {
    "bold": r"\mathbf{", "hat": r"\hat{", "tilde": r"\tilde{", "overline": r"\overline{", "macron": r"\bar{",
    "arrow": r"\vec{", "sqrt": r"\sqrt{", "bb": r"\mathbb{", "cal": r"\mathcal{", "op": r"\operatorname{",
    "underline": r"\underline{", "dot": r"\dot{", "accent": r"\hat{",
}  # fmt: skip
_PLAIN = {"upright", "italic", "serif", "sans", "display", "inline", "limits", "scripts", "cancel", "lr", "mid"}
_AROUND = {"norm": (r"\|", r"\|"), "abs": ("|", "|"), "floor": (r"\lfloor ", r"\rfloor ")}
_CLOSES = {"(": ")", "[": "]", "{": "}"}


@dataclass(slots=True)
class _Tok:
    kind: str
    text: str
    start: int
    end: int
    spaced: bool


def to_latex(mapped: Mapped) -> Mapped:
    """The LaTeX of what stands between two dollars."""
    return _Translator(mapped).run()


class _Translator:
    """Reads the tokens once; every method gives back the LaTeX of what it has passed over."""

    def __init__(self, mapped: Mapped) -> None:
        self.mapped = mapped
        self.tokens: list[_Tok] = []
        self.at = 0
        self.depth = 0
        spaced = False
        for match in _TOKEN.finditer(mapped.text):
            kind = match.lastgroup or "sign"
            if kind == "space":
                spaced = True
                continue
            self.tokens.append(_Tok(kind, match.group(), match.start(), match.end(), spaced))
            spaced = False

    def run(self) -> Mapped:
        """The whole."""
        body = self._sequence(())
        while self.at < len(self.tokens):  # a bracket that nothing opened
            body = Mapped.join([body, self._copy(self.tokens[self.at])])
            self.at += 1
            body = Mapped.join([body, self._sequence(())])
        aligned = any(token.kind == "line" or token.text == "&" for token in self.tokens)
        if not aligned:
            return body
        return Mapped.join([self._make(r"\begin{aligned}", 0), body, self._make(r"\end{aligned}", 0)])

    def _make(self, text: str, start: int, end: int | None = None) -> Mapped:
        weaver = Weaver()
        weaver.make(text, self.mapped, start, start if end is None else end)
        return weaver.done()

    def _copy(self, token: _Tok) -> Mapped:
        return self.mapped.slice(token.start, token.end)

    def _peek(self, text: str, ahead: int = 0) -> bool:
        at = self.at + ahead
        return at < len(self.tokens) and self.tokens[at].text == text

    def _sequence(self, stops: tuple[str, ...]) -> Mapped:
        """Factors up to one of `stops` (not taken), a closing bracket or the end."""
        parts: list[Mapped] = []
        joined = False
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.text in stops or (token.kind == "sign" and token.text in ")]}"):
                break
            if token.text == "/" and parts and joined:
                self.at += 1
                below = self._bare(self._factor())
                above = self._bare(parts.pop())
                mark = token.start
                parts += [self._make(r"\frac{", mark), above, self._make("}{", mark, token.end), below]
                parts.append(self._make("}", token.end))
                parts = [*parts[:-5], Mapped.join(parts[-5:])]
                continue
            if parts and token.spaced:
                parts.append(self._make(" ", token.start))
            joined = token.kind in ("number", "name", "string") or token.text.isalpha() or token.text in ("(", "[", "{")
            parts.append(self._factor())
        return Mapped.join(parts)

    def _bare(self, part: Mapped) -> Mapped:
        """A fraction's operand without the brackets round the whole."""
        text = part.text
        if text.startswith("(") and text.endswith(")") and _matches(text):
            return part.slice(1, len(text) - 1)
        return part

    def _factor(self) -> Mapped:
        """An atom with what is raised and lowered on it."""
        if self.at >= len(self.tokens):
            return self._make("", 0)
        parts = [self._atom()]
        while self.at < len(self.tokens) and self.tokens[self.at].text in ("_", "^", "'"):
            token = self.tokens[self.at]
            self.at += 1
            if token.text == "'":
                parts.append(self._copy(token))
                continue
            inner = self._bare(self._atom()) if self.at < len(self.tokens) else self._make("", token.start)
            parts += [self._make(token.text + "{", token.start, token.end), inner, self._make("}", token.end)]
        return Mapped.join(parts)

    def _atom(self) -> Mapped:
        token = self.tokens[self.at]
        self.at += 1
        if self.depth > MAX_DEPTH:
            return self._copy(token)
        match token.kind:
            case "string":
                inner = self.mapped.slice(token.start + 1, token.end - 1)
                inner = inner.replace(re.compile(r"[_%#&]"), lambda match: "\\" + match.group())
                return Mapped.join([self._make(r"\text{", token.start), inner, self._make("}", token.end)])
            case "name":
                return self._name(token)
            case "line":
                return self._make(r" \\ ", token.start, token.end)
            case "escape":
                made = token.text if token.text[1] in "%$#&_{}" else token.text[1]
                return self._make(made, token.start, token.end)
            case "shorthand":
                made = {"->": r"\to ", "=>": r"\Rightarrow ", "<=": r"\leq ", ">=": r"\geq ", "!=": r"\neq ",
                        "...": r"\ldots ", "||": r"\|"}.get(token.text, token.text)  # fmt: skip
                return self._make(made, token.start, token.end) if made != token.text else self._copy(token)
            case "sign" if token.text in _CLOSES:
                return self._bracketed(token)
            case "sign" if token.text in ("%", "#"):
                return self._make("\\" + token.text, token.start, token.end)
            case "sign" if token.text == "*":
                return self._make(r"\ast ", token.start, token.end)
        return self._copy(token)

    def _bracketed(self, token: _Tok) -> Mapped:
        self.depth += 1
        inner = self._sequence(())
        self.depth -= 1
        braces = {"{": r"\{", "}": r"\}"}
        parts = [self._make(braces["{"], token.start, token.end) if token.text == "{" else self._copy(token), inner]
        if self._peek(_CLOSES[token.text]):
            end = self.tokens[self.at]
            self.at += 1
            parts.append(self._make(braces["}"], end.start, end.end) if end.text == "}" else self._copy(end))
        return Mapped.join(parts)

    def _name(self, token: _Tok) -> Mapped:
        name = token.text
        called = self._peek("(") and not self.tokens[self.at].spaced
        if called:
            if name in ("mat", "vec", "cases"):
                return self._matrix(token)
            if name in _WRAPPED or name in _PLAIN or name in _AROUND or name in ("frac", "root", "binom"):
                return self._command(token)
        if name in _SYMBOLS:
            spaced = self.at < len(self.tokens) and self.tokens[self.at].spaced
            return self._make(_SYMBOLS[name].rstrip() if spaced else _SYMBOLS[name], token.start, token.end)
        base = name.split(".")[0]
        if base in _GREEK:
            return self._make("\\" + base + " ", token.start, token.end)
        if name in _COMMANDS:
            return self._make("\\" + name + ("" if called else " "), token.start, token.end)
        if name == "sqrt":
            return self._make(r"\sqrt ", token.start, token.end)
        return Mapped.join([self._make(r"\text{", token.start), self._copy(token), self._make("}", token.end)])

    def _arguments(self) -> list[list[Mapped]]:
        """Rows (cut at `;`) of arguments (cut at `,`), without named ones; the brackets are taken."""
        self.at += 1
        self.depth += 1
        rows: list[list[Mapped]] = [[]]
        while self.at < len(self.tokens):
            named = self.tokens[self.at].kind == "name" and self._peek(":", 1)
            start = self.at
            argument = self._sequence((",", ";"))
            if not named and self.at > start:
                rows[-1].append(argument)
            if self.at >= len(self.tokens):
                break
            mark = self.tokens[self.at].text
            self.at += 1
            if mark == ";":
                rows.append([])
            elif mark == ")":
                break
        self.depth -= 1
        return [row for row in rows if row]

    def _matrix(self, token: _Tok) -> Mapped:
        rows = self._arguments()
        if token.text in ("vec", "cases"):
            rows = [[cell] for row in rows for cell in row]
        parts = [self._make(r"\begin{bmatrix}", token.start, token.end)]
        for number, row in enumerate(rows):
            parts += [self._make(r" \\ ", token.start)] if number else []
            for column, cell in enumerate(row):
                parts += [self._make(" & ", token.start)] if column else []
                parts.append(cell.strip())
        return Mapped.join([*parts, self._make(r"\end{bmatrix}", token.start)])

    def _command(self, token: _Tok) -> Mapped:
        name, start = token.text, token.start
        given = [argument.strip() for row in self._arguments() for argument in row]
        given += [self._make("", start)] * (2 - len(given))
        if name in _AROUND:
            opening, closing = _AROUND[name]
            return Mapped.join([self._make(opening, start), given[0], self._make(closing, start)])
        if name in _PLAIN:
            return given[0]
        if name == "root":
            middle = [self._make(r"\sqrt[", start), given[0], self._make("]{", start), given[1]]
            return Mapped.join([*middle, self._make("}", start)])
        if name in ("frac", "binom"):
            middle = [self._make(rf"\{name}{{", start), given[0], self._make("}{", start), given[1]]
            return Mapped.join([*middle, self._make("}", start)])
        inner = given[0]
        if name == "op":
            inner = inner.replace(re.compile(r"\\text\{|\}\Z"), lambda _: "")
        return Mapped.join([self._make(_WRAPPED[name], start), inner, self._make("}", start)])


def _matches(text: str) -> bool:
    """Whether the first bracket is closed by the last character."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return at == len(text) - 1
    return False
