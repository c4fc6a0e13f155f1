"""What `symtrans train` does once its options are read."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from symtrans.cli.options import read_settings
from symtrans.cli.output import write_file
from symtrans.cli.progress import work_out
from symtrans.cli.terminal import fitted, show
from symtrans.derive.numerals import Style
from symtrans.derive.optimizer import Optimizer
from symtrans.derive.training import Training, train
from symtrans.errors import UsageError
from symtrans.model.load import load_spec
from symtrans.model.spec import with_settings
from symtrans.page.page_writer import format_of, page_writer
from symtrans.page.training import loss_rows, tell_training

FORMATS = ("md", "text", "tex", "html", "json")
SCHEMA = 1


def run(
    example: str,
    *,
    steps: int,
    optimizer: str,
    rate: str,
    warm_up: int,
    only: tuple[str, ...],
    settings: tuple[str, ...],
    numbers: str,
    digits: int,
    full: bool,
    dialect_name: str,
    language: str,
    format_name: str | None,
    output: str | None,
    **constants: str | None,
) -> int:
    """Train and write; the exit code."""
    name = format_name or ("md" if output is None else format_of(output))
    if name not in FORMATS:
        raise UsageError(f"no format {name} for a training: there are {', '.join(FORMATS)}")
    style = Style("fraction" if numbers == "fraction" else "decimal", digits, full)
    spec = with_settings(load_spec(example), read_settings(settings))
    chosen = Optimizer.of(optimizer, rate, constants, warm_up)
    training = train(spec, chosen, steps, only=only, style=style)
    work_out(training.derivation)
    if name == "json":
        text = _json(training, digits)
    else:
        told = partial(tell_training, training, dialect_name)
        text = page_writer(name).page(fitted(told(language), output), told, training.derivation)
    if output is not None:
        write_file(Path(output), text)
    else:
        show(text)
    return 0


def _json(training: Training, digits: int) -> str:
    """The losses and every parameter after every update, exactly where that is short, and certified."""
    optimizer, derivation = training.optimizer, training.derivation
    rows = []
    for count, rate, loss in loss_rows(training):
        values = {}
        for parameter in training.parameters:
            step = derivation[f"{parameter}@{count}" if count else parameter]
            values[parameter] = step.decimals(digits)
        rows.append(
            {
                "updates": count,
                "rate": None if rate is None else rate.decimals(digits)[0][0],
                "loss": {"exact": loss.exact()[0][0], "decimal": loss.decimals(digits)[0][0]},
                "parameters": values,
            }
        )
    data = {
        "schema": SCHEMA,
        "example": derivation.spec.name,
        "settings": dict(derivation.spec.settings),
        "optimizer": optimizer.kind,
        "rate": optimizer.rate.text,
        "constants": {key: value.text for key, value in optimizer.constants.items()},
        "warm_up": optimizer.warm_up,
        "steps": rows,
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
