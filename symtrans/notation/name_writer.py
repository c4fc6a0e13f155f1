r"""The writer of names: nucleus, font, accent and scripts, in a dialect's spelling."""

from __future__ import annotations

import re

from symtrans.notation.dialect import Dialect
from symtrans.notation.name import AnyName, DerivativeName, Font, Name, Script

_ENDS_IN_COMMAND = re.compile(r"\\[A-Za-z]+$")
_SPECIAL_IN_TEXT = re.compile(r"([_%&#$])")


def join(left: str, right: str) -> str:
    """The two side by side, with a space where a control word would swallow a letter."""
    if right[:1].isalpha() and _ENDS_IN_COMMAND.search(left):
        return f"{left} {right}"
    return left + right


def script(mark: str, text: str) -> str:
    """`text` set as a script: one character as it is, anything longer in braces."""
    return f"{mark}{text}" if len(text) == 1 and text not in " \\'" else f"{mark}{{{text}}}"


def braced(dialect: Dialect, text: str, has_scripts: bool) -> str:
    """`text` as the nucleus of a script, in braces where the dialect or TeX wants them."""
    return f"{{{text}}}" if dialect.brace_nucleus or has_scripts else text


def spell_name(dialect: Dialect, name: AnyName) -> str:
    r"""The name as LaTeX: `{\mathbf{W}}_{Q1}`, `\hat{y}`, `\frac{\partial L}{\partial X}`."""
    if isinstance(name, DerivativeName):
        of, by = (dialect.partial + spell_name(dialect, part) for part in (name.of, name.by))
        text = dialect.fraction.replace("<numerator>", of).replace("<denominator>", by)
        if name.superscript:
            text = braced(dialect, text, has_scripts=False) + script("^", _spell_scripts(dialect, name.superscript))
        return text
    text = _spell_nucleus(dialect, name)
    if name.subscript or name.superscript:
        text = braced(dialect, text, has_scripts=False)
        if name.subscript:
            text += script("_", _spell_scripts(dialect, name.subscript))
        if name.superscript:
            text += script("^", _spell_scripts(dialect, name.superscript))
    return text


def _spell_nucleus(dialect: Dialect, name: Name) -> str:
    if name.is_command:
        text = "\\" + name.nucleus
        if name.font == "bold":
            text = f"{dialect.fonts['bold_symbol']}{{{text}}}"
    else:
        text = _in_font(dialect, name.nucleus, name.font, bare=len(name.nucleus) == 1)
    if name.accent:
        text = f"{dialect.accents[name.accent]}{{{text}}}"
    return text + dialect.prime * name.primes


def _spell_scripts(dialect: Dialect, pieces: tuple[Script, ...]) -> str:
    text = ""
    for piece in pieces:
        text = join(text, _in_font(dialect, piece.text, piece.font, bare=True))
    return text


def _in_font(dialect: Dialect, text: str, font: Font, bare: bool) -> str:
    """`text` in its font; italic is what math gives anyway and is left `bare` where that is safe."""
    if font == "italic" and bare:
        return text
    if font == "text":
        text = _SPECIAL_IN_TEXT.sub(r"\\\1", text)
    return f"{dialect.fonts[font]}{{{text}}}"
