"""`symtrans derive`: a worked example as a solution, on stdout or in a file."""

from __future__ import annotations

import sys
from typing import Any

import click

from symtrans.cli import completing
from symtrans.cli.options import number_options, page_options, paper_options, plot_option

EPILOG = """\b
Examples:
  symtrans derive                              the bundled hand calculation
  symtrans derive --head 1                     only what head 1 needs
  symtrans derive --set weights=softmax --set scale=sqrt
  symtrans derive --wrt W_Q1 --wrt W_O         gradients, step by step
  symtrans derive gpt --numbers fraction       another of the bundled examples
  symtrans derive my.toml -o solution.tex      your own example, as LaTeX for \\input
  symtrans derive my.toml -o solution.pdf      the same as a PDF, by the TeX that is installed
  symtrans derive gpt -o gpt.html              a web page: point at an entry to see its sum
  symtrans derive my.toml -o solution.ipynb    as a notebook that derives it again
  symtrans derive encoder -o graph.svg         the graph of its steps as a picture
  symtrans derive gpt --plot attention -o weights.svg
  symtrans derive --wrt all -o check.py        a NumPy script that computes it again
"""


@click.command("derive", epilog=EPILOG, short_help="Write the worked solution of an example.")
@click.argument("example", default="handcalc", shell_complete=completing.EXAMPLES)
@click.option("--head", type=int, help="Only the lines that this head needs, counted from 1.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Set a switch of the example (repeatable).")
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="PART",
    help="Only inputs, forward, loss, backward or update (repeatable).",
)
@click.option(
    "--wrt", multiple=True, metavar="NAME", help="Derive the gradient with respect to NAME, or all (repeatable)."
)
@click.option("--symbolic", is_flag=True, help="Tell each step's entries as symbols before the numbers.")
@click.option(
    "--expand", is_flag=True, help="Compose steps into full expressions in the inputs' entries (small models)."
)
@number_options
@page_options("md, text, tex, html, pdf, docx, notebook, json or python (a NumPy script)")
@paper_options
@plot_option("graph or attention", "the steps, which an .svg is by itself, or the attention weights as heat maps")
@click.option(
    "--check", is_flag=True, help="Read every side back with the second reader, and report instead of printing."
)
@click.option("--no-save", is_flag=True, help="Do not save the .tex in output/.")
def command(example: str, **options: Any) -> None:
    """Write the worked solution of EXAMPLE: a bundled example's name, or a TOML file."""
    from symtrans.cli.derive_run import run

    sys.exit(run(example, **options))
