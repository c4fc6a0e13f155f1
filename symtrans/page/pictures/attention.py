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
TITLE = 34  # characters of a heading for each map below it
MOST_DRAWN = 1000  # cells of a map that are shapes of their own in an SVG or PDF; more are dots
COLUMN, ROW, HEADING = 3, 3, 0.4  # inches that a map takes, and the heading above it
COLOURS = 32  # few enough for the scale to be drawn as shapes
DARK = 0.6  # weights beyond which the background is dark
INK, SOFT = "#1d2530", "#5a6573"


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
    drawing = figure(COLUMN * columns + 1, (ROW + HEADING) * len(layers))
    parts = drawing.subfigures(len(layers), 1, squeeze=False)[:, 0]
    for part, (scope, layer) in zip(parts, layers.items(), strict=True):
        if scope:
            heading = "\n".join(wrap(scope_heading(scope, words), TITLE * columns))
            part.suptitle(heading, x=0.03, ha="left", fontsize=12, color=INK)
        grid = part.subplots(1, columns, squeeze=False)[0]
        for axes, step in zip(grid, layer, strict=False):
            shown = _map(axes, step)
            head = words.phrases["head"].format(head=step.step.head or layer.index(step) + 1)
            axes.set_title(head, fontsize=10, color=SOFT)
        for axes in grid[len(layer) :]:
            axes.set_axis_off()
        grid[0].set_ylabel(words.phrases["queries"], color=SOFT)
        for axes in grid[: len(layer)]:
            axes.set_xlabel(words.phrases["keys"], color=SOFT)
        bar = part.colorbar(shown, ax=list(grid), aspect=30, pad=0.03, ticks=[0, 0.5, 1])
        bar.outline.set_visible(False)
        bar.solids.set_edgecolor("face")
        bar.ax.tick_params(length=0, labelsize=9, labelcolor=SOFT)
    return drawing


def _map(axes: Any, step: DerivedStep) -> Any:
    """One heat map: a row for each query, a column for each key, both counted from 1."""
    from matplotlib import colormaps

    numbers = [[point(entry) for entry in row] for row in step.decimals(DIGITS)]
    rows, columns = len(numbers), len(numbers[0])
    is_small = max(rows, columns) <= MOST_CELLS
    look = {"edgecolors": "white", "linewidth": 2} if is_small else {"rasterized": rows * columns > MOST_DRAWN}
    shown = axes.pcolormesh(numbers, cmap=colormaps["Blues"].resampled(COLOURS), vmin=0, vmax=1, **look)
    axes.invert_yaxis()
    if rows == columns:
        axes.set_aspect("equal")
    if is_small:
        axes.set_xticks([place + 0.5 for place in range(columns)], range(1, columns + 1))
        axes.set_yticks([place + 0.5 for place in range(rows)], range(1, rows + 1))
        for i, row in enumerate(step.decimals(TOLD)):
            for j, told in enumerate(row):
                colour = "white" if numbers[i][j] > DARK else INK
                axes.text(j + 0.5, i + 0.5, told, ha="center", va="center", fontsize=9, color=colour)
    else:
        for axis, count in ((axes.xaxis, columns), (axes.yaxis, rows)):
            every = -(-count // MOST_CELLS)
            places = range(0, count, every)
            axis.set_ticks([place + 0.5 for place in places], [str(place + 1) for place in places])
    axes.tick_params(length=0, labelsize=9, labelcolor=SOFT)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return shown


PICTURE = Picture("attention", Derivation, draw)
