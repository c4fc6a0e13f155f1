"""The attention weights as heat maps: a row of them for each layer, one for each head."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from symtrans.derive.derivation import Derivation
from symtrans.derive.steps import DerivedStep
from symtrans.errors import UsageError
from symtrans.language.words import Words
from symtrans.page.picture import Picture
from symtrans.page.plotting import figure, point
from symtrans.page.scopes import scope_heading

DIGITS = 6  # of the numbers that become colours
TOLD = 3  # of the numbers that stand in the cells
MOST_MAPS = 64
MOST_CELLS = 8  # rows or columns up to which the numbers are written
TITLE = 28  # characters above a map
COLUMN, ROW = 3, 3  # inches that a map takes


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
    drawing = figure(COLUMN * columns + 1, ROW * len(layers))
    grid = drawing.subplots(len(layers), columns, squeeze=False)
    shown = None
    for row, (scope, layer) in zip(grid, layers.items(), strict=True):
        for place, axes in enumerate(row):
            if place >= len(layer):
                axes.set_axis_off()
                continue
            shown = _map(axes, layer[place], words)
            head = words.phrases["head"].format(head=layer[place].step.head or place + 1)
            layer_name = wrap(scope_heading(scope, words), TITLE) if scope else []
            axes.set_title("\n".join((*layer_name, head)), fontsize=10)
    drawing.colorbar(shown, ax=grid.ravel().tolist())
    return drawing


def _map(axes: Any, step: DerivedStep, words: Words) -> Any:
    """One heat map: a row for each query, a column for each key, both counted from 1."""
    numbers = [[point(entry) for entry in row] for row in step.decimals(DIGITS)]
    rows, columns = len(numbers), len(numbers[0])
    shown = axes.imshow(numbers, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(columns), range(1, columns + 1))
    axes.set_yticks(range(rows), range(1, rows + 1))
    axes.set_xlabel(words.phrases["keys"])
    axes.set_ylabel(words.phrases["queries"])
    if max(rows, columns) <= MOST_CELLS:
        for i, row in enumerate(step.decimals(TOLD)):
            for j, told in enumerate(row):
                dark = 2 * numbers[i][j] > 1
                axes.text(j, i, told, ha="center", va="center", fontsize=8, color="white" if dark else "black")
    return shown


PICTURE = Picture("attention", Derivation, draw)
