"""LaTeX as MathML: latex2mathml converts, and what browsers would draw wrong is mended on its tree.

Mended: a matrix and its brackets, which become one box, so that the brackets are as tall as the matrix;
scripts that the converter hangs on too many parts; `mathvariant`, which MathML Core leaves out, as the letters
of that font; the backslash of `\\_` in words. What browsers know by themselves is left out, to keep pages small.
"""

from __future__ import annotations

import re
import unicodedata
import xml.etree.ElementTree as ET
from functools import lru_cache

LONGEST = 100_000  # characters of one side, beyond which it is shown as it is written
DEEPEST = 200  # elements inside each other, beyond which the same holds
PARTS = {"msub": 2, "msup": 2, "mover": 2, "munder": 2, "mfrac": 2, "mroot": 2, "msubsup": 3, "munderover": 3}
PAIRS = {"[": "]", "(": ")", "{": "}", "|": "|", "‖": "‖"}
VARIANTS = {"bold": "BOLD", "bold-italic": "BOLD ITALIC", "italic": "ITALIC", "bold-sans-serif": "SANS-SERIF BOLD"}
BARE = "([{)]}"
ACCENTS = "¯^~˙¨→"
FOREIGN = ("href", "style", "class")  # what a document may ask for, and is not given: links, looks, our own marks
# What a document may write and the converter does not know.
SPELLINGS = ((r"\lVert", r"\Vert "), (r"\rVert", r"\Vert "), (r"\lvert", r"\vert "), (r"\rvert", r"\vert "))


def mathml(latex: str) -> ET.Element | None:
    """The formula as a `math` element of its own, or None where the converter cannot read it."""
    text = _converted(latex)
    return None if text is None else ET.fromstring(text)


def markup(element: ET.Element) -> str:
    """An element as it stands in a web page."""
    return ET.tostring(element, encoding="unicode")


@lru_cache(maxsize=4096)
def _converted(latex: str) -> str | None:
    if len(latex) > LONGEST or not latex.strip():
        return None
    from latex2mathml.converter import convert

    for written, known in SPELLINGS:
        latex = latex.replace(written, known)
    try:
        root = ET.fromstring(re.sub(r' xmlns="[^"]*"', "", convert(latex), count=1))
        root.attrib.clear()
        _mend(root)
        return markup(root)
    except Exception:  # the converter has faults of many kinds, and a stranger's formula may raise any of them
        return None


def _mend(element: ET.Element, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise RecursionError
    for child in element:
        _mend(child, depth + 1)
    _group_matrices(element)
    _group_scripts(element)
    _mend_attributes(element)
    _mend_text(element)
    for place, child in enumerate(element):
        if child.tag == "mrow" and len(child) == 1 and not child.attrib:
            element[place] = child[0]
    if element.tag in ("mtd", "math", "msqrt") and len(element) == 1 and element[0].tag == "mrow":
        row = element[0]
        if not row.attrib and len(row) and element.tag != "math":
            element[:] = list(row)


def _group_matrices(element: ET.Element) -> None:
    """A table between two brackets becomes one row with them."""
    place = 1
    while place < len(element) - 1:
        before, table, after = element[place - 1 : place + 2]
        closing = PAIRS.get(before.text or "") if before.tag == "mo" else None
        is_one = element.tag == "mrow" and len(element) == 3
        if table.tag == "mtable" and closing and after.tag == "mo" and after.text == closing and not is_one:
            row = ET.Element("mrow")
            row.extend([before, table, after])
            element[place - 1 : place + 2] = [row]
        else:
            place += 1


def _group_scripts(element: ET.Element) -> None:
    """Of too many parts of a script, the first ones are its base."""
    most = PARTS.get(element.tag)
    if most is not None and len(element) > most:
        base = ET.Element("mrow")
        base.extend(list(element)[: len(element) - most + 1])
        element[:] = [base, *list(element)[len(element) - most + 1 :]]


def _mend_attributes(element: ET.Element) -> None:
    for name in FOREIGN:
        element.attrib.pop(name, None)
    if element.tag == "mo":
        if (element.text or "") in BARE and element.get("stretchy") == "true":
            element.attrib.clear()  # brackets stretch by themselves
        element.attrib.pop("fence", None)
    if element.tag == "mtd" and element.get("columnalign") == "center":
        del element.attrib["columnalign"]
    if element.tag == "mover" and len(element) == 2 and (element[1].text or "?") in ACCENTS:
        element.set("accent", "true")
    variant = element.attrib.pop("mathvariant", None)
    if variant in VARIANTS and element.text:
        element.text = "".join(_in_font(character, VARIANTS[variant]) for character in element.text)
    elif variant == "normal" and element.tag == "mi":
        element.set("mathvariant", "normal")


def _mend_text(element: ET.Element) -> None:
    if element.tag == "mtext" and element.text:
        element.text = re.sub(r"\\([_&%$#{}])", r"\1", element.text).replace("\u00a0", " ")
    if element.tag == "mi" and element.text == "…":
        element.tag = "mo"


def _in_font(character: str, font: str) -> str:
    """A letter or digit in one of the fonts of mathematics, or itself where that font does not have it."""
    name = unicodedata.name(character, "").removeprefix("LATIN ").removeprefix("GREEK ").replace("LETTER ", "")
    try:
        return unicodedata.lookup(f"MATHEMATICAL {font} {name}")
    except KeyError:
        return character
