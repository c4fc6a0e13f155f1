"""`symtrans formulas`: the 25 formulas of the Transformer, or one of them with all that is known of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from symtrans.language.words import Words
    from symtrans.model.formula import Formula


EPILOG = """\b
Examples:
  symtrans formulas                            all, by section
  symtrans formulas 9                          the layer norm, with its vjp
  symtrans formulas 9 --format md              the same for a page
"""


@click.command("formulas", epilog=EPILOG, short_help="List the 25 formulas, or show one.")
@click.argument("number", type=int, required=False)
@click.option("--format", "form", type=click.Choice(["text", "md", "json"]), default="text", show_default=True)
@click.option("--language", default="en", show_default=True, help="The language of the words: en or zh.")
def command(number: int | None, form: str, language: str) -> None:
    """List the 25 formulas by section, or show the one of this NUMBER."""
    import json

    from symtrans.language.words import words
    from symtrans.model.formula import find_formula, formulas

    told = words(language)
    chosen = formulas() if number is None else (find_formula(number),)
    if form == "json":
        rows = [_row(formula, told.code) for formula in chosen]
        click.echo(json.dumps(rows if number is None else rows[0], ensure_ascii=False, indent=2))
        return
    lines = _listed(chosen, told, form) if number is None else _shown(chosen[0], told, form)
    click.echo("\n".join(lines))


def _listed(chosen: tuple[Formula, ...], words: Words, form: str) -> Iterator[str]:
    """The formulas under their sections."""
    section = ""
    for formula in chosen:
        if formula.section[words.code] != section:
            if section:
                yield ""
            section = formula.section[words.code]
            yield from [f"## {section}", ""] if form == "md" else [section]
        standing = words.formulas[f"standing.{formula.standing}"]
        if form == "md":
            yield from (f"{formula.number}. ({standing})", "", f"   $${formula.latex}$$", "")
        else:
            yield f"{formula.number:>4}. {formula.latex}  [{standing}]"


def _shown(formula: Formula, words: Words, form: str) -> Iterator[str]:
    """One formula and the parts of its sheet."""
    from symtrans.page.formula_sheet import sheet

    heading = f"{formula.section[words.code]}: {words.formulas['formula'].format(number=formula.number)}"
    parts = sheet(formula, words)
    if form == "md":
        yield from (f"# {heading}", "", f"$${formula.latex}$$")
        for part in parts:
            yield from ("", f"## {part.heading}")
            for item in part.items:
                yield from ("", _escaped(item) if isinstance(item, str) else f"$${item.latex}$$")
        return
    yield from (heading, "", f"  {formula.latex}")
    for part in parts:
        yield from ("", part.heading)
        yield from (f"  {item if isinstance(item, str) else item.line}" for item in part.items)


def _escaped(text: str) -> str:
    """Running text whose underscores are no emphasis in Markdown."""
    return text.replace("\\", "\\\\").replace("_", "\\_")


def _row(formula: Formula, code: str) -> dict[str, object]:
    """What the JSON tells of a formula."""
    example = formula.evaluation
    return {
        "number": formula.number,
        "section": formula.section[code],
        "latex": formula.latex,
        "status": formula.status,
        "evidence": formula.evidence[code],
        "shapes": formula.shapes[code],
        "vjp": list(formula.vjp),
        "derivation": list(formula.derivation),
        "invariants": list(formula.invariants),
        "pitfall": formula.pitfall[code],
        "source": formula.source,
        "op": formula.op,
        "names": dict(formula.names),
        "evaluation": {
            "numbers": dict(example.numbers),
            "steps": [list(step) for step in example.steps],
            "results": list(example.results),
            "cotangents": dict(example.cotangents),
        },
    }
