"""The graph of the steps as a picture (SVG): each step below what it needs, and a link to its line.

Drawn in layers: a step's layer is the longest way to it, and within a layer steps stand where their
neighbours above stand. Of a large graph the layers of the model are drawn, each as one node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

from symtrans.derive.derivation import Derivation
from symtrans.model.tape import Step
from symtrans.page.web.steps import Steps

MOST_NODES = 120  # beyond which a layer of the model is one node
DRAWN = ("inputs", "forward", "loss")
LETTER, PAD, HIGH, ACROSS, DOWN = 8, 22, 28, 18, 30  # of a node and between nodes, in pixels
SWEEPS, MARGIN = 4, 6


@dataclass(slots=True)
class _Node:
    """A step, or a layer of the model, or (without a label) a bend of an edge that passes other layers."""

    label: str = ""
    target: str = ""
    part: str = ""
    above: list[int] = field(default_factory=list)
    layer: int = 0
    left: int = 0

    @property
    def width(self) -> int:
        return max(len(self.label) * LETTER + PAD, 44) if self.label else 2


def graph(derivation: Derivation, steps: Steps) -> str:
    """The picture of the forward pass and the loss, parameters and constants left out; nothing below two steps."""
    nodes = _nodes(derivation, steps, by_scope=False)
    if len(nodes) > MOST_NODES:
        nodes = _nodes(derivation, steps, by_scope=True)
    if not 2 <= len(nodes) <= MOST_NODES:
        return ""
    layers = _layers(nodes)
    width = _place(nodes, layers)
    return _picture(nodes, width, len(layers) * (HIGH + DOWN) - DOWN + 2 * MARGIN)


def _nodes(derivation: Derivation, steps: Steps, by_scope: bool) -> list[_Node]:
    """The nodes with their edges; what is not drawn stands for what it needs."""
    nodes: list[_Node] = []
    scopes: dict[str, int] = {}
    standing: dict[str, list[int]] = {}
    for step in derivation.tape:
        above = list(dict.fromkeys(n for i in step.operands for n in standing.get(i, [])))
        if not _is_drawn(step, steps):
            standing[step.id] = above
            continue
        layer = step.scope.split(".")[0] if by_scope else ""
        if layer not in scopes:
            if layer:
                scopes[layer] = len(nodes)
            standing[step.id] = [len(nodes)]
            nodes.append(_Node(layer or step.id, step.id, step.part, above))
            continue
        own = scopes[layer]
        standing[step.id] = [own]
        nodes[own].above += [n for n in above if n < own and n not in nodes[own].above]
    return nodes


def _is_drawn(step: Step, steps: Steps) -> bool:
    """Whether a step is a node: it is told, and no parameter or constant."""
    is_wanted = step.part in DRAWN and not (step.silent or step.parameter or step.constant)
    return is_wanted and step.id in steps.told and (step.part != "inputs" or bool(step.shape))


def _layers(nodes: list[_Node]) -> list[list[int]]:
    """The nodes by layer, with a bend in every layer that an edge passes, each layer in a good order."""
    for node in nodes:
        node.layer = max((nodes[n].layer + 1 for n in node.above), default=0)
    for node in list(nodes):
        for place, upper in enumerate(node.above):
            last = upper
            for layer in range(nodes[upper].layer + 1, node.layer):
                nodes.append(_Node(above=[last], layer=layer))
                last = len(nodes) - 1
            node.above[place] = last
    layers: list[list[int]] = [[] for _ in range(max(n.layer for n in nodes) + 1)]
    for number, node in enumerate(nodes):
        layers[node.layer].append(number)
    below: dict[int, list[int]] = {}
    for number, node in enumerate(nodes):
        for upper in node.above:
            below.setdefault(upper, []).append(number)
    for _ in range(SWEEPS):
        for place in range(1, len(layers)):
            _sort(layers[place], layers[place - 1], lambda n: nodes[n].above)
        for place in range(len(layers) - 2, -1, -1):
            _sort(layers[place], layers[place + 1], lambda n: below.get(n, []))
    return layers


def _sort(layer: list[int], beside: list[int], neighbours: Callable[[int], list[int]]) -> None:
    """Order a layer by where its neighbours stand in the layer beside it; one without any stays about where it is."""
    place = {number: position for position, number in enumerate(beside)}

    def wish(pair: tuple[int, int]) -> tuple[int, int]:
        position, number = pair
        found = [place[n] for n in neighbours(number) if n in place]
        scale = 1000 * sum(found) // len(found) if found else 1000 * position * len(beside) // max(len(layer), 1)
        return scale, position

    layer[:] = [number for _, number in sorted(enumerate(layer), key=wish)]


def _place(nodes: list[_Node], layers: list[list[int]]) -> int:
    """Give every node its place across; the width of the picture."""
    for layer in layers:
        reached, wishes = 0, []
        for number in layer:
            node = nodes[number]
            centres = [nodes[n].left + nodes[n].width // 2 for n in node.above]
            wish = sum(centres) // len(centres) - node.width // 2 if centres else reached
            node.left = max(reached, wish)
            reached = node.left + node.width + ACROSS
            wishes.append(wish - node.left)
        if wishes:
            shift = sum(wishes) // len(wishes)
            for number in layer:
                nodes[number].left += shift
    least = min(node.left for node in nodes)
    for node in nodes:
        node.left += MARGIN - least
    return max(node.left + node.width for node in nodes) + MARGIN


def _picture(nodes: list[_Node], width: int, height: int) -> str:
    edges, boxes = [], []
    for node in nodes:
        x, top = node.left + node.width // 2, MARGIN + node.layer * (HIGH + DOWN)
        for number in node.above:
            upper = nodes[number]
            start = MARGIN + upper.layer * (HIGH + DOWN) + HIGH
            from_x, half = upper.left + upper.width // 2, (top - start) // 2
            edges.append(f"M{from_x} {start}C{from_x} {start + half} {x} {top - half} {x} {top}")
        if not node.label:
            edges.append(f"M{x} {top}V{top + HIGH}")
            continue
        boxes.append(
            f'<a href="#{escape(node.target)}" class="node {node.part}">'
            f'<rect x="{node.left}" y="{top}" width="{node.width}" height="{HIGH}" rx="6"/>'
            f'<text x="{x}" y="{top + HIGH // 2 + 5}" text-anchor="middle">{_label(node.label)}</text></a>'
        )
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return (
        f'<div class="scroll" tabindex="0"><svg class="steps" {size}>'
        f'<path class="edge" d="{"".join(edges)}"/>{"".join(boxes)}</svg></div>\n'
    )


def _label(label: str) -> str:
    """A step's id with what follows its first underscore as a subscript."""
    name, mark, below = label.partition("_")
    return escape(name) + (f'<tspan class="sub" dy="3">{escape(below)}</tspan>' if mark else "")
