"""The command line: `symtrans derive …`. It speaks, exits, and decides nothing."""

from __future__ import annotations

import errno

import click

from symtrans.errors import SymtransError


class Commands(click.Group):
    """The commands, each a module that is imported when it is called; faults become one sentence and exit 2."""

    NAMES = ("derive", "prove", "train", "verify", "explain", "formulas", "list", "new", "completion")

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(self.NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self.NAMES:
            return None
        from importlib import import_module

        command = import_module(f"symtrans.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run, and tell a fault in one sentence."""
        try:
            return super().invoke(ctx)
        except SymtransError as fault:
            click.echo(f"symtrans: {fault}", err=True)
            ctx.exit(fault.exit_code)
        except OSError as fault:
            if fault.errno != errno.ENOSPC:  # a closed pipe is no fault, and click ends quietly there
                raise
            click.echo(f"symtrans: the output cannot be written ({fault.strerror})", err=True)
            ctx.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="symtrans")
def main() -> None:
    """Derive a Transformer's arithmetic exactly, step by step, and verify what others have written."""
