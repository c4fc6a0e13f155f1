"""What `symtrans train` does once its options are read."""

from __future__ import annotations

import json
from functools import partial

from symtrans.cli.options import read_settings
from symtrans.cli.page_file import page_file
from symtrans.cli.picture_file import write_picture
from symtrans.cli.progress import work_out
from symtrans.derive.numerals import Style
from symtrans.derive.optimizer import Optimizer
from symtrans.derive.training import Training, train
from symtrans.errors import UsageError
from symtrans.model.load import load_spec
from symtrans.model.spec import with_settings
from symtrans.page.training import loss_rows, tell_training

FORMATS = ("md", "text", "tex", "html", "pdf", "docx", "json")
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
    standalone: bool,
    numbered: bool,
    plot: str | None,
    **constants: str | None,
) -> int:
    """Train and write; the exit code."""
    file = None if plot else page_file(format_name, output, standalone, numbered)
    if file is not None and file.name not in FORMATS:
        raise UsageError(f"no format {file.name} for a training: there are {', '.join(FORMATS)}")
    style = Style("fraction" if numbers == "fraction" else "decimal", digits, full)
    spec = with_settings(load_spec(example), read_settings(settings))
    chosen = Optimizer.of(optimizer, rate, constants, warm_up)
    training = train(spec, chosen, steps, only=only, style=style)
    work_out(training.derivation)
    if file is None:
        write_picture(str(plot), training, format_name, output, language, on_paper=standalone or numbered)
    elif file.name == "json":
        file.put(_json(training, digits))
    else:
        file.write(partial(tell_training, training, dialect_name), language, training.derivation)
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
