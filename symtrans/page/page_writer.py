"""What a format's writer is: a name, file endings, and a function from a derivation's page to text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from symtrans.derive.derivation import Derivation
from symtrans.errors import UsageError
from symtrans.language.words import languages
from symtrans.page.story import Story
from symtrans.registry import members


@dataclass(frozen=True, slots=True)
class PageWriter:
    """A format: `write` gets the page and the derivation it tells, and gives the file's text.

    `is_paper` where it heeds the page's layout: a part or a whole document, numbered equations.
    `in_every_language`: the format holds the page in all languages at once.
    """

    name: str
    endings: tuple[str, ...]
    write: Callable[[Story, Derivation], str]
    is_paper: bool = False
    in_every_language: bool = False

    def page(self, story: Story, tell: Callable[[str], Story], derivation: Derivation) -> str:
        """The file's text, of a page that `tell` gives in another language too."""
        if self.in_every_language:
            story = replace(story, others=tuple(tell(code) for code in languages() if code != story.language))
        return self.write(story, derivation)


def page_writers() -> dict[str, PageWriter]:
    """All formats by name."""
    return members("symtrans.page.writers", "WRITER")


def page_writer(name: str) -> PageWriter:
    """The format called `name`; UsageError, which names the formats there are, for another."""
    found = page_writers()
    if name not in found:
        raise UsageError(f"no format {name}: there are {', '.join(found)}")
    return found[name]
