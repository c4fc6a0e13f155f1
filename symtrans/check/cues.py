"""Words that tell how a statement is meant: an assumption, a new value of an old name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from symtrans.language.words import languages, words

_STOPS = " \n\t,;:.，；：。、"
Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of all languages, each kind as patterns; `statistics` gives the function that a name stands for."""

    assumption: Patterns
    renewal: Patterns
    softmax: Patterns
    announcement: Patterns
    consequence: frozenset[str]
    statistics: dict[str, str]

    @staticmethod
    @cache
    def load() -> Cues:
        """The cues of every language file."""
        kinds: dict[str, list[str]] = {}
        for code in languages():
            for kind, found in words(code).cues.items():
                kinds.setdefault(kind, []).extend(found)
        meant = ("assumption", "renewal", "softmax", "announcement")
        patterns = {kind: tuple(_pattern(word) for word in sorted(set(kinds[kind]))) for kind in meant}
        functions = {"mean": "mean", "deviation": "std", "variance": "var"}
        statistics = {word: function for kind, function in functions.items() for word in kinds[kind]}
        consequence = frozenset(word.strip(_STOPS).lower() for word in kinds["consequence"])
        return Cues(**patterns, consequence=consequence, statistics=statistics)

    def assumes(self, text: str) -> bool:
        """Whether a text introduces an assumption or a simplification."""
        return any(p.search(text) for p in self.assumption)

    def renews(self, text: str) -> bool:
        """Whether a text announces a new value of an old name."""
        return any(p.search(text) for p in self.renewal)

    def concludes(self, text: str) -> bool:
        """Whether a text says no more than that what stands behind it follows from what stands before."""
        return text.strip(_STOPS).lower() in self.consequence

    def announces(self, text: str) -> bool:
        """Whether a line that ends in a colon announces a formula, not a list or an explanation."""
        return any(p.search(text) for p in self.announcement)

    def names_softmax(self, text: str) -> bool:
        """Whether a text speaks of the softmax."""
        return any(p.search(text) for p in self.softmax)


def _pattern(word: str) -> re.Pattern[str]:
    border = "(?<![A-Za-z])" if word.isascii() else ""  # ideographs stand close to Latin words
    return re.compile(rf"{border}{re.escape(word)}", re.IGNORECASE)
