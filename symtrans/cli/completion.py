"""`symtrans completion`: what a shell needs to complete commands, options, examples and names."""

from __future__ import annotations

import click

EPILOG = """\b
Examples:
  symtrans completion bash >> ~/.bashrc
  symtrans completion zsh >> ~/.zshrc
  symtrans completion fish > ~/.config/fish/completions/symtrans.fish
"""


@click.command("completion", epilog=EPILOG, short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that lets SHELL complete what is typed."""
    from click.shell_completion import get_completion_class

    from symtrans.cli.main import main

    kind = get_completion_class(shell)
    assert kind is not None  # click has these three
    click.echo(kind(main, {}, "symtrans", "_SYMTRANS_COMPLETE").source())
