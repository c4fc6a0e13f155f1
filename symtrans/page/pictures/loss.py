"""The losses of a training as a curve over the updates."""

from __future__ import annotations

from typing import Any

from symtrans.derive.training import Training
from symtrans.language.words import Words
from symtrans.page.picture import Picture
from symtrans.page.plotting import figure, point
from symtrans.page.training import loss_rows

DIGITS = 12
WIDE = 1000  # times as large as the smallest, beyond which losses stand on a logarithmic scale


def draw(training: Training, words: Words) -> Any:
    """The figure."""
    rows = loss_rows(training)
    counts = [count for count, _, _ in rows]
    losses = [point(loss.decimals(DIGITS)[0][0]) for _, _, loss in rows]
    drawing = figure(6, 4)
    axes = drawing.subplots()
    axes.plot(counts, losses, marker="o")
    axes.set_xlabel(words.phrases["updates"])
    axes.set_ylabel(words.phrases["loss"])
    axes.xaxis.get_major_locator().set_params(integer=True)
    if min(losses) > 0 and max(losses) > WIDE * min(losses):
        axes.set_yscale("log")
    axes.grid(visible=True, color="#dddddd")
    return drawing


PICTURE = Picture("loss", Training, draw)
