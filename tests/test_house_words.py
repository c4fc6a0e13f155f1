"""Words: every language can say whatever another can, and whatever the code asks for."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from symtrans import registry
from symtrans.language.words import words as words_of

LANGUAGES = sorted((Path(registry.__file__).parent / "language").glob("*.toml"))


def entries(table: dict[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every entry of a nested table, by its dotted key."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from entries(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def words(path: Path) -> dict[str, object]:
    return dict(entries(tomllib.loads(path.read_text(encoding="utf-8"))))


def blanks(phrase: object) -> set[str | None]:
    """The names of the blanks that a phrase leaves: `{step}`."""
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name} if isinstance(phrase, str) else set()


def concepts_used() -> set[str]:
    """The keys of the language files that the registries' members name."""
    return {op.stops for op in registry.members("symtrans.ops", "OP").values() if op.stops}


def test_there_are_the_two_languages() -> None:
    assert {"en", "zh"} <= {path.stem for path in LANGUAGES}


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_language_has_the_keys_and_blanks_of_english(path: Path) -> None:
    english, other = words(path.with_name("en.toml")), words(path)
    assert sorted(other) == sorted(english)
    assert {key: blanks(phrase) for key, phrase in other.items()} == {k: blanks(v) for k, v in english.items()}
    assert {key: type(phrase) for key, phrase in other.items()} == {k: type(v) for k, v in english.items()}
    assert [key for key, phrase in other.items() if phrase in ("", [])] == []


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_language_can_say_what_the_code_asks_for(path: Path) -> None:
    known = words(path)
    last = {key.rpartition(".")[2] for key in known}
    assert concepts_used() <= known.keys() | last


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_slip_has_words(language: str) -> None:
    report = words_of(language).report
    told = {key.removeprefix("slip.") for key in report if key.startswith("slip.")}
    assert told == set(registry.members("symtrans.check.slips", "SLIP"))
