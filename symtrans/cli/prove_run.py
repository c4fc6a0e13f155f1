"""What `symtrans prove` does once its options are read."""

from __future__ import annotations

import json
from pathlib import Path

import click

from symtrans.cli.options import read_settings
from symtrans.cli.output import write_file
from symtrans.cli.progress import progress
from symtrans.derive.derivation import derive
from symtrans.derive.proving import Prover
from symtrans.language.words import words
from symtrans.page.proof import proof_data, proof_text


def run(
    example: str, *, settings: tuple[str, ...], wrt: tuple[str, ...], form: str, language: str, output: str | None
) -> int:
    """Prove and write; the exit code."""
    said = words(language)
    prover = Prover(derive(example, settings=read_settings(settings), wrt=wrt or ("all",)))
    for piece in progress(prover.work, "proving"):
        prover.do(piece)
    proving = prover.result()
    text = proof_text(proving, said)
    if form == "json":
        text = json.dumps(proof_data(proving), ensure_ascii=False, indent=1) + "\n"
    if output is not None:
        write_file(Path(output), text)
    else:
        click.echo(text, nl=False)
    return 0 if proving.stands else 1
