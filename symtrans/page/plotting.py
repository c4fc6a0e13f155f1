"""Drawing with matplotlib: certified decimals as points on a figure, and a figure as a file, the same each time."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from symtrans.errors import UsageError

KINDS = ("png", "svg", "pdf")
# No date, no version: what is drawn twice is the same bytes.
BARE: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
GREATEST = 1e100  # beyond it a scale has no numbers that fit it
PAD = 0.07  # inches around what is drawn
COLOURS = 32  # few enough for the scale to be drawn as shapes
DARK = 0.6  # numbers beyond which the background is dark
MOST_DRAWN = 1000  # cells of a map that are shapes of their own in an SVG or PDF; more are dots
INK, SOFT = "#1d2530", "#5a6573"
DOTS = 150  # to the inch, in a PNG
CHINESE = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Micro Hei"),
    *("WenQuanYi Zen Hei", "PingFang SC", "Heiti SC", "Microsoft YaHei", "SimHei", "FandolHei"),
)


def image(draw: Callable[[], Any], kind: str, language: str) -> bytes:
    """The file of a figure, drawn in matplotlib's own style; UsageError where something for it is not installed."""
    if kind not in KINDS:
        raise UsageError(f"a picture is {', '.join(KINDS)}, not {kind or 'a file without an ending'}")
    try:
        from matplotlib import rc_context, style
        from matplotlib.font_manager import fontManager
    except ImportError:
        raise UsageError(
            "a picture is drawn with matplotlib, which is not installed; pip install matplotlib brings it"
        ) from None
    family = ["DejaVu Sans"]
    if language == "zh":
        installed = {font.name for font in fontManager.ttflist}
        family += [name for name in CHINESE if name in installed][:1]
        if len(family) == 1:
            raise UsageError(
                f"matplotlib finds no font of Chinese letters, such as {CHINESE[0]}; install one, or take --language en"
            )
    buffer = BytesIO()
    # Letters of an SVG stay letters: any sans-serif font will do where the file is looked at.
    look = {"svg.hashsalt": "symtrans", "svg.fonttype": "none", "font.family": [*family, "sans-serif"]}
    with style.context("default"), rc_context(look):
        draw().savefig(buffer, format=kind, dpi=DOTS, metadata=BARE[kind])
    return buffer.getvalue()


def figure(width: float, height: float) -> Any:
    """An empty figure of so many inches, which no window knows of."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    return Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=PAD, h_pad=PAD))


def heading(part: Any, text: str) -> None:
    """A heading above a part of a figure, at its left."""
    part.suptitle(text, x=0.03, ha="left", fontsize=12, color=INK)


def heat_map(axes: Any, numbers: list[list[float]], told: list[list[str]] | None, most: int) -> Any:
    """Numbers from 0 to 1 as cells, the darker the larger; what can be told is written in them.

    At most some `most` rows and columns are counted at the edges, from 1.
    """
    from matplotlib import colormaps

    rows, columns = len(numbers), len(numbers[0])
    look = {"rasterized": rows * columns > MOST_DRAWN} if told is None else {"edgecolors": "white", "linewidth": 2}
    shown = axes.pcolormesh(numbers, cmap=colormaps["Blues"].resampled(COLOURS), vmin=0, vmax=1, **look)
    axes.invert_yaxis()
    if rows == columns:
        axes.set_aspect("equal")
    for axis, count in ((axes.xaxis, columns), (axes.yaxis, rows)):
        places = range(0, count, -(-count // most))
        axis.set_ticks([place + 0.5 for place in places], [str(place + 1) for place in places])
        axis.label.set_color(SOFT)
    for i, row in enumerate(told or ()):
        for j, text in enumerate(row):
            colour = "white" if numbers[i][j] > DARK else INK
            axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=9, color=colour)
    axes.tick_params(length=0, labelsize=9, labelcolor=SOFT)
    axes.title.set_color(SOFT)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return shown


def scale(part: Any, shown: Any, beside: list[Any]) -> None:
    """What the colours of heat maps mean, at their right."""
    bar = part.colorbar(shown, ax=beside, aspect=30, pad=0.03, ticks=[0, 0.5, 1])
    bar.outline.set_visible(False)
    bar.solids.set_edgecolor("face")
    bar.ax.tick_params(length=0, labelsize=9, labelcolor=SOFT)


def point(decimal: str) -> float:
    """A certified decimal as a place on a figure; UsageError where it is beyond what can be drawn."""
    place = float(decimal)
    if abs(place) > GREATEST:
        raise UsageError(f"{decimal} is too large to be drawn")
    return place
