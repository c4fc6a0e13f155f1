"""What a picture is: a name, what it is drawn of, and a function that draws it on a figure or as the text of an SVG."""

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
    """A picture: `draw` gets an object of the class `subject` and the words, and gives a figure of matplotlib.

    Where `is_text`, it gives the text of an SVG instead, and nothing has to be installed.
    """

    name: str
    subject: type
    draw: Callable[[Any, Words], Any]
    is_text: bool = False


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
    if found[name].is_text:
        if kind != "svg":
            raise UsageError(f"--plot {name}: is drawn as svg, not {kind or 'as a file without an ending'}")
        return str(found[name].draw(subject, told)).encode("utf-8")
    return image(lambda: found[name].draw(subject, told), kind, told.code)
