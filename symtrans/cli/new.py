"""`symtrans new`: a specification to begin with, every key explained."""

from __future__ import annotations

import click

from symtrans.cli import completing

EPILOG = """\b
Examples:
  symtrans new my.toml                         attention in two heads on three positions
  symtrans new my.toml --architecture decoder --layers 2 --set activation=swiglu --size d_model=6
  symtrans new my.toml --language zh           explained in Chinese
"""


@click.command("new", epilog=EPILOG, short_help="Write a specification to begin with.")
@click.argument("file", metavar="FILE")
@click.option(
    "--architecture",
    default="attention",
    show_default=True,
    shell_complete=completing.ARCHITECTURES,
    help="What it is of; symtrans list architectures shows them.",
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Set a switch (repeatable).")
@click.option("--size", "sizes", multiple=True, metavar="NAME=N", help="A dimension or a length (repeatable).")
@click.option("--layers", type=int, default=1, show_default=True, help="How many layers each stack has.")
@click.option("--language", default="en", show_default=True, help="The language of the comments: en or zh.")
def command(
    file: str, architecture: str, settings: tuple[str, ...], sizes: tuple[str, ...], layers: int, language: str
) -> None:
    """Write FILE, a TOML file that derives as it stands: each key with its shape and what it is."""
    from pathlib import Path

    from symtrans.cli.options import read_settings
    from symtrans.cli.output import write_new_file
    from symtrans.language.words import words
    from symtrans.model.block import find_block
    from symtrans.model.start import start

    path = Path(file)
    lengths = {key: _size(key, value) for key, value in read_settings(sizes, "--size", "d_model=6").items()}
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in path.name.removesuffix(".toml"))[:60] or "my"
    text = start(find_block(architecture), name, words(language), read_settings(settings), lengths, layers)
    write_new_file(path, text)
    click.echo(f"symtrans: wrote {path}; symtrans derive {path} derives it", err=True)


def _size(key: str, text: str) -> int:
    from symtrans.errors import UsageError

    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise UsageError(f"--size {key}={text}: a whole number is expected")
    return int(text)
