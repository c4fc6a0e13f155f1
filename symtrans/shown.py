"""What a notebook shows of an object: its face, which the page draws and whose file bears the name of its class."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from symtrans.registry import members


@dataclass(frozen=True, slots=True)
class Face:
    """How the objects of the class `name` are shown: for each MIME type a function from the object to its text."""

    name: str
    formats: Mapping[str, Callable[[Any], str]]


class Shown:
    """An object with a face. How something looks is the page's to say, so the face is found in its folder there."""

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        """Every format of the face, by MIME type, or those wanted."""
        wanted = [kind for kind in _formats(self) if (not include or kind in include) and kind not in (exclude or ())]
        return {kind: _formats(self)[kind](self) for kind in wanted}

    def _repr_html_(self) -> str | None:
        return _told(self, "text/html")

    def _repr_markdown_(self) -> str | None:
        return _told(self, "text/markdown")

    def _repr_latex_(self) -> str | None:
        return _told(self, "text/latex")


def _formats(shown: Shown) -> Mapping[str, Callable[[Any], str]]:
    faces = members("symtrans.page.faces", "FACE")
    face = faces[type(shown).__name__]
    assert isinstance(face, Face)
    return face.formats


def _told(shown: Shown, kind: str) -> str | None:
    tell = _formats(shown).get(kind)
    return None if tell is None else tell(shown)
