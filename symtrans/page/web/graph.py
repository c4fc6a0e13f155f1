"""The graph of the steps on the page, as SVG: each step below what it needs, and a link to its line."""

from __future__ import annotations

from html import escape

from symtrans.derive.derivation import Derivation
from symtrans.model.tape import Step
from symtrans.page.layered import Layered, Node, Sizes, layered
from symtrans.page.web.steps import Steps

MOST_NODES = 120  # beyond which a layer of the model is one node
DRAWN = ("inputs", "forward", "loss")
LETTER, PAD, HIGH = 8, 22, 28  # of a node, in pixels


def graph(derivation: Derivation, steps: Steps) -> str:
    """The picture of the forward pass and the loss, parameters and constants left out; nothing below two steps."""
    sizes = Sizes(lambda node: max(len(_name(node)) * LETTER + PAD, 44), HIGH, across=18, down=30, margin=6)
    drawn = layered(derivation, lambda step: _is_drawn(step, steps), sizes, MOST_NODES)
    return "" if drawn is None else _picture(drawn)


def _is_drawn(step: Step, steps: Steps) -> bool:
    """Whether a step is a node: it is told, and no parameter or constant."""
    is_wanted = step.part in DRAWN and not (step.silent or step.parameter or step.constant)
    return is_wanted and step.id in steps.told and (step.part != "inputs" or bool(step.shape))


def _picture(drawn: Layered) -> str:
    edges, boxes = [], []
    for node in drawn.nodes:
        edges.append(drawn.edges(node))
        if node.step is None:
            continue
        top = drawn.top(node)
        boxes.append(
            f'<a href="#{escape(node.step.id)}" class="node {node.step.part}">'
            f'<rect x="{node.left}" y="{top}" width="{node.width}" height="{HIGH}" rx="6"/>'
            f'<text x="{node.middle}" y="{top + HIGH // 2 + 5}" text-anchor="middle">{_label(_name(node))}</text></a>'
        )
    size = f'viewBox="0 0 {drawn.width} {drawn.height}" width="{drawn.width}" height="{drawn.height}"'
    return (
        f'<div class="scroll" tabindex="0"><svg class="steps" {size}>'
        f'<path class="edge" d="{"".join(edges)}"/>{"".join(boxes)}</svg></div>\n'
    )


def _name(node: Node) -> str:
    return node.scope or (node.step.id if node.step else "")


def _label(label: str) -> str:
    """A step's id with what follows its first underscore as a subscript."""
    name, mark, below = label.partition("_")
    return escape(name) + (f'<tspan class="sub" dy="3">{escape(below)}</tspan>' if mark else "")
