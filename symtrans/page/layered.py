"""The steps of a derivation laid out as a graph in layers: each step below what it needs, and no two on one place.

A step's layer is the longest way to it, and within a layer steps stand where their neighbours stand. What is
not drawn stands for what it needs. Of a large graph the layers of the model are drawn, each as one node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symtrans.derive.backward import gradient_id
from symtrans.derive.derivation import LOSS, Derivation
from symtrans.model.tape import Step

SWEEPS = 4
BEND = 2  # how wide the place is that an edge takes in a layer it passes


@dataclass(slots=True)
class Node:
    """A step, or a layer of the model that begins with it, or (without a step) a bend of an edge."""

    step: Step | None = None
    scope: str = ""
    count: int = 1
    above: list[int] = field(default_factory=list)
    layer: int = 0
    left: int = 0
    width: int = BEND

    @property
    def middle(self) -> int:
        """Its place across."""
        return self.left + self.width // 2


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large things are, in pixels: a node by `width` and `high`, the room between nodes, and the margin."""

    width: Callable[[Node], int]
    high: int
    across: int
    down: int
    margin: int


@dataclass(frozen=True, slots=True)
class Layered:
    """A graph with every node in its place."""

    nodes: list[Node]
    sizes: Sizes
    width: int
    height: int

    def top(self, node: Node) -> int:
        """Where a node begins."""
        return self.sizes.margin + node.layer * (self.sizes.high + self.sizes.down)

    def edges(self, node: Node) -> str:
        """What leads to a node from above, as the data of an SVG path; through a bend it leads on."""
        drawn = []
        x, top = node.middle, self.top(node)
        for number in node.above:
            upper = self.nodes[number]
            start = self.top(upper) + self.sizes.high
            half = (top - start) // 2
            drawn.append(f"M{upper.middle} {start}C{upper.middle} {start + half} {x} {top - half} {x} {top}")
        return "".join(drawn) + ("" if node.step else f"M{x} {top}V{top + self.sizes.high}")


def layered(
    derivation: Derivation, is_drawn: Callable[[Step], bool], sizes: Sizes, most: int, *, across_uses: bool = True
) -> Layered | None:
    """The graph of the steps that `is_drawn` names, or of the model's layers where these are more than `most` steps.

    Without `across_uses`, a gradient hangs on the gradients that it is made of alone, or on the loss.
    None where fewer than two nodes, or more than `most`, would be drawn.
    """
    nodes = _nodes(derivation, is_drawn, across_uses, by_scope=False)
    if len(nodes) > most:
        nodes = _nodes(derivation, is_drawn, across_uses, by_scope=True)
    if not 2 <= len(nodes) <= most:
        return None
    for node in nodes:
        node.width = sizes.width(node)
    layers = _layers(nodes)
    width = _place(nodes, layers, sizes)
    height = len(layers) * (sizes.high + sizes.down) - sizes.down + 2 * sizes.margin
    return Layered(nodes, sizes, width, height)


def scope_of(step: Step, derivation: Derivation) -> str:
    """The model's layer that a step belongs to: a gradient's is that of what it is the gradient of."""
    return derivation.tape[step.of].scope if step.of in derivation.tape and not step.scope else step.scope


def _nodes(derivation: Derivation, is_drawn: Callable[[Step], bool], across_uses: bool, by_scope: bool) -> list[Node]:
    """The nodes with their edges."""
    nodes: list[Node] = []
    scopes: dict[str, int] = {}
    standing: dict[str, list[int]] = {}
    for step in derivation.tape:
        operands = step.operands
        if not across_uses and step.part == "backward":
            operands = tuple(i for i in operands if derivation.tape[i].part == "backward") or (LOSS,)
        above = list(dict.fromkeys(n for i in operands for n in standing.get(i, [])))
        if not is_drawn(step):
            standing[step.id] = above
            continue
        layer = scope_of(step, derivation).split(".")[0] if by_scope else ""
        if layer not in scopes:
            if layer:
                scopes[layer] = len(nodes)
            standing[step.id] = [len(nodes)]
            nodes.append(Node(step, layer, above=above))
            continue
        own = scopes[layer]
        standing[step.id] = [own]
        nodes[own].count += 1
        nodes[own].above += [n for n in above if n < own and n not in nodes[own].above]
    return nodes


def is_a_use(step: Step) -> bool:
    """Whether a gradient is that of one use only, which a sum of uses takes in."""
    return step.part == "backward" and bool(step.of) and step.id != gradient_id(step.of)


def _layers(nodes: list[Node]) -> list[list[int]]:
    """The nodes by layer, with a bend in every layer that an edge passes, each layer in a good order."""
    for node in nodes:
        node.layer = max((nodes[n].layer + 1 for n in node.above), default=0)
    for number, node in enumerate(nodes):
        if not node.above:  # what needs nothing stands just above what needs it first
            node.layer = max(min((n.layer for n in nodes if number in n.above), default=1) - 1, 0)
    for node in list(nodes):
        for place, upper in enumerate(node.above):
            last = upper
            for layer in range(nodes[upper].layer + 1, node.layer):
                nodes.append(Node(above=[last], layer=layer))
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


def _place(nodes: list[Node], layers: list[list[int]], sizes: Sizes) -> int:
    """Give every node its place across; the width of the picture."""
    below: dict[int, list[int]] = {}
    for number, node in enumerate(nodes):
        for upper in node.above:
            below.setdefault(upper, []).append(number)
    for layer in layers:
        settle(layer, nodes, sizes.across, lambda n: nodes[n].above)
    for _ in range(SWEEPS):
        for layer in reversed(layers):
            settle(layer, nodes, sizes.across, lambda n: below.get(n, []))
        for layer in layers:
            settle(layer, nodes, sizes.across, lambda n: nodes[n].above)
    for layer in layers:
        settle(layer, nodes, sizes.across, lambda n: [*nodes[n].above, *below.get(n, [])])
    least = min(node.left for node in nodes)
    for node in nodes:
        node.left += sizes.margin - least
    return max(node.left + node.width for node in nodes) + sizes.margin


def settle(layer: list[int], nodes: list[Node], across: int, neighbours: Callable[[int], list[int]]) -> None:
    """Put a layer's nodes as near as they can be to the middle of their neighbours, in their order and apart.

    The squares of the distances are least: nodes that would overlap move together, to the mean of their wishes.
    """
    groups: list[tuple[int, int, int]] = []  # of nodes that touch: their weight, the sum of their wishes, their number
    reached = 0
    for number in layer:
        node = nodes[number]
        found = [(nodes[n].middle, _weight(node, nodes[n])) for n in neighbours(number)]
        weight = sum(part for _, part in found) or 1
        wish = sum(place * part for place, part in found) // weight - node.width // 2 if found else node.left
        groups.append((weight, weight * (wish - reached), 1))
        reached += node.width + across
        while len(groups) > 1 and groups[-2][1] * groups[-1][0] > groups[-1][1] * groups[-2][0]:
            last = groups.pop()
            groups[-1] = (groups[-1][0] + last[0], groups[-1][1] + last[1], groups[-1][2] + last[2])
    places = [total // weight for weight, total, count in groups for _ in range(count)]
    reached = 0
    for number, place in zip(layer, places, strict=True):
        nodes[number].left = place + reached
        reached += nodes[number].width + across


def _weight(one: Node, other: Node) -> int:
    """How much a node wants to stand below or above another: a bend wants its edge straight, a step its own line."""
    if one.step is None:
        return 2 if other.step else 8
    return 3 if other.step else 1
