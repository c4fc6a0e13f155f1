r"""Fonts and accents: `\mathbf{W}`, `\text{Attention Scores}`, `\operatorname{softmax}`, `\hat{y}`."""

from __future__ import annotations

import re
from dataclasses import replace

from symtrans.notation import commands as table
from symtrans.notation.cursor import Cursor
from symtrans.notation.name import Font, Name, Script
from symtrans.notation.tokens import Tok, unwrapped

_SIZES = r"(?:\s|~|\\left(?![A-Za-z])|\\[bB]igg?[lr]?(?![A-Za-z])|\\[,!;: ])*"
_ARGUMENT_FOLLOWS = re.compile(_SIZES + r"(?:[(\[{（|‖∥]|\\begin|\\\{|\\[lr]?[vV]ert|\\\||\\[pb]?matrix)")
_BRACKET_FOLLOWS = re.compile(_SIZES + r"[(（]")
_BRACED_BRACKET_FOLLOWS = re.compile(_SIZES + r"\{\s*(?:[(\[]|\\left|\\begin)")
_SCRIPT = re.compile(r"\s*[_^]\s*(?:\{(?:[^{}]|\{[^{}]{0,99}\}){0,99}\}|\\[A-Za-z]+\s*(?:\{[^{}]{0,99}\})?|.)")
_NESTED_COMMAND = re.compile(r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|mathrm|mathbf|emph|mbox)\s*(?=\{)")
_NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_FUNCTION_NAME = re.compile(r"[^\W\d_][\w\-]+")
_LETTER_AND_DIGITS = re.compile(r"([A-Za-z])([0-9]+)")
_WORD = re.compile(r"[^\W_](?:[\w .\-'/]*[^\W_'])?'*")


def font(cursor: Cursor, command: str, start: int) -> Tok | None:
    """What a command for a font or for text shows: a name, a function, a number, a gap, or formulas in that font."""
    kind = table.FONTS[command]
    family: Font = "roman" if kind == "operator" else kind
    before = cursor.at
    raw = cursor.raw()
    if raw is None:
        return _single(cursor, family, start)
    words = _plain(raw)
    if not words:
        return None
    if kind == "text":
        special = _special(words, start, cursor.at)
        if special:
            return special
    if _NUMERAL.fullmatch(words) and not (family in ("bold", "blackboard") and words in ("0", "1")):
        return Tok("NUM", words, start, cursor.at)
    upright = kind in ("text", "operator", "roman", "sans", "bold")
    if upright and words in table.FUNCTIONS and len(words) > 1 and is_applied(cursor, words):
        return Tok("FUNC", table.FUNCTIONS[words], start, cursor.at)
    if kind == "operator" and words in table.FUNCTIONS:
        return Tok("FUNC", table.FUNCTIONS[words], start, cursor.at, value=Name(words, family))
    if kind in ("text", "operator", "roman") and _FUNCTION_NAME.fullmatch(words) and cursor.looks_at(_BRACKET_FOLLOWS):
        return Tok("FUNC", table.FUNCTIONS.get(words, words), start, cursor.at)
    name = _name(raw, words, kind, family)
    if name is not None:
        return Tok("NAME", words, start, cursor.at, value=name)
    if kind == "text":
        return Tok("BAD", "", start, cursor.at, value="a formula inside text")
    end, cursor.at = cursor.at, before
    inner = cursor.argument()
    cursor.at = end
    return Tok("BRACE", "", start, end, [in_font(inner, family)])


def is_applied(cursor: Cursor, word: str, is_command: bool = False) -> bool:
    """Whether a function's argument follows here, behind scripts perhaps."""
    at = cursor.at
    for _ in range(2):
        script = _SCRIPT.match(cursor.source, at)
        if script and ":" in script[0]:
            return False  # rows and columns are taken out of a matrix, not of a function
        at = script.end() if script else at
    following = _ARGUMENT_FOLLOWS.match(cursor.source, at)
    if following and following[0].endswith("{") and not following[0].endswith("\\{"):
        return is_command or bool(_BRACED_BRACKET_FOLLOWS.match(cursor.source, at))
    return bool(following)


def in_font(tokens: list[Tok], family: Font) -> list[Tok]:
    """The tokens with every plain name in this font."""
    result: list[Tok] = []
    for token in tokens:
        if token.kind == "NAME" and token.value.font == "italic":
            result.append(replace(token, value=replace(token.value, font=family)))
        elif token.kind in ("BRACE", "SUB") or (token.kind == "SUP" and token.parts):
            result.append(replace(token, parts=[in_font(token.parts[0], family)]))
        else:
            result.append(token)
    return result


def accent(cursor: Cursor, command: str, start: int) -> Tok:
    r"""`\hat{y}`, `\hat{\mathbf{y}}`, `\hat{y_i}`: a name with an accent."""
    inner = cursor.argument()
    flat = unwrapped(inner)
    if not flat or flat[0].kind != "NAME" or flat[0].value.accent:
        return cursor.bad(start, f"{command} over something that is not a name")
    value = replace(flat[0].value, accent=table.ACCENTS[command])
    if len(flat) == 1:
        return Tok("NAME", flat[0].text, start, cursor.at, value=value)
    if any(token.kind not in ("SUB", "PRIME", "SUP") for token in flat[1:]):
        return cursor.bad(start, f"{command} over something that is not a name")
    first = Tok("NAME", flat[0].text, flat[0].start, flat[0].end, value=value)
    return Tok("BRACE", "", start, cursor.at, [[first, *flat[1:]]])


def _single(cursor: Cursor, family: Font, start: int) -> Tok | None:
    r"""`\mathbf x`: the one token that follows, in the font."""
    inner = cursor.argument()
    if not inner:
        return None
    token = inner[0]
    if token.kind == "NUM" and token.text in ("0", "1"):
        return Tok("NAME", token.text, start, cursor.at, value=Name(token.text, family))
    styled = in_font(inner, family)
    return replace(styled[0], start=start) if len(styled) == 1 else Tok("BRACE", "", start, cursor.at, [styled])


def _plain(raw: str) -> str:
    """The words of a text's source: spaces as one space each, escapes and commands for fonts resolved."""
    words = _NESTED_COMMAND.sub("", raw)
    for spelled, meant in (
        (r"\ ", " "),
        ("~", " "),
        (r"\,", " "),
        (r"\_", "_"),
        (r"\-", ""),
        (r"\%", "%"),
        (r"\&", "&"),
    ):
        words = words.replace(spelled, meant)
    if "\\" not in words:
        words = words.replace("{", "").replace("}", "")
    return " ".join(words.split())


def _special(words: str, start: int, end: int) -> Tok | None:
    """Text that is no name: punctuation, a word between two formulas, an ellipsis."""
    if words.casefold().strip(" ,:;.，。：；") in table.CONNECTIVES or words.rstrip(",") in table.CONNECTIVES:
        return Tok("SEP", "", start, end)
    if words.startswith("(") and words.endswith(")"):
        return Tok("SEP", "", start, end)  # a remark
    if re.search(r"\w", words):
        return None
    if set(words) <= set("+-−=×·/*<>≈"):
        kinds = {"+": "PLUS", "-": "MINUS", "−": "MINUS"}
        if words in kinds:
            return Tok(kinds[words], words, start, end)
        if words in table.RELATIONS:
            return Tok("REL", table.RELATIONS[words], start, end)
        if words in table.OPERATORS:
            return Tok("OP", table.OPERATORS[words], start, end)
    return Tok("SEP", "", start, end)


def _name(raw: str, words: str, kind: str, family: Font) -> Name | None:
    """The name that the words are in this font, or None where they are a formula."""
    if kind in ("text", "operator"):
        return None if "\\" in words or "$" in words else Name(words, family)
    if re.search(r"[\\{}$^]|(?<!\\)_", raw.replace(r"\_", "").replace(r"\ ", "").replace(r"\-", "")):
        return None
    numbered = _LETTER_AND_DIGITS.fullmatch(words)
    if numbered:
        return Name(numbered[1], family, subscript=(Script(numbered[2]),))
    if words in ("0", "1") or (words.isalnum() and not words.isdigit()):
        return Name(words, family)
    return (
        Name(words, family)
        if family in ("roman", "sans", "typewriter", "bold")
        and _WORD.fullmatch(words)
        and (" " not in words or family == "roman")
        and not re.search(r"[/.]", words)
        and not re.match(r"[0-9]", words)
        else None
    )
