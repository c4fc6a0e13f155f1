"""The graph of the steps as a picture: each step below what it needs, with its operation and its shape.

A colour is a layer of the model, or a head where there are no layers. The file is plain SVG: no script, no link,
letters of whatever serif font there is.
"""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from html import escape

from symtrans.derive.derivation import Derivation
from symtrans.errors import UsageError
from symtrans.language.words import Words
from symtrans.model.tape import Step
from symtrans.page.layered import Layered, Node, Sizes, is_a_use, layered, scope_of
from symtrans.page.picture import Picture
from symtrans.page.scopes import scope_heading

MOST_NODES = 200  # beyond which a layer of the model is one node
DRAWN = ("inputs", "forward", "loss")
HIGH, PAD, LEAST = 48, 28, 64  # of a node, in pixels
LETTER, LOW, SMALL = 11, 7, 6  # how wide a letter of a name, of what hangs below, and of the second line is, at most
HEAD, LEGEND, EDGE = 68, 30, 24  # how high the title and the row of colours are, and the margin
ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303"}
PLAIN = ("#f7f8fa", "#8c96a5")
# Fill and line of each layer or head.
COLOURS = (
    ("#e4effb", "#3b78b8"),
    ("#fdecd9", "#c8761b"),
    ("#e3f4e6", "#3c8f4f"),
    ("#f3e6f7", "#8e4fa5"),
    ("#fde5e8", "#c04a5d"),
    ("#e0f3f3", "#2f8b8d"),
)
STYLE = (
    "text{font-family:'Liberation Serif','Times New Roman',Times,'DejaVu Serif',serif;fill:#1d2530}"
    ".s{font-family:'Liberation Sans',Arial,Helvetica,'DejaVu Sans',sans-serif;font-size:11px;fill:#5a6573}"
    ".n{font-size:18px;text-anchor:middle}.m{font-weight:bold}.v{font-style:italic}"
    ".n tspan{font-size:12px;font-weight:normal;font-style:normal}"
)


def draw(derivation: Derivation, words: Words) -> str:
    """The text of the SVG; UsageError where there are too many steps to be drawn, or too few."""
    parts = derivation.parts or DRAWN
    told = {step.id for step in derivation.told_steps()}

    def is_drawn(step: Step) -> bool:
        is_wanted = step.id in told and step.part in parts and not (step.silent or step.parameter or step.constant)
        return is_wanted and not is_a_use(step) and (step.part != "inputs" or bool(step.shape))

    sizes = Sizes(lambda node: _width(node, derivation, words), HIGH, across=20, down=34, margin=EDGE)
    drawn = layered(derivation, is_drawn, sizes, MOST_NODES, across_uses=False)
    if drawn is None:
        raise UsageError(
            f"what is told is no graph of 2 to {MOST_NODES} steps, even with each layer of the model as one; "
            "--part and --head choose others"
        )
    colours, legend = _colours(drawn, derivation, words)
    title = derivation.spec.title.get(words.code) or derivation.spec.name
    shown = [part for part in parts if any(node.step and node.step.part == part for node in drawn.nodes)]
    return _file(drawn, derivation, words, colours, legend, title, " · ".join(words.parts[part] for part in shown))


def _file(
    drawn: Layered,
    derivation: Derivation,
    words: Words,
    colours: list[tuple[str, str]],
    legend: list[tuple[str, tuple[str, str]]],
    title: str,
    about: str,
) -> str:
    entries, reached = [], EDGE
    for told, (fill, line) in legend:
        entries.append(
            f'<rect x="{reached}" y="{HEAD + 4}" width="14" height="14" rx="4" fill="{fill}" stroke="{line}"/>'
            f'<text class="s" x="{reached + 20}" y="{HEAD + 15}">{escape(told)}</text>'
        )
        reached += 40 + _long(told) * (SMALL + 1)
    head = HEAD + (LEGEND if legend else 0)
    width = max(drawn.width, reached, 2 * EDGE + _long(title) * LETTER, 2 * EDGE + _long(about) * (SMALL + 1))
    height = head + drawn.height
    edges, boxes = [], []
    for node, colour in zip(drawn.nodes, colours, strict=True):
        path = drawn.edges(node)
        if path:
            edges.append(f'<path d="{path}" stroke="{colour[1]}"/>')
        if node.step is not None:
            boxes.append(_box(drawn, node, colour, derivation, words))
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" xml:lang="{words.code}">\n<title>{escape(title)}</title>\n<style>{STYLE}</style>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
        f'<text x="{EDGE}" y="38" font-size="22">{escape(title)}</text>\n'
        f'<text class="s" x="{EDGE}" y="58">{escape(about)}</text>\n'
        + "".join(f"{entry}\n" for entry in entries)
        + f'<g transform="translate({(width - drawn.width) // 2} {head})">\n'
        f'<g fill="none" stroke-width="1.3" stroke-opacity=".6">\n'
        + "".join(f"{edge}\n" for edge in edges)
        + "</g>\n"
        + "".join(f"{box}\n" for box in boxes)
        + "</g>\n</svg>\n"
    )


