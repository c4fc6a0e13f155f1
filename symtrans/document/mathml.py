"""Presentation MathML as LaTeX, with the way back to every digit kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from symtrans.document.entities import resolved
from symtrans.document.mapped import Mapped, Weaver
from symtrans.document.markup import Tag, Text, scan

MAX_DEPTH = 80
_SILENT = {"\u2061", "\u2062", "\u2063", "\u2064", "\u200b", "\u00a0"}
_OPERATORS = {
    "{": r"\{", "}": r"\}", "%": r"\%", "∑": r"\sum ", "Σ": r"\sum ", "∏": r"\prod ", "‖": r"\|", "∥": r"\|", "∣": "|",
    "∈": r"\in ", "≅": r"\cong ", "ᵀ": "^{T}", "&": r"\&", "#": r"\#", "_": r"\_",
}  # fmt: skip
_ACCENTS = {"^": "hat", "ˆ": "hat", "\u0302": "hat", "¯": "bar", "‾": "bar", "−": "bar", "~": "tilde", "˜": "tilde",
            "→": "vec", "˙": "dot", "_": "bar", "ˉ": "bar"}  # fmt: skip
_INVISIBLE = {"annotation", "annotation-xml", "mphantom", "none", "mprescripts"}


@dataclass(slots=True)
class _Element:
    name: str
    tag: Tag | None
    children: list[_Element] = field(default_factory=list)
    texts: list[Mapped] = field(default_factory=list)

    @property
    def text(self) -> Mapped:
        return Mapped.join(self.texts).strip()


def to_latex(mapped: Mapped) -> Mapped:
    """The LaTeX of `<math>…</math>`; of an annotation that holds the author's own TeX, if there is one."""
    root = _tree(mapped)
    annotation = _find(root, "annotation")
    if annotation is not None and annotation.tag is not None and "tex" in annotation.tag.attribute("encoding").lower():
        return annotation.text
    weaver = Weaver()
    _write(root, weaver, mapped)
    return weaver.done()


def _tree(mapped: Mapped) -> _Element:
    root = _Element("mrow", None)
    stack = [root]
    for token in scan(mapped):
        if isinstance(token, Text):
            part = mapped.slice(token.start, token.end)
            stack[-1].texts.append(part if token.literal else resolved(part))
        elif token.closing:
            if any(each.name == token.name for each in stack[1:]):
                while stack.pop().name != token.name:
                    pass
        else:
            element = _Element(token.name, token)
            stack[-1].children.append(element)
            if not token.empty and len(stack) < MAX_DEPTH:
                stack.append(element)
    return root


def _find(element: _Element, name: str) -> _Element | None:
    for child in element.children:
        found = child if child.name == name else _find(child, name)
        if found is not None:
            return found
    return None


def _all(elements: Iterable[_Element], weaver: Weaver, mapped: Mapped) -> None:
    for element in elements:
        _write(element, weaver, mapped)


def _write(element: _Element, weaver: Weaver, mapped: Mapped) -> None:
    place = element.tag.start if element.tag is not None else 0
    children = [child for child in element.children if child.name not in _INVISIBLE]

    def make(text: str) -> None:
        weaver.make(text, mapped, place, place)

    def argument(number: int) -> None:
        make("{")
        if number < len(children):
            _write(children[number], weaver, mapped)
        make("}")

    match element.name:
        case "mn":
            weaver.copy(element.text)
        case "mi" | "mtext" | "ms":
            _name(element, weaver, mapped)
        case "mo":
            _operator(element, weaver, mapped)
        case "mspace":
            make(" ")
        case "mfrac":
            make(r"\frac")
            argument(0)
            argument(1)
        case "msqrt":
            make(r"\sqrt{")
            _all(children, weaver, mapped)
            make("}")
        case "mroot":
            make(r"\sqrt[")
            if len(children) > 1:
                _write(children[1], weaver, mapped)
            make("]")
            argument(0)
        case "msup" | "msub" | "msubsup" | "munder" | "mover" | "munderover" if children:
            _scripted(element.name, children, weaver, mapped, place)
        case "mfenced":
            _fenced(element, children, weaver, mapped)
        case "mtable":
            _table(children, weaver, mapped, place)
        case _ if children:
            _all(children, weaver, mapped)
        case _:
            if element.text.text:
                weaver.copy(element.text)


