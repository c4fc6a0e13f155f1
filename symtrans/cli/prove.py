"""`symtrans prove`: what of an example's gradients is proven, and what is only supported."""

from __future__ import annotations

import sys
from typing import Any

import click

from symtrans.cli import completing

EPILOG = """\b
Examples:
  symtrans prove encoder                       every gradient of the encoder layer
  symtrans prove gpt --wrt E                   one gradient, and the lines that it needs
  symtrans prove handcalc --set weights=softmax --format json
"""


@click.command("prove", epilog=EPILOG, short_help="Prove an example's gradients.")
@click.argument("example", default="handcalc", shell_complete=completing.EXAMPLES)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Set a switch of the example (repeatable).")
@click.option(
    "--wrt", multiple=True, metavar="NAME", help="Only the gradient with respect to NAME (repeatable); by default all."
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--language",
    default="en",
    show_default=True,
    shell_complete=completing.LANGUAGES,
    help="The language of the words: en or zh.",
)
@click.option("-o", "--output", metavar="FILE", help="Write there instead of to stdout.")
def command(example: str, **options: Any) -> None:
    """Prove the gradients of EXAMPLE, a bundled example's name or a TOML file: each line, and each as a whole.

    The exit code is 1 where something is refuted or undecided.
    """
    from symtrans.cli.prove_run import run

    sys.exit(run(example, **options))
