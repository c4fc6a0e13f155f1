"""The scanner: LaTeX and Unicode mathematics as nested tokens.

Nothing is refused here: what cannot be understood becomes a `BAD` token that says why, so that the
formula's other sides can still be read.
"""

from __future__ import annotations

import re
import unicodedata

from symtrans.notation import commands as table
from symtrans.notation.cursor import Cursor
from symtrans.notation.fonts import in_font, is_applied
from symtrans.notation.letters import letter, run, word
from symtrans.notation.macros import macro, shown
from symtrans.notation.marks import BARS, condition_end, is_factorial
from symtrans.notation.name import Name
from symtrans.notation.numerals import MAX_DIGITS, numeral
from symtrans.notation.tokens import Tok, unwrapped

MAX_DEPTH = 60

_COMMAND = re.compile(r"\\(?:[A-Za-z]+\*?|.|$)", re.S)
_ROW = re.compile(
    r"\\\\\*?(?:\s*\[\s*-?[\d.]+\s*(?:pt|em|ex|mm|cm|in|px|mu)\s*\])?|\\cr(?![A-Za-z])|\\tabularnewline\b"
)
_END = re.compile(r"\\end\s*\{[^{}]*\}|\\(?:right|middle)\s*(?:\\[A-Za-z]+|\\?.)|\\[A-Za-z]+|\\?.", re.S)
_CLOSER_IN_BRACES = re.compile(r"\{\s*(?:\\right\s*)?([)\]])\s*\}")
_OPENING_BRACKET = re.compile(r"\s*\[")
_BACKGROUND = re.compile(r"\\bg_[a-z]+")
_DIGITS = set("0123456789")
_SCRIPT_SIGNS = {"_", "^"} | set(table.SUBSCRIPTS) | set(table.SUPERSCRIPTS)
_MAY_CLOSE = set("})]\\{）⟩|‖∥")
_IGNORED = set("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\ufeff$")
_BEFORE_OPERAND = {"OP", "PLUS", "MINUS", "COMMA", "SEMI", "REL", "AMP", "ROW", "FUNC"}
_SIGNS = {
    "+": "PLUS", "＋": "PLUS", "&": "AMP", ",": "COMMA", "，": "COMMA", "、": "COMMA", ";": "SEMI", "；": "SEMI",
    ":": "COLON", "：": "COLON", "'": "PRIME", "′": "PRIME", "’": "PRIME", "。": "SEP", "∞": "INFTY", "∂": "PARTIAL",
    "∇": "NABLA",
}  # fmt: skip
_COMMAND_SIGNS = {
    r"\infty": "INFTY", r"\partial": "PARTIAL", r"\nabla": "NABLA", r"\%": "PERCENT", r"\prime": "PRIME",
    r"\colon": "COLON",
}  # fmt: skip


