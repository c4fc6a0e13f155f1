"""Names of quantities: the default LaTeX name of each role, and the symbol of each entry."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache

from symtrans.model.tape import Step
from symtrans.notation.name import DerivativeName, Name, Script
from symtrans.notation.reader import read_name
from symtrans.registry import files


@cache
def tables() -> Mapping[str, Mapping[str, str]]:
    """The tables of `names.toml`: names, heads, letters, marks."""
    return tomllib.loads(files("symtrans.model", ".toml")["names"])


def quantity_name(role: str, overrides: Mapping[str, str], index: int | str | None = None, scope: str = "") -> Name:
    """The name of a role, from the overrides or the defaults, with a number in its subscript and its scope above."""
    own = tables()["heads"].get(role) if index is not None and role not in overrides else None
    name = read_name(own or overrides.get(role) or tables()["names"][role])
    assert isinstance(name, Name)
    if isinstance(index, str) and not index.isdigit():
        name = replace(name, subscript=(*name.subscript, Script(index, "text")))
    elif index is not None:
        name = name.indexed(index)
    return replace(name, superscript=(Script(scope, "text"),)) if scope else name


def entry_name(step: Step, row: int, column: int) -> Name:
    """The symbol of a step's entry: its letter with row and column, and a mark in a superscript.

    The mark is the scope, a weight matrix's letter and the head's number: `{w}^{(Q1)}_{11}`,
    `{q}^{(enc1)}_{11}`; a quantity that needs none has none: `{x}_{11}`. In a training the number of
    updates follows. From 10 on a comma parts row and column.
    """
    place = f"{row}{column}" if row < 10 and column < 10 else f"{row},{column}"
    letter, above = _letter(step)
    return Name(letter.nucleus, letter.font, letter.accent, (Script(place),), above, letter.primes, letter.is_command)


@lru_cache(maxsize=64)
def _letter(step: Step) -> tuple[Name, tuple[Script, ...]]:
    """The letter of a step's entries, and what stands above it."""
    letters, marks = tables()["letters"], tables()["marks"]
    if isinstance(step.name, DerivativeName):
        letter = read_name(letters["gradient"])
        mark = (step.of + step.id.partition(" via ")[2]).replace("_", "").replace(".", "")
    elif step.role in letters:
        letter = read_name(letters[step.role])
        mark = step.scope + marks.get(step.role, "") + ("" if step.head is None else str(step.head))
    else:
        letter = replace(Name(step.name.nucleus, is_command=step.name.is_command))
        if not letter.is_command:
            letter = replace(letter, nucleus=letter.nucleus[0].lower())
        mark = step.scope + "r" * step.name.primes + "".join(piece.text for piece in step.name.subscript)
        mark = mark.replace("_", "")
    assert isinstance(letter, Name)
    if "@" in step.id:
        mark = (step.id if step.role == "update" else f"{mark},{step.id.rpartition('@')[2]}").replace("_", "")
    return letter, (Script(f"({mark.replace('.', '')})"),) if mark else ()


def plain_entry_name(step: Step, row: int, column: int) -> Name:
    """The entry's symbol without its mark, for a let-bound value that no other quantity shares a letter with."""
    return replace(entry_name(step, row, column), superscript=())
