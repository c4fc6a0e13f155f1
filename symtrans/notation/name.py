"""The name of a quantity, apart from how a dialect spells it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Font = Literal["italic", "bold", "text", "roman", "calligraphic", "blackboard", "fraktur", "sans", "typewriter"]


@dataclass(frozen=True, slots=True)
class Script:
    """One piece of a subscript or superscript: its characters and their font."""

    text: str
    font: Font = "italic"


@dataclass(frozen=True, slots=True)
class Name:
    r"""A nucleus with font, accent and scripts: `{\mathbf{W}}_{Q1}` is ("W", bold, sub "Q1").

    `nucleus` holds the characters themselves (`Attention Scores`), or for a Greek letter or other
    symbol command its word without the backslash (`mu`), which `is_command` marks. `accent` is
    `hat`, `bar`, `tilde`, `dot`, `vec`, `nabla` (the gradient of), `Delta` (the change of) or empty.
    `primes` counts `'`.
    """

    nucleus: str
    font: Font = "italic"
    accent: str = ""
    subscript: tuple[Script, ...] = ()
    superscript: tuple[Script, ...] = ()
    primes: int = 0
    is_command: bool = False

    def indexed(self, index: int | str) -> Name:
        """This name with `index` added at the end of its subscript, in the subscript's own run if italic."""
        text = str(index)
        if self.subscript and self.subscript[-1].font == "italic":
            last = self.subscript[-1]
            return replace(self, subscript=(*self.subscript[:-1], Script(last.text + text)))
        return replace(self, subscript=(*self.subscript, Script(text)))

    @property
    def key(self) -> str:
        """The name as plain text, fonts left out: `W_Q1`, `hat y`, `Attention Scores_1`, `mu`."""
        text = f"{self.accent} {self.nucleus}" if self.accent else self.nucleus
        text += "'" * self.primes
        if self.subscript:
            text += "_" + "".join(piece.text for piece in self.subscript)
        if self.superscript:
            text += "^" + "".join(piece.text for piece in self.superscript)
        return text


@dataclass(frozen=True, slots=True)
class DerivativeName:
    r"""The name of a derivative as a quantity of its own: `\frac{\partial L}{\partial X}`.

    `superscript` marks one summand of a total derivative by the use it comes through:
    `{\frac{\partial L}{\partial X}}^{\text{Q1}}` is the part that arrives through Q_1.
    """

    of: Name
    by: Name
    superscript: tuple[Script, ...] = ()

    @property
    def key(self) -> str:
        """`dL/dX`, fonts left out; `dL/dX^Q1` for the part through Q_1."""
        mark = "^" + "".join(piece.text for piece in self.superscript) if self.superscript else ""
        return f"d{self.of.key}/d{self.by.key}{mark}"


AnyName = Name | DerivativeName