def _box(drawn: Layered, node: Node, colour: tuple[str, str], derivation: Derivation, words: Words) -> str:
    """A node: an arrow's head where something leads to it, its box, its name, and what it is."""
    assert node.step is not None
    x, top, (fill, line) = node.middle, drawn.top(node), colour
    style = {"inputs": ' stroke-dasharray="4 3"', "loss": ' stroke-width="2.5"'}.get(node.step.part, "")
    arrow = f'<path d="M{x - 4} {top - 8}L{x} {top - 1}L{x + 4} {top - 8}Z" fill="{line}"/>' if node.above else ""
    second = _second(node, words)
    return (
        f"<g><title>{escape(node.scope or node.step.id)}</title>{arrow}"
        f'<rect x="{node.left}" y="{top}" width="{node.width}" height="{HIGH}" rx="9" fill="{fill}" '
        f'stroke="{line}"{style}/>{_name(node, derivation, words, x, top + 21)}'
        f'<text class="s" x="{x}" y="{top + 40}" text-anchor="middle">{escape(second)}</text></g>'
    )


def _name(node: Node, derivation: Derivation, words: Words, x: int, y: int) -> str:
    if node.scope:
        return f'<text class="n" x="{x}" y="{y}">{escape(scope_heading(node.scope, words))}</text>'
    before, letters, below = _pieces(node, derivation)
    look = "m" if node.step is not None and len(node.step.shape) == 2 and 1 not in node.step.shape else "v"
    hanging = f'<tspan dy="4">{escape(below)}</tspan>' if below else ""
    if not before:
        return f'<text class="n {look}" x="{x}" y="{y}">{escape(letters)}{hanging}</text>'
    return (
        f'<text class="n" x="{x}" y="{y}">{before[:-1]}<tspan class="v" style="font-size:18px">'
        f"{escape(letters)}</tspan>{hanging}</text>"
    )


def _pieces(node: Node, derivation: Derivation) -> tuple[str, str, str]:
    """A step's name by what it is called on the command line: what stands before, the letters, and what hangs below."""
    step = node.step
    assert step is not None
    before = "∂L/∂ " if step.part == "backward" and step.of in derivation.tape else ""
    named = derivation.tape[step.of] if before else step
    letters, _, below = named.id.removeprefix(f"{named.scope}.").partition("_")
    accent = ACCENTS.get(getattr(named.name, "accent", ""), "")
    if accent:
        letters, below = letters + accent, below.partition("_")[2]
    elif getattr(named.name, "is_command", False):
        with suppress(KeyError):
            letters = unicodedata.lookup(f"GREEK SMALL LETTER {letters.upper()}")
    return before, letters, below.replace("_", " ")


def _second(node: Node, words: Words) -> str:
    """What a node is: its operation and its shape, or of how many steps."""
    step = node.step
    assert step is not None
    if node.scope:
        return words.web["graph_steps"].format(count=node.count)
    told = [step.op.name.replace("_", " ")] if step.op is not None and "." not in step.op.name else []
    return " · ".join([*told, *(["×".join(map(str, step.shape))] if step.shape else [])])


def _width(node: Node, derivation: Derivation, words: Words) -> int:
    if node.scope:
        name = _long(scope_heading(node.scope, words)) * LETTER
    else:
        before, letters, below = _pieces(node, derivation)
        name = (len(before) + len(letters)) * LETTER + _long(below) * LOW
    return max(LEAST, name + PAD, _long(_second(node, words)) * SMALL + PAD)


def _long(text: str) -> int:
    """How many letters wide a text is; a Chinese one is as wide as two."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def _colours(
    drawn: Layered, derivation: Derivation, words: Words
) -> tuple[list[tuple[str, str]], list[tuple[str, tuple[str, str]]]]:
    """The colours of the nodes, bends included, and what each colour means."""

    def layer(step: Step) -> str:
        return scope_of(step, derivation)

    def head(step: Step) -> str:
        return "" if step.head is None else words.phrases["head"].format(head=step.head)

    steps = [node.step for node in drawn.nodes if node.step is not None]
    key = layer if any(map(layer, steps)) else head
    shown = {key(step) for step in steps}
    places = dict.fromkeys(key(step) for step in derivation.tape if key(step) in shown - {""})
    found = {one: COLOURS[place % len(COLOURS)] for place, one in enumerate(places)}
    colours: list[tuple[str, str]] = []
    for node in drawn.nodes:
        colours.append(PLAIN if node.step is None else found.get(key(node.step), PLAIN))
    for node, colour in zip(drawn.nodes, list(colours), strict=True):
        for upper in node.above if node.step is not None else ():
            while drawn.nodes[upper].step is None:  # an edge has the colour of where it leads
                colours[upper] = colour
                upper = drawn.nodes[upper].above[0]
    if (key is head and len(found) < 2) or any(node.scope for node in drawn.nodes):
        return colours, []
    return colours, [(one if key is head else scope_heading(one, words), colour) for one, colour in found.items()]


PICTURE = Picture("graph", Derivation, draw, is_text=True)
