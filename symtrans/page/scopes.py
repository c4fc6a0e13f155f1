"""A layer as words: `Decoder layer 2, attention to the encoder's output`."""

from __future__ import annotations

from symtrans.language.words import Words


def scope_heading(scope: str, words: Words) -> str:
    """The heading of a layer's scope (`dec2.cross`); what stands in no layer is around them."""
    if not scope:
        return words.phrases["around"]
    told = []
    for piece in scope.split("."):
        number = piece.lstrip("abcdefghijklmnopqrstuvwxyz")
        name = words.scopes[piece.removesuffix(number)]
        told.append(name.format(number=number).strip() if number else name.replace(" {number}", "").strip())
    return (", " if words.code == "en" else "、").join(told)
