"""A bar on stderr while a person waits for long work; nothing where the work is short or stderr is no terminal."""

from __future__ import annotations

import sys

import click

from symtrans.derive.derivation import Derivation

SHORT_WORK = 500  # steps that are worked out before anybody gets impatient


def work_out(derivation: Derivation) -> None:
    """Compute the values of the steps that are told, with a bar; where no bar is shown they are left for later."""
    steps = derivation.told_steps()
    if len(steps) <= SHORT_WORK or not sys.stderr.isatty():
        return
    with click.progressbar(steps, label="working out", file=sys.stderr, show_pos=True) as bar:
        for step in bar:
            derivation.values.tensor(step.id)
