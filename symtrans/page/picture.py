"""What a picture is: a name, what it is drawn of, and a function that draws it on a figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from symtrans.errors import UsageError
from symtrans.language.words import Words, words
from symtrans.page.plotting import image
from symtrans.registry import members


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: `draw` gets an object of the class `subject` and the words, and gives a figure of matplotlib."""

    name: str
    subject: type
    draw: Callable[[Any, Words], Any]


def pictures(subject: type | None = None) -> dict[str, Picture]:
    """All pictures by name, or those of a class."""
    found: dict[str, Picture] = members("symtrans.page.pictures", "PICTURE")
    return {name: one for name, one in found.items() if subject in (None, one.subject)}


def drawn(name: str, subject: Any, kind: str, language: str) -> bytes:
    """The picture called `name` of a derivation or a training, as a file of a kind: png, svg or pdf.

    Raises UsageError for a picture or a kind that is not there, where nothing can be drawn, and where
    matplotlib is not installed.
    """
    found = pictures(type(subject))
    if name not in found:
        raise UsageError(f"--plot {name}: there is no such picture here; there are {', '.join(found)}")
    told = words(language)
    return image(lambda: found[name].draw(subject, told), kind, told.code)
