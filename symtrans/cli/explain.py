"""`symtrans explain`: what a code of the verifier means."""

from __future__ import annotations

import click

EPILOG = """\b
Examples:
  symtrans explain                             all codes
  symtrans explain ST101                       a wrong value
"""


@click.command("explain", epilog=EPILOG, short_help="Explain the codes of verify.")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
def command(codes: tuple[str, ...]) -> None:
    """Explain the verifier's codes: all in a line each, or those given in full."""
    from symtrans.check.rule import find_rule, rules

    if not codes:
        for code, rule in rules().items():
            click.echo(f"{code}  {rule.title}")
    for code in codes:
        rule = find_rule(code.upper())
        click.echo(f"{rule.name}  {rule.title}\n\n{rule.help}")
