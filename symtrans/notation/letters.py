"""Letters as names: single letters of any alphabet, with accents and digits behind them, and whole words."""

from __future__ import annotations

import re
import unicodedata
from itertools import takewhile

from symtrans.notation import commands as table
from symtrans.notation.name import Font, Name, Script

_ASCII_RUN = re.compile(r"[A-Za-z]+")
_UNDERSCORED = re.compile(r"[A-Za-z]+(?:\\_[A-Za-z0-9]+)+")
_FOREIGN_RUN = re.compile(r"[^\W\d_a-zA-Z]+")
_DIGITS_BEHIND = re.compile(r"[0-9]+(?![0-9]*\.[0-9])")
_VOWEL = re.compile(r"[aeiou]", re.I)
_WORD_SHAPE = re.compile(r"[A-Z]?[a-z]{3,}")
_SHORT_WORDS = {"new", "old", "out", "pos", "emb", "avg", "row", "col", "seq", "dim", "net", "err"}
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"

_ACCENTS = {"\u0302": "hat", "\u0304": "bar", "\u0305": "bar", "\u0303": "tilde", "\u0307": "dot", "\u20d7": "vec"}
_FONTS: tuple[tuple[str, Font], ...] = (
    ("DOUBLE-STRUCK", "blackboard"),
    ("FRAKTUR", "fraktur"),
    ("SANS-SERIF", "sans"),
    ("MONOSPACE", "typewriter"),
    ("SCRIPT", "calligraphic"),
    ("BOLD", "bold"),
)


def run(source: str, at: int) -> str:
    """The run of plain letters that stands here."""
    match = _ASCII_RUN.match(source, at)
    return match[0] if match else ""


def word(source: str, at: int) -> tuple[Name, int] | None:
    r"""A whole word that stands bare in the mathematics, and where it ends: `error`, `attn\_out`.

    TeX sets a bare run of letters as a product, and so `QK` and `pos` are read; but four letters or
    more in the shape of a word, with a vowel, are what somebody meant as one.
    """
    joined = _UNDERSCORED.match(source, at)
    if joined:
        return Name(joined[0].replace("\\_", "_"), "text"), joined.end()
    letters = run(source, at)
    if letters in _SHORT_WORDS:
        return _with_digits(Name(letters), source, at + len(letters))
    if len(letters) >= 4 and _WORD_SHAPE.fullmatch(letters) and _VOWEL.search(letters):
        return None if letters.lower() in _ALPHABET else _with_digits(Name(letters), source, at + len(letters))
    foreign = _FOREIGN_RUN.match(source, at)
    written = "".join(takewhile(_is_of_a_language, foreign[0])) if foreign else ""
    return (Name(written, "text"), at + len(written)) if len(written) > 1 else None


def letter(source: str, at: int) -> tuple[Name, int] | None:
    """A single letter as a name, and where it ends; digits directly behind it are its index: `q1`."""
    character = source[at]
    end = at + 1
    accent = ""
    name: Name | None = None
    if character.isascii():
        name = Name(character) if character.isalpha() else None
    else:
        base = unicodedata.normalize("NFD", character)
        if len(base) == 2 and base[1] in _ACCENTS:
            accent, character = _ACCENTS[base[1]], base[0]
        name = _foreign(character)
    if name is None:
        return None
    if not accent and end < len(source) and source[end] in _ACCENTS:
        accent = _ACCENTS[source[end]]
        end += 1
    if accent:
        name = Name(name.nucleus, name.font, accent, is_command=name.is_command)
    return _with_digits(name, source, end)


def _is_of_a_language(character: str) -> bool:
    """Whether a letter writes words, not mathematics (Greek, small signs, bold and other alphabets)."""
    return character not in table.GREEK_SIGNS and unicodedata.normalize("NFKC", character) == character


def _foreign(character: str) -> Name | None:
    """A letter beyond ASCII: Greek, of a mathematical alphabet, or of some language."""
    if character in table.GREEK_SIGNS:
        return Name(table.GREEK_SIGNS[character], is_command=True)
    plain = unicodedata.normalize("NFKC", character)
    if plain != character and len(plain) == 1 and plain.isalpha():
        title = unicodedata.name(character, "")
        font: Font = next((font for mark, font in _FONTS if mark in title), "italic")
        if plain in table.GREEK_SIGNS:
            return Name(table.GREEK_SIGNS[plain], font, is_command=True)
        return Name(plain, font) if plain.isascii() else None
    if character.isascii() and character.isalpha():
        return Name(character)
    return Name(character, "text") if character.isalpha() else None


def _with_digits(name: Name, source: str, at: int) -> tuple[Name, int]:
    digits = _DIGITS_BEHIND.match(source, at)
    if digits is None:
        return name, at
    return Name(name.nucleus, name.font, name.accent, (Script(digits[0]),), is_command=name.is_command), digits.end()
