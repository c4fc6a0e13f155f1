"""A bar on stderr while a person waits for long work; nothing where the work is short or stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

import click

from symtrans.derive.derivation import Derivation

T = TypeVar("T")

SHORT_WORK = 500  # steps that are worked out before anybody gets impatient


def work_out(derivation: Derivation) -> None:
    """Compute the values of the steps that are told, with a bar; where no bar is shown they are left for later."""
    steps = derivation.told_steps()
    if len(steps) <= SHORT_WORK or not sys.stderr.isatty():
        return
    for step in progress(steps, "working out"):
        derivation.values.tensor(step.id)


def progress(pieces: Sequence[T], label: str) -> Iterator[T]:
    """The pieces of a work in turn, with a bar where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield from pieces
        return
    with click.progressbar(pieces, label=label, file=sys.stderr, show_pos=True) as bar:
        yield from bar
