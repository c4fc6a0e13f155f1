"""The attention weights as heat maps: a row of them for each layer, one for each head."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from symtrans.derive.derivation import Derivation
from symtrans.derive.steps import DerivedStep
from symtrans.errors import UsageError
from symtrans.language.words import Words
from symtrans.page.picture import Picture
from symtrans.page.plotting import figure, heading, heat_map, point, scale
from symtrans.page.scopes import scope_heading

DIGITS = 6  # of the numbers that become colours
TOLD = 3  # of the numbers that stand in the cells
MOST_MAPS = 64
MOST_CELLS = 8  # rows or columns up to which the numbers are written, and each is counted
TITLE = 34  # characters of a heading for each map below it
COLUMN = 3  # inches that a map takes across
ROW = 34  # tenths of an inch that a row of maps takes with its heading


def draw(derivation: Derivation, words: Words) -> Any:
    """The figure; UsageError where no attention weights are told, or too many."""
    maps = [step for step in derivation if step.step.role == "weights"]
    if derivation.head is not None:
        maps = [step for step in maps if step.step.head == derivation.head]  # its lines may need others' weights
    if not maps:
        raise UsageError("there are no attention weights among what is told; leave --part out, or take forward")
    if len(maps) > MOST_MAPS:
        raise UsageError(
            f"there are {len(maps)} matrices of attention weights, and at most {MOST_MAPS} are drawn; "
            "give one head with --head"
        )
    layers: dict[str, list[DerivedStep]] = {}
    for step in maps:
        layers.setdefault(step.step.scope, []).append(step)
    columns = max(len(layer) for layer in layers.values())
    drawing = figure(COLUMN * columns + 1, ROW * len(layers) / 10)
    parts = drawing.subfigures(len(layers), 1, squeeze=False)[:, 0]
    for part, (scope, layer) in zip(parts, layers.items(), strict=True):
        if scope:
            heading(part, "\n".join(wrap(scope_heading(scope, words), TITLE * columns)))
        grid = part.subplots(1, columns, squeeze=False)[0]
        for axes, step in zip(grid, layer, strict=False):
            shown = _map(axes, step)
            axes.set_title(words.phrases["head"].format(head=step.step.head or layer.index(step) + 1), fontsize=10)
            axes.set_xlabel(words.phrases["keys"])
        for axes in grid[len(layer) :]:
            axes.set_axis_off()
        grid[0].set_ylabel(words.phrases["queries"])
        scale(part, shown, list(grid))
    return drawing


def _map(axes: Any, step: DerivedStep) -> Any:
    """One heat map: a row for each query, a column for each key, both counted from 1."""
    numbers = [[point(entry) for entry in row] for row in step.decimals(DIGITS)]
    is_small = max(len(numbers), len(numbers[0])) <= MOST_CELLS
    return heat_map(axes, numbers, step.decimals(TOLD) if is_small else None, MOST_CELLS)


PICTURE = Picture("attention", Derivation, draw)