def _scripted(name: str, children: list[_Element], weaver: Weaver, mapped: Mapped, place: int) -> None:
    accent = _ACCENTS.get(children[1].text.text) if name == "mover" and len(children) > 1 else None
    if accent is not None:
        weaver.make(rf"\{accent}{{", mapped, place, place)
        _write(children[0], weaver, mapped)
        weaver.make("}", mapped, place, place)
        return
    wrap = children[0].name in ("mrow", "mfrac", "mtext", "msub", "msup", "mstyle")
    if wrap:
        weaver.make("{", mapped, place, place)
    _write(children[0], weaver, mapped)
    if wrap:
        weaver.make("}", mapped, place, place)
    marks = {"msup": "^", "msub": "_", "mover": "^", "munder": "_"}.get(name, "_^")
    for mark, child in zip(marks, children[1:], strict=False):
        weaver.make(mark + "{", mapped, place, place)
        _write(child, weaver, mapped)
        weaver.make("}", mapped, place, place)


def _name(element: _Element, weaver: Weaver, mapped: Mapped) -> None:
    text = element.text
    if not text.text or text.text in _SILENT or element.tag is None:
        return
    variant = element.tag.attribute("mathvariant")
    if element.name != "mi" and re.fullmatch(r"\s*[-+=×·.,;:()\[\]\d\s]*", text.text):
        weaver.copy(text)
        return
    single = element.name == "mi" and len(text.text) == 1
    command = r"\mathbf{" if "bold" in variant else "" if single else r"\text{"
    place = element.tag.start
    weaver.make(command or (" " if single else ""), mapped, place, place)
    weaver.copy(text.replace(re.compile(r"[_%#&]"), lambda match: "\\" + match.group()))
    weaver.make("}" if command else "", mapped, place, place)


def _operator(element: _Element, weaver: Weaver, mapped: Mapped) -> None:
    text = element.text
    if text.text in _SILENT:
        return
    if text.text in _OPERATORS:
        weaver.copy(text.replace(re.compile(re.escape(text.text)), lambda _: _OPERATORS[text.text]))
    elif len(text.text) > 1 and text.text.isalpha() and element.tag is not None:
        weaver.make(r"\text{", mapped, element.tag.start, element.tag.start)
        weaver.copy(text)
        weaver.make("}", mapped, element.tag.start, element.tag.start)
    else:
        weaver.copy(text)


def _fenced(element: _Element, children: list[_Element], weaver: Weaver, mapped: Mapped) -> None:
    if element.tag is None:
        return
    place = element.tag.start
    given = element.tag.attributes
    opening = element.tag.attribute("open") if "open" in given else "("
    closing = element.tag.attribute("close") if "close" in given else ")"
    separators = element.tag.attribute("separators") if "separators" in given else ","
    weaver.make(r"\left" + (_OPERATORS.get(opening, opening) or "."), mapped, place, place)
    for number, child in enumerate(children):
        if number and separators:
            weaver.make(separators[min(number, len(separators)) - 1], mapped, place, place)
        _write(child, weaver, mapped)
    weaver.make(r"\right" + (_OPERATORS.get(closing, closing) or "."), mapped, place, place)


def _table(rows: list[_Element], weaver: Weaver, mapped: Mapped, place: int) -> None:
    """A matrix; equations one below the other where a cell holds a relation."""
    cells = [[cell for cell in row.children if cell.name == "mtd"] for row in rows if row.name in ("mtr", "mlabeledtr")]
    chained = any(_relates(cell) for row in cells for cell in row)
    name = "aligned" if chained else "matrix"
    weaver.make(rf"\begin{{{name}}}", mapped, place, place)
    for number, row in enumerate(cells):
        if number:
            weaver.make(r" \\ ", mapped, place, place)
        for column, cell in enumerate(row):
            if column:
                weaver.make(" & ", mapped, place, place)
            _all(cell.children, weaver, mapped)
    weaver.make(rf"\end{{{name}}}", mapped, place, place)


def _relates(cell: _Element) -> bool:
    """Whether a relation stands in a cell itself, not in a matrix inside."""
    return any(
        (child.name == "mo" and child.text.text in ("=", "≈", "→"))
        or (child.name in ("mrow", "mstyle", "mpadded") and _relates(child))
        for child in cell.children
    )
