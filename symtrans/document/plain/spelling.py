"""How plain text spells mathematics: relation signs, mangled characters, names, and what prefixes mean nothing."""

from __future__ import annotations

import re

from symtrans.document.mapped import Mapped

RELATIONS = {
    "=": "=", "==": "=", "＝": "=", "≈": "≈", "~=": r"\approx", "=~": r"\approx", "≃": "≃", "≅": r"\approx",
    "≒": r"\approx", "≐": r"\approx", ":=": ":=", "->": r"\to", "-->": r"\to", "→": "→", "⟶": "⟶", "←": r"\leftarrow",
    "<-": r"\leftarrow",
}  # fmt: skip
ARROWS = {"->", "-->", "→", "⟶"}

MODULES = {"np", "numpy", "jnp", "torch", "tf", "math", "F", "nn", "scipy", "special", "linalg", "onp", "mx", "cp"}
"""What stands before a function's name and a dot in programs."""
LITERALS = {"array", "asarray", "tensor", "matrix", "Matrix", "Tensor", "constant", "FloatTensor", "list", "tuple"}
"""Functions of programs that give back the matrix that they are given."""
PRODUCTS = {"dot", "matmul", "mm", "bmm", "mv"}
SAME_BY_ROWS = {("dim", "-1"), ("dim", "1"), ("axis", "-1"), ("axis", "1"), ("keepdims", "True"), ("keepdim", "True")}
"""Keyword arguments that say what is meant without them."""
PREFIX_FUNCTIONS = {"sqrt", "sin", "cos", "tan", "tanh", "exp", "log", "ln", "softmax", "sigmoid", "relu", "ReLU"}
"""Functions whose argument may follow without brackets."""
ACCENTS = {"hat", "bar", "tilde"}
GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "eta", "theta", "lambda", "mu", "rho", "sigma", "tau", "phi", "psi",
    "omega", "Delta", "Sigma", "Gamma", "Omega", "pi",
}  # fmt: skip

# UTF-8 that somebody read as another encoding and stored so: Windows-1252, and Windows-1253 for the Greek one.
_MANGLED = {
    "Β·": "·", "Γ—": "×", "Ã—": "×", "Â·": "·", "âˆ’": "−", "â‰ˆ": "≈", "âˆš": "√", "Â²": "²", "Â½": "½", "â†’": "→",
    "Î£": "Σ", "Ïƒ": "σ", "Β½": "½", "Β²": "²", "âˆ—": "*", "â€“": "−",
}  # fmt: skip
_MANGLED_AT = re.compile("|".join(map(re.escape, _MANGLED)))

Spelled = list[tuple[str | None, int, int]]
"""Pieces of a spelling: None copies `text[start:end]`, a string is made in its place."""


def unmangled(mapped: Mapped) -> Mapped:
    """Operators that a wrong encoding broke in two, whole again."""
    return mapped.replace(_MANGLED_AT, lambda match: _MANGLED[match.group()])


def name(text: str, start: int) -> Spelled:
    r"""A name as LaTeX: `W_q` is `W_{q}`, `q1` is `q_{1}`, `std_dev` is `\text{std\_dev}`."""
    base = re.match(r"(?:[^\W\d_][\u0300-\u036f]*)+", text)
    letters = base.group() if base else text[:1]
    plain = re.sub(r"[\u0300-\u036f]", "", letters)
    parts = text[len(letters) :].split("_") if text[len(letters) :] else []
    subscripts_only = len(plain) == 1 or letters in GREEK or (len(plain) == 2 and plain.isupper())
    if not subscripts_only and parts and not all(part.isdigit() for part in parts if part):
        return _worded(text, start)
    spelled: Spelled = []
    end = start + len(letters)
    if subscripts_only and len(parts) == 2 and not parts[0] and parts[1] in ACCENTS:
        inner = name(letters, start)
        return [(rf"\{parts[1]}{{", start, start), *inner, ("}", end, start + len(text))]
    if letters in GREEK:
        spelled.append(("\\" + letters + (" " if not parts else ""), start, end))
    elif subscripts_only:
        spelled.append((None, start, end))
    else:
        spelled += [(r"\text{", start, start), (None, start, end), ("}", end, end)]
    at, first = end, True
    for number, part in enumerate(parts):
        at += 1 if number else 0  # the underscore
        if part:
            spelled += [("_{" if first else ",", at, at), (None, at, at + len(part))]
            first = False
        at += len(part)
    if not first:
        spelled.append(("}", at, at))
    return spelled


def _worded(text: str, start: int) -> Spelled:
    r"""A name of several words: `attn_out_1` is `\text{attn\_out}_{1}`."""
    match = re.match(r"(?P<word>.*?)_?(?P<digits>\d*)\Z", text)
    assert match is not None
    word, digits = match["word"], match["digits"]
    spelled: Spelled = [(r"\text{", start, start)]
    spelled += literal(word, start)
    end = start + len(word)
    spelled.append(("}", end, end))
    if digits:
        first = start + match.start("digits")
        spelled += [("_{", first, first), (None, first, first + len(digits)), ("}", first, first)]
    return spelled


def literal(text: str, start: int) -> Spelled:
    """Words for the inside of `\\text{…}`: underscores and other signs of LaTeX's own escaped or left out."""
    spelled: Spelled = []
    done = 0
    for match in re.finditer(r"[_%#&]|[\\{}$^~]", text):
        spelled.append((None, start + done, start + match.start()))
        sign = "\\" + match.group() if match.group() in "_%#&" else ""
        spelled.append((sign, start + match.start(), start + match.end()))
        done = match.end()
    spelled.append((None, start + done, start + len(text)))
    return [piece for piece in spelled if piece[0] != ""]