class Scanner(Cursor):
    """Scans one source, once."""

    def __init__(self, source: str, decimal_comma: bool = False) -> None:
        super().__init__(source)
        self.decimal_comma = decimal_comma
        self._stops: list[str | None] = []
        self._run_end = 0  # of a run of letters that is known to be no word

    def scan(self) -> list[Tok]:
        """All tokens of the source."""
        tokens = self.until(None)
        while self.at < len(self.source):  # something closes what nothing opened
            start = self.at
            self.skip(_END)
            tokens.append(self.bad(start, f"{self.source[start : self.at]} closes nothing"))
            tokens.extend(self.until(None))
        return tokens

    def until(self, stop: str | None) -> list[Tok]:
        """Tokens up to what closes (of whatever kind: who opened decides if it fits) or the end of the source."""
        tokens: list[Tok] = []
        if self.depth >= MAX_DEPTH:
            start, self.at = self.at, len(self.source)
            return [self.bad(start, f"nested deeper than {MAX_DEPTH}")]
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        self._stops.append(stop)
        while self.at < len(self.source) and not self._closes(stop, tokens):
            token = self._next(tokens)
            if token is None:
                continue
            if token.kind == "SCRIPTS":
                tokens.extend(token.parts[0])
            else:
                tokens.append(token)
        self._stops.pop()
        self.depth -= 1
        return tokens

    def argument(self) -> list[Tok]:
        """A command's argument: what stands in braces, or the next single token (one digit of a number)."""
        while self.at < len(self.source):
            character = self.source[self.at]
            if character == "{":
                return self._brace_content()
            if character in "0123456789":
                return [self.take("NUM", self.at + 1, character)]
            if character.isspace():
                self.at += 1
                continue
            if self._closes(None, []):
                break
            if self.depth >= MAX_DEPTH:
                return self.until(None)
            self.depth += 1
            token = self._next([], single=True)
            self.depth -= 1
            if token is not None:
                return token.parts[0] if token.kind == "SCRIPTS" else [token]
        return [self.bad(self.at, "an argument is missing")]

    def optional(self) -> list[Tok] | None:
        """A command's argument in square brackets, or None."""
        if not self.skip(_OPENING_BRACKET):
            return None
        start = self.at
        inner = self.until("bracket")
        if not self.source.startswith("]", self.at):
            return [self.bad(start, "[ is not closed")]
        self.at += 1
        return inner

    def _closes(self, stop: str | None, before: list[Tok]) -> bool:
        source, at = self.source, self.at
        character = source[at]
        if character not in _MAY_CLOSE:
            return False
        if character == "}":
            return True
        if character == "{":
            return _CLOSER_IN_BRACES.match(source, at) is not None
        if source.startswith("\\end", at) and not source[at + 4 : at + 5].isalpha():
            return True
        size, sign, _ = self.delimiter(double=stop != "|")
        if sign in table.CLOSE:
            return size not in ("\\left", "\\middle")
        if sign not in table.BARS or size in ("\\left", "\\middle") or sign in table.OPENING_BARS:
            return False
        if size == "\\right" or sign in table.CLOSING_BARS:
            return True
        return stop == table.BARS[sign] and bool(before) and before[-1].kind not in _BEFORE_OPERAND

    def _next(self, before: list[Tok], single: bool = False) -> Tok | None:
        """The next token, or None for what is only drawn; `single` for an argument: one letter, no more."""
        source, start = self.source, self.at
        character = source[start]
        if character.isspace() or character in _IGNORED:
            self.at += 1
            return None
        if character == "%":
            end = source.find("\n", start)
            self.at = len(source) if end < 0 else end + 1
            return None
        if character in "0123456789.":
            token = self._number()
            if token is not None:
                return token
        if character in BARS and self._stops[-1:] == ["bracket"] and before and before[-1].kind not in _BEFORE_OPERAND:
            behind = condition_end(source, start)
            if behind:
                return self.take("MID", behind, "|")
        if character == "\\":
            return self._command()
        if character == "{":
            return self._function(shown(self._brace_content(), start, self.at))
        if character.isalpha() and character not in table.SUMS:
            return self._letters(single)
        return self._sign(character, before)

    def _function(self, token: Tok | None) -> Tok | None:
        r"""`{\rm softmax}(x)`: a function's name in braces, with its argument behind them."""
        inside = unwrapped([token]) if token else []
        if token is None or token.kind != "BRACE" or len(inside) != 1:
            return token
        inner = inside[0]
        if inner.kind == "NAME" and inner.text in table.FUNCTIONS and is_applied(self, inner.text):
            return Tok("FUNC", table.FUNCTIONS[inner.text], token.start, token.end)
        return token

    def _number(self) -> Tok | None:
        found = numeral(self.source, self.at, self.decimal_comma, self.depth > 1 + self.layouts)
        if found is None:
            return None
        text, end, comma = found
        if len(text) > MAX_DIGITS:
            return self.take("BAD", end, value=f"a number of more than {MAX_DIGITS} digits")
        return self.take("NUM", end, text, "," if comma else None)

    def _letters(self, single: bool) -> Tok | None:
        source, start = self.source, self.at
        if single or start < self._run_end:
            if source[start].isascii():
                return self.take("NAME", start + 1, source[start], Name(source[start]))
        else:
            letters = run(source, start)
            if len(letters) > 1 and letters in table.FUNCTIONS:
                self.at = start + len(letters)
                if is_applied(self, letters, is_command=True):
                    return Tok("FUNC", table.FUNCTIONS[letters], start, self.at)
                self.at = start
            whole = word(source, start)
            if whole:
                return self.take("NAME", whole[1], source[start : whole[1]], whole[0])
            self._run_end = start + len(letters)
        if source[start] in table.SUBSCRIPTS or source[start] in table.SUPERSCRIPTS or source[start] == "ᵀ":
            return self._sign(source[start], [])
        if source[start] == "Σ" and source[start + 1 : start + 2] in ("_", "(", "["):
            return self.take("SUM", start + 1, "sum")
        found = letter(source, start)
        if found is None:
            return self.take("BAD", start + 1, value=f"the sign {source[start]} is not known")
        name, end = found
        return self.take("NAME", end, source[start:end], name)

    def _sign(self, character: str, before: list[Tok]) -> Tok | None:
        source, end = self.source, self.at + 1
        if source.startswith(":=", self.at):
            return self.take("REL", end + 1, ":=")
        if source.startswith(("...", "…"), self.at):
            return self.take("DOTS", end + (2 if character == "." else 0))
        for kinds, kind in ((table.RELATIONS, "REL"), (table.OPERATORS, "OP"), (table.SUMS, "SUM")):
            if character in kinds:
                return self.take(kind, end, kinds[character], "*" if character in "*∗" else None)
        if character in table.MINUS:
            return self.take("MINUS", end)
        if character == "!" and is_factorial(source, self.at, before):
            return self.take("FACT", end)
        if character == ".":
            behind_number = bool(before) and before[-1].kind == "NUM" and before[-1].end == self.at
            if behind_number and self.depth > 1 + self.layouts:  # 14. in a list of numbers
                self.at = end
                return None
            return self.take("SEP", end)
        if character in _SIGNS:
            return self.take(_SIGNS[character], end)
        if character in table.SEPARATORS:
            return self.take("SEP", end)
        if character in table.GAPS:
            return self.take("GAP", end)
        if character in table.DOTS:
            return self.take("DOTS", end)
        if character in "_^":
            start, self.at = self.at, end
            inner = self.argument()
            return Tok("SUB" if character == "_" else "SUP", "", start, self.at, [inner])
        if character in "ᵀ⊤":
            token = self.take("SUP", end)
            token.parts = [[Tok("NAME", "T", end - 1, end, value=Name("T"))]]
            return token
        if character in table.SUPERSCRIPTS:
            return self._small("SUP", table.SUPERSCRIPTS)
        if character in table.SUBSCRIPTS:
            return self._small("SUB", table.SUBSCRIPTS)
        if character in table.VULGAR:
            token = self.take("FRAC", end)
            token.parts = [[Tok("NUM", digits, end - 1, end)] for digits in table.VULGAR[character]]
            return token
        if character == "√":
            return self._root(end)
        if character in table.OPEN or character in table.BARS:
            return self._group()
        plain = unicodedata.normalize("NFKC", character)
        if plain != character and len(plain) == 1 and plain.isascii() and plain not in "()[]{}|\\":
            return self._sign(plain, before) if not plain.isalnum() else self.take("NUM", end, plain)
        return self.take("BAD", end, value=f"the sign {character} is not known")

    def _small(self, kind: str, meaning: dict[str, str]) -> Tok:
        """A script in Unicode's small signs: `x₁₂`, `e⁻ˣ`."""
        start = self.at
        inner: list[Tok] = []
        while self.at < len(self.source) and self.source[self.at] in meaning:
            text = meaning[self.source[self.at]]
            if text.isdigit() and inner and inner[-1].kind == "NUM":
                inner[-1].text += text
                self.at += 1
                inner[-1].end = self.at
            elif text.isdigit():
                inner.append(self.take("NUM", self.at + 1, text))
            elif text.isalpha():
                inner.append(self.take("NAME", self.at + 1, text, Name(text)))
            else:
                inner.append(self.take({"+": "PLUS", "-": "MINUS"}.get(text, "PAREN"), self.at + 1, text))
        if kind == "SUP" and self.source.startswith("ᵀ", self.at):
            inner.append(self.take("NAME", self.at + 1, "T", Name("T")))
        if any(token.kind == "PAREN" for token in inner):  # W⁽¹⁾
            body = [token for token in inner if token.kind != "PAREN"]
            inner = [Tok("GROUP", "(", start, self.at, [body])]
        return Tok(kind, "", start, self.at, [inner])

    def _root(self, end: int) -> Tok:
        """A root sign with its radicand: a bracket group, or a number or name with its scripts."""
        start, self.at = self.at, end
        while self.at < len(self.source) and self.source[self.at].isspace():
            self.at += 1
        number = self._number() if self.source[self.at : self.at + 1] in _DIGITS else None
        inner = [number] if number else self.argument()
        if len(inner) == 1 and inner[0].kind == "GROUP" and inner[0].text == "(":
            inner = inner[0].parts[0]
        elif len(inner) == 1 and inner[0].kind == "NAME":
            while self.source[self.at : self.at + 1] in _SCRIPT_SIGNS:
                script = self._sign(self.source[self.at], [])
                assert script is not None
                inner.append(script)
        return Tok("SQRT", "", start, self.at, [inner])

    def _brace_content(self) -> list[Tok]:
        start = self.at
        self.at += 1
        inner = self.until("}")
        if self.source.startswith("}", self.at):
            self.at += 1
            return inner
        return [_unclosed("{", start, start + 1, inner)]

    def _group(self) -> Tok:
        """A bracket group, to the bracket that closes it."""
        start = self.at
        _, opening, self.at = self.delimiter()
        opened = self.at
        is_bar = opening in table.BARS
        bracket = table.BARS[opening] if is_bar else table.OPEN[opening]
        inner = self.until(bracket if is_bar else "bracket")
        if self.at < len(self.source):
            wrapped = _CLOSER_IN_BRACES.match(self.source, self.at)
            _, closing, end = self.delimiter(double=bracket != "|")
            if wrapped:
                closing, end = wrapped[1], wrapped.end()
            if closing in table.CLOSE or closing in table.BARS:
                self.at = end
                if table.CLOSE.get(closing, table.BARS.get(closing)) != bracket:
                    return self.bad(start, f"{opening} is closed by {closing}")
                if bracket != "[" or self.layouts:  # lines of a display, not rows of a matrix
                    inner = [token for token in inner if token.kind not in ("ROW", "AMP")]
                return Tok("GROUP", bracket, start, end, [inner])
        return _unclosed(opening, start, opened, inner)

    def _command(self) -> Tok | None:
        start = self.at
        row = _ROW.match(self.source, start)
        if row:
            return self.take("ROW", row.end())
        match = _COMMAND.match(self.source, start)
        name = match[0] if match else "\\"
        if name == r"\bg" and self.skip(_BACKGROUND):
            return None
        end = start + len(name)
        size, sign, after = self.delimiter()
        if size:
            if sign in table.OPEN or sign in table.BARS:
                if size != "\\middle":
                    return self._group()
            elif sign == "." or size not in ("\\left", "\\right", "\\middle"):
                self.at = after if sign == "." else end
                return None
            return self.take("BAD", after, value=f"{size}{sign} is no bracket here")
        if name in table.OPEN or name in table.BARS:
            return self._group()
        if name in table.SPACES:
            self.at = end
            return None
        if name in table.GAPS:
            return self.take("GAP", end)
        if name in table.SEPARATORS:
            return self.take("SEP", end)
        if name[1:] in table.GREEK:
            return self.take("NAME", end, name, Name(name[1:], is_command=True))
        for kinds, kind in ((table.RELATIONS, "REL"), (table.OPERATORS, "OP"), (table.SUMS, "SUM")):
            if name in kinds:
                return self.take(kind, end, kinds[name], "*" if name in (r"\ast", r"\star") else None)
        if name in _COMMAND_SIGNS:
            return self.take(_COMMAND_SIGNS[name], end)
        if name in table.DOTS:
            return self.take("DOTS", end)
        if name in (r"\top", r"\intercal"):
            return self.take("NAME", end, "T", Name("T"))
        if name in (r"\R", r"\reals", r"\Reals"):
            return self.take("NAME", end, "R", Name("R", "blackboard"))
        if name == r"\_":
            return self.take("NAME", end, name, Name(name))
        if name in (r"\(", r"\)", r"\[", r"\]"):
            self.at = end
            return None
        self.at = end
        if name in table.FUNCTION_COMMANDS:
            return Tok("FUNC", table.FUNCTIONS[name[1:]], start, end)
        if name in table.SWITCHES:
            inner = in_font(self.until(self._stops[-1] if self._stops else None), table.SWITCHES[name])
            return shown(inner, start, self.at)
        return macro(self, name, start)


def _unclosed(sign: str, start: int, end: int, inner: list[Tok]) -> Tok:
    """An opening sign that nothing closes; what stands behind it may be formulas all the same."""
    too_deep = inner and inner[-1].kind == "BAD" and str(inner[-1].value).startswith("nested")
    why = inner[-1].value if too_deep else f"{sign} is not closed"
    return Tok("BAD", "", start, end, [inner], why)
