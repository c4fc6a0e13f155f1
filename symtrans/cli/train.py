"""`symtrans train`: several updates of an example's parameters, worked out, with a table of losses."""

from __future__ import annotations

import sys
from typing import Any

import click

from symtrans.cli import completing
from symtrans.cli.options import number_options, page_options, paper_options, plot_option

EPILOG = """\b
Examples:
  symtrans train encoder --steps 3 --optimizer adam --rate 0.01
  symtrans train handcalc --set weights=softmax --rate 0.001
  symtrans train gpt --optimizer momentum --of W_1 --of b_1 -o updates.tex
  symtrans train encoder --steps 20 --plot loss -o loss.svg
"""


@click.command("train", epilog=EPILOG, short_help="Update an example's parameters step by step.")
@click.argument("example", default="handcalc", shell_complete=completing.EXAMPLES)
@click.option("--steps", type=int, default=1, show_default=True, help="How many updates, at most 100.")
@click.option("--optimizer", default="sgd", show_default=True, help="sgd, momentum, adam or adamw.")
@click.option("--rate", default="0.1", show_default=True, help="The learning rate.")
@click.option("--momentum", help="What is left of the velocity at each update [0.9].")
@click.option("--beta1", help="The decay of the first moment [0.9].")
@click.option("--beta2", help="The decay of the second moment [0.999].")
@click.option("--epsilon", help="What is added to the root of the second moment [1e-8].")
@click.option("--weight-decay", help="AdamW's decay of the parameters [0.01].")
@click.option("--warm-up", type=click.IntRange(0, 1_000_000), default=0, help="Updates of warm-up; 0 for a fixed rate.")
@click.option("--of", "only", multiple=True, metavar="NAME", help="Train only this parameter (repeatable).")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Set a switch of the example (repeatable).")
@number_options
@page_options("md, text, tex, html, pdf, docx or json")
@paper_options
@plot_option("loss", "the losses over the updates")
def command(example: str, **options: Any) -> None:
    """Update the parameters of EXAMPLE, a bundled example's name or a TOML file, and tell every update."""
    from symtrans.cli.train_run import run

    sys.exit(run(example, **options))
