"""Python that derives an example again: the lines that a notebook begins with."""

from __future__ import annotations

from collections.abc import Iterator

from symtrans.derive.derivation import Derivation
from symtrans.derive.numerals import Style
from symtrans.errors import SpecError, UsageError
from symtrans.model.load import bundled_name
from symtrans.model.spec import Spec
from symtrans.model.spec_reader import read_spec


def code(derivation: Derivation) -> str:
    """The lines: they name a bundled example, hold another one's TOML, or its file's name if that refers to others.

    Raises UsageError for an example that was made in Python and has no text.
    """
    style = derivation.style
    imports = ["import symtrans"]
    if style != Style():
        imports.append("from symtrans.derive.numerals import Style")
    options = ", ".join(_options(derivation))
    return "\n".join([*imports, "", *_example(derivation.spec), f"derivation = example.derive({options})"])


def _example(spec: Spec) -> Iterator[str]:
    name = bundled_name(spec)
    if name is not None:
        yield f'example = symtrans.load("{name}")'
    elif not spec.text:
        raise UsageError(f"{spec.name} was made in Python, and a notebook derives from a TOML text; write one for it")
    elif _is_whole(spec):
        yield f"example = symtrans.loads({_quoted(spec.text)})"
    else:  # its arrays stand in files beside it
        yield f"example = symtrans.load({spec.source!r})"


def _is_whole(spec: Spec) -> bool:
    """Whether a specification's text says everything, without files of weights."""
    try:
        read_spec(spec.text, spec.source)
    except SpecError:
        return False
    return True


def _quoted(text: str) -> str:
    """A text as Python writes it, its lines as they are where that can be."""
    text = text.replace("\r\n", "\n")
    plain = "'''" not in text and not text.endswith(("'", "\\")) and "\r" not in text
    return f"r'''\n{text}'''" if plain else repr(text)


def _options(derivation: Derivation) -> Iterator[str]:
    """What `derive` was asked for, as far as it is not what it does by itself."""
    spec, style = derivation.spec, derivation.style
    settings = {key: value for key, value in spec.settings.items() if spec.is_changed(key)}
    if settings:
        yield f"settings={settings!r}"
    if derivation.head is not None:
        yield f"head={derivation.head}"
    if derivation.parts:
        yield f"parts={list(derivation.parts)!r}"
    if derivation.wrt != spec.gradients:
        yield f"wrt={list(derivation.wrt)!r}"
    if style != Style():
        yield f"style={style!r}"
    for flag in ("symbolic", "expand"):
        if getattr(derivation, flag):
            yield f"{flag}=True"
