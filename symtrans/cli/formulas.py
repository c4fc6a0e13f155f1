"""`symtrans formulas`: the 25 formulas of the Transformer, or one of them with its vjp."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from symtrans.model.formula import Formula


@click.command("formulas", short_help="List the 25 formulas, or show one.")
@click.argument("number", type=int, required=False)
@click.option("--format", "form", type=click.Choice(["text", "md", "json"]), default="text", help="The format.")
@click.option("--language", default="en", help="The language of the sections: en or zh.")
def command(number: int | None, form: str, language: str) -> None:
    """List the 25 formulas by section, or show the one of this NUMBER."""
    import json

    from symtrans.language.words import words
    from symtrans.model.formula import find_formula, formulas

    code = words(language).code
    chosen = formulas() if number is None else (find_formula(number),)
    if form == "json":
        rows = [_row(formula, code) for formula in chosen]
        click.echo(json.dumps(rows if number is None else rows[0], ensure_ascii=False, indent=2))
        return
    section, mark = None, "$$" if form == "md" else ""
    for formula in chosen:
        if formula.section[code] != section:
            section = formula.section[code]
            click.echo(f"## {section}\n" if form == "md" else section)
        click.echo(f"{formula.number}. {mark}{formula.latex}{mark}  [{formula.status}]")
        if number is not None:
            click.echo(f"   {formula.shapes}")
            for line in formula.vjp:
                click.echo(f"   {mark}{line}{mark}")
            for line in formula.invariants:
                click.echo(f"   {mark}{line}{mark}")
            if formula.evaluation:
                operands = ", ".join(_matrix(rows) for rows in formula.evaluation["operands"])
                click.echo(f"   {formula.op}: {operands} -> {_matrix(formula.evaluation['result'])}")
            click.echo(f"   {formula.pitfall[code]}\n   {formula.source}")


def _matrix(rows: list[list[str]]) -> str:
    """A matrix on one line."""
    return "[" + "; ".join(" ".join(row) for row in rows) + "]"


def _row(formula: Formula, code: str) -> dict[str, object]:
    """What the JSON tells of a formula."""
    return {
        "number": formula.number,
        "section": formula.section[code],
        "latex": formula.latex,
        "status": formula.status,
        "shapes": formula.shapes,
        "vjp": list(formula.vjp),
        "pitfall": formula.pitfall[code],
        "source": formula.source,
        "invariants": list(formula.invariants),
        "evaluation": formula.evaluation,
        "op": formula.op,
    }
