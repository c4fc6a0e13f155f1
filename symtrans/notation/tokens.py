"""LaTeX and Unicode mathematics as nested tokens: brackets, arguments and matrix cells already in their places.

Nothing is refused here: what cannot be understood becomes a `BAD` token that says why, so that the
formula's other sides can still be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from symtrans.notation import commands as table
from symtrans.notation.name import Name

MAX_DEPTH = 60
MAX_DIGITS = 400

_NUMBER = re.compile(
    r"(?:\d+(?:(?:\{,\}|\\,)\d{3})+(?!\d)|\d+)(?:\.\d*)?(?:[eE][+-]?\d+(?![A-Za-z.]))?|\.\d+(?:[eE][+-]?\d+(?![A-Za-z.]))?"
)
_COMMA_NUMBER = re.compile(  # 1,2,3 is a list, and so is a pair alone in brackets: [10,0]
    r"\d+\{,\}\d+|(?<![,\[])\d+,\d+(?!\d|,\d)|(?<!,)\d+,\d+(?!\d|,\d|\])"
)
_COMMAND = re.compile(r"\\(?:[A-Za-z]+\*?|.)", re.S)
_ROW = re.compile(r"\\\\\*?(?:\s*\[\s*-?[\d.]+\s*(?:pt|em|ex|mm|cm|in|px)\s*\])?|\\cr\b|\\tabularnewline\b")
_WORD = re.compile(r"[A-Za-z]+")
_CLOSER_IN_BRACES = re.compile(r"\{\s*(?:\\right\s*)?([)\]])\s*\}")
_ARGUMENT_FOLLOWS = re.compile(r"(?:\s|\\left|\\[bB]igg?[lr]?|\\[,!;:])*(?:[(\[（|‖]|\\begin|\\\{|\\[lr]?[vV]ert|\\\|)")
_SUBSCRIPT_FOLLOWS = re.compile(r"\s*[_^]")
_TAKES_SUBSCRIPT = {"log", "softmax", "max", "min", "norm", "argmax", "ln", "exp"}
_NEEDS_BRACKETS = {"Attention", "FFN", "Embedding", "MultiHead", "LayerNorm", "sum", "mean", "var", "std", "norm"}


@dataclass(slots=True)
class Tok:
    """A token: its kind, its text, its place in the source, and what hangs on it (see `Scanner`)."""

    kind: str
    text: str
    start: int
    end: int
    parts: list[list[Tok]] = field(default_factory=list)
    value: Any = None


class Scanner:
    """Scans a source text once.

    Kinds: NUM (text), NAME (value: Name), FUNC (text), GROUP (text: bracket; parts[0]), BRACE (parts[0]),
    MATRIX (text: environment; value: rows of cells), FRAC (two parts), SQRT (body, degree or none), SUB, SUP
    (parts[0]), PRIME, PLUS, MINUS, OP (text), REL (text; value: an arrow's label), SEP, ROW, AMP, COMMA, SEMI,
    COLON, DOTS, SUM (text), INFTY, PERCENT, PARTIAL, NABLA, BAD (value: why).
    """

    def __init__(self, source: str, decimal_comma: bool = False) -> None:
        self.source = source
        self.at = 0
        self.depth = 0
        self.decimal_comma = decimal_comma

    def scan(self) -> list[Tok]:
        """All tokens of the source."""
        tokens = self._until(None)
        while self.at < len(self.source):  # a closing bracket that nothing opened
            start = self.at
            self.at += 1
            tokens.append(Tok("BAD", "", start, self.at, value=f"{self.source[start]} closes nothing"))
            tokens.extend(self._until(None))
        return tokens

    def _until(self, stop: str | None) -> list[Tok]:
        """Tokens up to what closes: "}" , "bracket", "end" (of an environment) or the source's end."""
        tokens: list[Tok] = []
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.depth -= 1
            start, self.at = self.at, len(self.source)
            return [Tok("BAD", "", start, self.at, value=f"nested deeper than {MAX_DEPTH}")]
        while self.at < len(self.source):
            if self._closes(stop, tokens):
                break
            token = self._next(tokens)
            if token is not None:
                tokens.append(token)
        self.depth -= 1
        return tokens

    def _closes(self, stop: str | None, before: list[Tok]) -> bool:
        """Whether the source here closes something (of whatever kind: the opener decides if it fits)."""
        rest = self.source
        if rest[self.at] == "}":
            return True
        if _CLOSER_IN_BRACES.match(rest, self.at):
            return True
        if rest.startswith(r"\end", self.at):
            return True
        closing, _ = self._delimiter()
        if closing in table.CLOSE:
            return True
        return (
            stop == "bar"
            and closing in table.BARS
            and bool(before)
            and before[-1].kind not in ("OP", "PLUS", "MINUS", "COMMA")
        )

    def _delimiter(self) -> tuple[str, int]:
        r"""The bracket that stands here, with or without `\right` or a size before it, and where it ends."""
        match = re.compile(r"(?:\\(?:right|left|middle|[bB]igg?[lrm]?)\s*)?(\\[A-Za-z]+|\\.|.)", re.S).match(
            self.source, self.at
        )
        return (match[1], match.end()) if match else ("", self.at)

    def _next(self, before: list[Tok]) -> Tok | None:
        source, start = self.source, self.at
        character = source[start]
        if character.isspace() or character in "\u200b\u2061\u2062\u2009\u00a0\ufeff$":
            self.at += 1
            return None
        if character == "%":
            end = source.find("\n", start)
            self.at = len(source) if end < 0 else end + 1
            return None
        row = _ROW.match(source, start)
        if row:
            return self._take("ROW", row.end())
        number = (self.decimal_comma and _COMMA_NUMBER.match(source, start)) or _NUMBER.match(source, start)
        if number and not (character.isdigit() and not character.isascii()):
            return self._number(number[0], number.end())
        if character == "\\":
            return self._command(before)
        if character == "{":
            return self._brace()
        if character.isascii() and character.isalpha():
            return self._word()
        return self._sign(character, before)

    def _take(self, kind: str, end: int, text: str = "", value: Any = None) -> Tok:
        token = Tok(kind, text, self.at, end, value=value)
        self.at = end
        return token

    def _bad(self, start: int, why: str) -> Tok:
        return Tok("BAD", "", start, self.at, value=why)

    def _number(self, text: str, end: int) -> Tok:
        if len(text) > MAX_DIGITS:
            return self._take("BAD", end, value=f"a number of more than {MAX_DIGITS} digits")
        if "{,}" in text or (self.decimal_comma and "," in text):
            groups = re.split(r"\{,\}|,", text)
            thousands = (
                all(len(g.split(".")[0]) == 3 for g in groups[1:]) and groups[0] != "0" and not self.decimal_comma
            )
            text = ("" if thousands else ".").join(groups)
        following = re.compile(r"\{,\}(\d+)").match(self.source, end)
        if following and "." not in text:  # 0{,}125: a decimal comma
            text, end = f"{text}.{following[1]}", following.end()
        return self._take("NUM", end, text.replace("\\,", ""))

    def _word(self) -> Tok:
        match = _WORD.match(self.source, self.at)
        assert match is not None
        word = match[0]
        if len(word) > 1 and word in table.FUNCTIONS and _ARGUMENT_FOLLOWS.match(self.source, match.end()):
            return self._take("FUNC", match.end(), table.FUNCTIONS[word])
        return self._take("NAME", self.at + 1, word[0], Name(word[0]))

    def _sign(self, character: str, before: list[Tok]) -> Tok:
        end = self.at + 1
        if self.source.startswith(":=", self.at):
            return self._take("REL", end + 1, ":=")
        for kinds, kind in ((table.RELATIONS, "REL"), (table.OPERATORS, "OP"), (table.SUMS, "SUM")):
            if character in kinds:
                return self._take(kind, end, kinds[character])
        single = {
            "+": "PLUS", "&": "AMP", ",": "COMMA", "，": "COMMA", "、": "COMMA", ";": "SEMI", "；": "SEMI",
            ":": "COLON", "：": "COLON", "'": "PRIME", ".": "SEP", "。": "SEP", "′": "PRIME", "∞": "INFTY",
            "∂": "PARTIAL", "∇": "NABLA",
        }  # fmt: skip
        if self.source.startswith("...", self.at):
            return self._take("DOTS", end + 2)
        if character in table.MINUS:
            return self._take("MINUS", end)
        if character in single:
            return self._take(single[character], end)
        if character in table.DOTS:
            return self._take("DOTS", end)
        if character in table.GREEK_SIGNS:
            word = table.GREEK_SIGNS[character]
            return self._take("NAME", end, character, Name(word, is_command=True))
        if character in "_^":
            return self._script(character)
        if character in table.SUPERSCRIPTS or character == "⁻":
            return self._unicode_script("SUP", table.SUPERSCRIPTS | {"⁻": "-"})
        if character in table.SUBSCRIPTS:
            return self._unicode_script("SUB", table.SUBSCRIPTS)
        if character in "ᵀ⊤":
            inner = Tok("NAME", "T", self.at, end, value=Name("T"))
            return replace(self._take("SUP", end), parts=[[inner]])
        if character in table.VULGAR:
            above, below = (Tok("NUM", digits, self.at, end) for digits in table.VULGAR[character])
            return replace(self._take("FRAC", end), parts=[[above], [below]])
        if character == "√":
            return self._root(end)
        if character in table.OPEN or character in table.BARS:
            return self._group()
        name = Name(character, "text")
        if character.isalpha():
            return self._take("NAME", end, character, name)
        return self._take("BAD", end, value=f"the sign {character} is not known")

    def _root(self, end: int) -> Tok:
        """A root sign with its radicand: a bracket group or the next token."""
        start, self.at = self.at, end
        number = _NUMBER.match(self.source, end)
        inner = [self._number(number[0], number.end())] if number else self._argument()
        if len(inner) == 1 and inner[0].kind == "GROUP" and inner[0].text == "(" and len(inner[0].parts) == 1:
            inner = inner[0].parts[0]
        return Tok("SQRT", "", start, self.at, [inner])

    def _unicode_script(self, kind: str, digits: dict[str, str]) -> Tok:
        start, text = self.at, ""
        while self.at < len(self.source) and self.source[self.at] in digits:
            text += digits[self.source[self.at]]
            self.at += 1
        inner = [Tok("MINUS", "", start, start + 1)] if text.startswith("-") else []
        if text.strip("-"):
            inner.append(Tok("NUM", text.strip("-"), start, self.at))
        elif self.source.startswith("ᵀ", self.at):
            self.at += 1
            inner.append(Tok("NAME", "T", start, self.at, value=Name("T")))
        return Tok(kind, "", start, self.at, [inner])

    def _script(self, sign: str) -> Tok:
        start = self.at
        self.at += 1
        inner = self._argument()
        return Tok("SUB" if sign == "_" else "SUP", "", start, self.at, [inner])

    def _argument(self) -> list[Tok]:
        """A command's argument: what stands in braces, or the next single token (one digit of a number)."""
        while self.at < len(self.source) and self.source[self.at].isspace():
            self.at += 1
        if self.at >= len(self.source):
            return [self._bad(self.at, "an argument is missing")]
        if self.source[self.at] == "{":
            return self._brace_content()
        if self.source[self.at].isdigit() and self.source[self.at].isascii():
            return [self._take("NUM", self.at + 1, self.source[self.at])]
        if self._closes(None, []):
            return [self._bad(self.at, "an argument is missing")]
        token = self._next([])
        return self._argument() if token is None else [token]

    def _brace_content(self) -> list[Tok]:
        start = self.at
        self.at += 1
        inner = self._until("}")
        if self.at < len(self.source) and self.source[self.at] == "}":
            self.at += 1
            return inner
        self.at = len(self.source) if self.at >= len(self.source) else self.at
        inner.append(self._bad(start, "{ is not closed"))
        return inner

    def _brace(self) -> Tok | None:
        start = self.at
        switch = re.compile(r"\{\s*(\\(?:bf|rm|it|cal|sf|tt))\b").match(self.source, start)
        if switch:
            self.at = switch.end()
            inner = self._until("}")
            self.at = min(self.at + 1, len(self.source))
            return Tok("BRACE", "", start, self.at, [_in_font(inner, table.SWITCHES[switch[1]])])
        inner = self._brace_content()
        return Tok("BRACE", "", start, self.at, [inner]) if inner else None

    def _raw(self) -> tuple[str, int] | None:
        """The characters of an argument in braces and where they start, or None where no brace opens."""
        match = re.compile(r"\s*\{").match(self.source, self.at)
        if not match:
            return None
        depth, place = 1, match.end()
        while place < len(self.source) and depth:
            if self.source[place] == "\\":
                place += 1
            elif self.source[place] == "{":
                depth += 1
            elif self.source[place] == "}":
                depth -= 1
            place += 1
        self.at = place
        return self.source[match.end() : place - 1], match.end()

    def _group(self) -> Tok:
        """A bracket group, to the bracket that closes it."""
        start = self.at
        opening, self.at = self._delimiter()
        bracket = table.OPEN.get(opening) or table.BARS[opening]
        is_bar = opening in table.BARS
        inner = self._until("bar" if is_bar else "bracket")
        if self.at < len(self.source):
            wrapped = _CLOSER_IN_BRACES.match(self.source, self.at)
            closing, end = (wrapped[1], wrapped.end()) if wrapped else self._delimiter()
            if (is_bar and closing in table.BARS) or (not is_bar and closing in table.CLOSE):
                self.at = end
                if not is_bar and table.CLOSE[closing] != bracket:
                    return self._bad(start, f"{opening} is closed by {closing}")
                return Tok("GROUP", bracket, start, self.at, [inner])
        return Tok("BAD", "", start, self.at, [inner], f"{opening} is not closed")

    def _command(self, before: list[Tok]) -> Tok | None:
        start = self.at
        match = _COMMAND.match(self.source, start)
        assert match is not None or start == len(self.source) - 1
        name = match[0] if match else "\\"
        if name in (r"\left", r"\right") or re.fullmatch(r"\\[bB]igg?[lrm]?", name):
            return self._sized(name, match.end() if match else start + 1)
        if name in table.OPEN or name in table.BARS:
            return self._group()
        end = start + len(name)
        if name in table.SPACES:
            self.at = end
            return None
        if name in table.SEPARATORS:
            return self._take("SEP", end)
        for kinds, kind in ((table.RELATIONS, "REL"), (table.OPERATORS, "OP"), (table.SUMS, "SUM")):
            if name in kinds:
                return self._take(kind, end, kinds[name])
        simple = {
            r"\infty": "INFTY", r"\partial": "PARTIAL", r"\nabla": "NABLA", r"\%": "PERCENT", r"\prime": "PRIME",
            r"\lbrace": "GROUP",
        }  # fmt: skip
        if name in simple:
            return self._take(simple[name], end)
        if name in table.DOTS:
            return self._take("DOTS", end)
        if name[1:] in table.GREEK:
            return self._take("NAME", end, name, Name(name[1:], is_command=True))
        if name in (r"\top", r"\intercal"):
            return self._take("NAME", end, "T", Name("T"))
        if name in table.FUNCTION_COMMANDS:
            return self._take("FUNC", end, table.FUNCTIONS[name[1:]])
        self.at = end
        return self._with_arguments(name, start, before)

    def _sized(self, name: str, end: int) -> Tok | None:
        r"""`\left(`, `\Big[`: a bracket; `\left.`: nothing; a size before anything else: that thing."""
        closing, after = self._delimiter()
        if closing == ".":
            self.at = after
            return None
        if closing in table.OPEN or closing in table.BARS:
            return self._group()
        self.at = end
        return None

    def _with_arguments(self, name: str, start: int, before: list[Tok]) -> Tok | None:
        if name in (r"\frac", r"\dfrac", r"\tfrac", r"\cfrac", r"\nicefrac", r"\sfrac"):
            above = self._argument()
            below = self._argument()
            return Tok("FRAC", "", start, self.at, [above, below])
        if name == r"\sqrt":
            degree = self._optional()
            body = self._argument()
            return Tok("SQRT", "", start, self.at, [body] if degree is None else [body, degree])
        if name in table.FONTS:
            return self._font(name, start)
        if name in table.ACCENTS:
            return self._accent(name, start)
        if name in table.IGNORED:
            self._raw()
            return None
        if name in table.TRANSPARENT:
            inner = self._argument()
            return Tok("BRACE", "", start, self.at, [inner])
        if name in table.DECORATED:
            for _ in range(table.DECORATED[name]):
                self._raw()
            inner = self._argument()
            return inner[0] if len(inner) == 1 else Tok("BRACE", "", start, self.at, [inner])
        if name in (r"\underbrace", r"\overbrace"):
            inner = self._argument()
            if re.compile(r"\s*[_^]\s*").match(self.source, self.at):
                self.at = re.compile(r"\s*[_^]\s*").match(self.source, self.at).end()  # type: ignore[union-attr]
                self._argument()
            return Tok("BRACE", "", start, self.at, [inner])
        if name in (r"\xrightarrow", r"\xlongrightarrow", r"\xRightarrow", r"\xmapsto"):
            self._optional()
            label = self._raw()
            text = re.sub(r"\\(?:text|mathrm|operatorname)\s*\{([^{}]*)\}", r"\1", label[0]) if label else ""
            return Tok("REL", "→", start, self.at, value=text.strip())
        if name == r"\pmatrix" or name == r"\matrix" or name == r"\bmatrix":
            self.at = re.compile(r"\s*\{?").match(self.source, self.at).end()  # type: ignore[union-attr]
            inner = self._until("}")
            self.at = min(self.at + 1, len(self.source))
            return Tok("MATRIX", name[1:], start, self.at, value=cells(inner))
        if name == r"\begin":
            return self._environment(start)
        if name == r"\mathbbm":
            return self._font(r"\mathbb", start)
        return Tok("BAD", "", start, self.at, value=f"the command {name} is not known")

    def _optional(self) -> list[Tok] | None:
        match = re.compile(r"\s*\[").match(self.source, self.at)
        if not match:
            return None
        self.at = match.end()
        inner = self._until("bracket")
        self.at = min(self.at + 1, len(self.source))
        return inner

    def _font(self, name: str, start: int) -> Tok | None:
        font = table.FONTS[name]
        raw_from = self.at
        raw = self._raw()
        if raw is None:
            return _in_font(self._argument(), "roman" if font == "operator" else font)[0]
        words = " ".join(raw[0].replace("~", " ").replace(r"\ ", " ").replace(r"\_", "_").replace("\\-", "").split())
        if not words:
            return None
        word = words if font == "text" or font == "operator" or re.fullmatch(r"[\w .\-']+", words) else ""
        if font == "text" and not re.search(r"\w", words):
            return self._text_sign(words, start, raw_from)
        if word in table.FUNCTIONS and font != "bold" and self._is_applied(word):
            return Tok("FUNC", table.FUNCTIONS[word], start, self.at)
        if font == "operator" or (font in ("text", "roman") and " " not in word and word and self._in_brackets(word)):
            if self._in_brackets(word):
                return Tok("FUNC", word, start, self.at)
            font = "roman"
        if font in ("text",) or (word and (len(word) == 1 or word.isalnum() or font in ("roman", "sans"))):
            if word.isdigit() and font != "bold" and font != "blackboard":
                return Tok("NUM", word, start, self.at)
            return Tok("NAME", word, start, self.at, value=Name(word, font))  # type: ignore[arg-type]
        end, self.at = self.at, raw_from
        inner = self._argument()
        self.at = end
        return Tok("BRACE", "", start, end, [_in_font(inner, font)])

    def _text_sign(self, words: str, start: int, raw_from: int) -> Tok | None:
        r"""Punctuation in `\text{}`: a comma ends a formula, anything else is nothing."""
        return Tok("SEP", "", start, self.at) if set(words) & set(",;，；。.") else None

    def _is_applied(self, word: str) -> bool:
        if _ARGUMENT_FOLLOWS.match(self.source, self.at):
            return True
        return word in _TAKES_SUBSCRIPT and bool(_SUBSCRIPT_FOLLOWS.match(self.source, self.at))

    def _in_brackets(self, word: str) -> bool:
        return bool(re.compile(r"(?:\s|\\left|\\[bB]igg?[lr]?|\\[,!;:])*[(（]").match(self.source, self.at))

    def _accent(self, name: str, start: int) -> Tok:
        inner = self._argument()
        flat = inner[0].parts[0] if len(inner) == 1 and inner[0].kind == "BRACE" else inner
        if len(flat) == 1 and flat[0].kind == "NAME" and not flat[0].value.accent:
            value = replace(flat[0].value, accent=table.ACCENTS[name])
            return Tok("NAME", flat[0].text, start, self.at, value=value)
        if len(flat) > 1 and flat[0].kind == "NAME" and all(t.kind in ("SUB", "PRIME") for t in flat[1:]):
            value = replace(flat[0].value, accent=table.ACCENTS[name])
            first = Tok("NAME", flat[0].text, flat[0].start, flat[0].end, value=value)
            return Tok("BRACE", "", start, self.at, [[first, *flat[1:]]])
        return self._bad(start, f"{name} over something that is not a name")

    def _environment(self, start: int) -> Tok | None:
        raw = self._raw()
        environment = raw[0].strip().rstrip("*") if raw else ""
        starred = bool(raw and raw[0].strip().endswith("*"))
        if environment in ("array", "tabular") or environment in ("alignedat", "alignat"):
            self._optional()
            self._raw()
        elif starred and environment in table.MATRICES:
            self._optional()
        elif environment in table.LAYOUTS:
            match = re.compile(r"\s*\[[tbc]\]").match(self.source, self.at)
            self.at = match.end() if match else self.at
        inner = self._until("end")
        end = re.compile(r"\\end\s*\{([^}]*)\}").match(self.source, self.at)
        if end is None or end[1].strip().rstrip("*") != environment:
            if end is not None:
                self.at = end.end()
            return Tok("BAD", "", start, self.at, [inner], f"\\begin{{{environment}}} is not closed")
        self.at = end.end()
        if environment in table.LAYOUTS:
            return Tok("LAYOUT", environment, start, self.at, [inner])
        if environment in table.MATRICES | table.DETERMINANTS | table.NORMS:
            return Tok("MATRIX", environment, start, self.at, value=cells(inner))
        return Tok("BAD", "", start, self.at, value=f"the environment {environment} is not known")


def cells(tokens: list[Tok]) -> list[list[list[Tok]]]:
    """Rows of cells, cut at `&` and `\\\\`; an empty last row is none."""
    rows: list[list[list[Tok]]] = [[[]]]
    for token in tokens:
        if token.kind == "AMP":
            rows[-1].append([])
        elif token.kind == "ROW":
            rows.append([[]])
        else:
            rows[-1][-1].append(token)
    if rows[-1] == [[]]:
        rows.pop()
    return rows


def _in_font(tokens: list[Tok], font: str) -> list[Tok]:
    """The tokens with every plain name in this font."""
    result: list[Tok] = []
    for token in tokens:
        if token.kind == "NAME" and token.value.font == "italic":
            result.append(replace(token, value=replace(token.value, font=font)))
        elif token.kind in ("BRACE",):
            result.append(replace(token, parts=[_in_font(token.parts[0], font)]))
        elif token.kind == "NUM" and font in ("bold", "blackboard") and token.text.isdigit():
            result.append(replace(token, kind="NAME", value=Name(token.text, font)))  # type: ignore[arg-type]
        else:
            result.append(token)
    return result
