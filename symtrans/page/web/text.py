"""Text in every language that a page tells: all of them stand in the page, and the style sheet shows one."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from symtrans.language.words import words

Told = Mapping[str, str]
"""What is said, by language."""


def text(told: Told) -> str:
    """What is said, escaped for HTML."""
    return marked({code: escape(said) for code, said in told.items()})


def marked(told: Told) -> str:
    """The same for what is HTML already; one text that serves every language stands alone."""
    if len(set(told.values())) == 1 and len(told) > 1:
        return next(iter(told.values()))
    return "".join(f'<span class="l" lang="{code}">{said}</span>' for code, said in told.items())


def word(key: str, codes: tuple[str, ...], **values: object) -> Told:
    """One of the page's own phrases in the languages that it tells."""
    return {code: words(code).web[key].format(**values) for code in codes}
