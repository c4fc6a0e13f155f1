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


def point(decimal: str) -> float:
    """A certified decimal as a place on a figure; UsageError where it is beyond what can be drawn."""
    place = float(decimal)
    if abs(place) > GREATEST:
        raise UsageError(f"{decimal} is too large to be drawn")
    return place
