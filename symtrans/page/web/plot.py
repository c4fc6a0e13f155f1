"""Two columns of a table as a line in a picture (SVG)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from symtrans.page.story import Table
from symtrans.page.web.text import Told, text

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 90, 20, 20, 44
MOST_TICKS = 10


def plot(table: Table, headers: Sequence[Told]) -> str:
    """The figure; the table beside it tells the same numbers. Nothing where there are no two points."""
    assert table.plotted is not None
    across, up = table.plotted
    try:
        points = [(Fraction(row[across]), Fraction(row[up])) for row in table.rows]
    except ValueError:
        return ""
    if len(points) < 2:
        return ""
    low, high = min(y for _, y in points), max(y for _, y in points)
    first, last = points[0][0], points[-1][0]
    if low == high:
        low, high = low - 1, high + 1

    def place(x: Fraction, y: Fraction) -> tuple[int, int]:
        right = (x - first) * (WIDTH - LEFT - RIGHT) / ((last - first) or 1)
        down = (high - y) * (HEIGHT - TOP - BOTTOM) / (high - low)
        return LEFT + round(right), TOP + round(down)

    at = [place(x, y) for x, y in points]
    line = " ".join(f"{x},{y}" for x, y in at)
    every = max(1, -(-len(points) // MOST_TICKS))
    ticks = "".join(
        f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{escape(table.rows[k][across])}</text>'
        for k, (x, _) in enumerate(at)
        if k % every == 0
    )
    ends = {max(range(len(at)), key=lambda k: points[k][1]), min(range(len(at)), key=lambda k: points[k][1])}
    grid = "".join(
        f'<path class="rule" d="M{LEFT} {at[k][1]}H{WIDTH - RIGHT}"/>'
        f'<text x="{LEFT - 8}" y="{at[k][1] + 4}" text-anchor="end">{escape(table.rows[k][up])}</text>'
        for k in sorted(ends)
    )
    dots = "".join(
        f'<circle cx="{x}" cy="{y}" r="3.5"><title>{escape(table.rows[k][up])}</title></circle>'
        for k, (x, y) in enumerate(at)
    )
    caption = f"{text(headers[up])} · {text(headers[across])}"
    label = escape(" · ".join(next(iter(headers[k].values())) for k in (up, across)))
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    drawn = f'<svg {size} role="img" aria-label="{label}">{grid}{ticks}<polyline points="{line}"/>{dots}</svg>'
    return f'<figure class="plot">{drawn}<figcaption>{caption}</figcaption></figure>\n'
