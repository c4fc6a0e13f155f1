"""`symtrans derive --check`: the second reader's report on what a derivation writes."""

from __future__ import annotations

from collections import Counter

import click

from symtrans.derive.derivation import Derivation


def report(derivation: Derivation, dialect_name: str) -> int:
    """Print how many sides were read back and agree; 1 where one disagrees, else 0."""
    result = derivation.read_back(dialect_name)
    share = 100 * result.agreed // result.sides if result.sides else 0
    click.echo(f"sides written      {result.sides}")
    click.echo(f"read back, agree   {result.agreed} ({share} %)")
    click.echo(f"disagree           {len(result.disagreed)}")
    click.echo(f"not expressible    {len(result.cannot)}")
    for why, count in sorted(Counter(why for _, why in result.cannot).items()):
        click.echo(f"  {count} × {why}")
    for line in result.disagreed:
        click.echo(f"disagreement: {line}", err=True)
    return 1 if result.disagreed else 0
