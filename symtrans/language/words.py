"""The words of one language: names of concepts and the phrases that a page is told in."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from symtrans.errors import UsageError
from symtrans.registry import file_names, files


@dataclass(frozen=True, slots=True)
class Words:
    """A language's tables: parts, layers and items of a solution, roles of quantities, phrases, cues that are read,
    what the verifier reports, what a formula's sheet says, what a specification to begin with says, what is said of
    a proof, and what stands on a web page beside the solution."""

    code: str
    name: str
    parts: Mapping[str, str]
    items: Mapping[str, str]
    scopes: Mapping[str, str]
    losses: Mapping[str, str]
    roles: Mapping[str, str]
    phrases: Mapping[str, str]
    cues: Mapping[str, list[str]]
    report: Mapping[str, str]
    formulas: Mapping[str, str]
    start: Mapping[str, str]
    proof: Mapping[str, str]
    web: Mapping[str, str]


def languages() -> list[str]:
    """The codes of all languages, sorted."""
    return file_names("symtrans.language", ".toml")


@cache
def words(code: str) -> Words:
    """The words of a language; UsageError, which names the languages there are, for an unknown code."""
    texts = files("symtrans.language", ".toml")
    if code not in texts:
        raise UsageError(f"no language {code}: there are {', '.join(sorted(texts))}")
    table = tomllib.loads(texts[code])
    return Words(
        code,
        table["name"],
        table["parts"],
        table["items"],
        table["scopes"],
        table["losses"],
        table["roles"],
        table["phrases"],
        table["cues"],
        table["report"],
        table["formulas"],
        table["start"],
        table["proof"],
        table["web"],
    )
