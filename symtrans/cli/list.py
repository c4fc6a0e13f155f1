"""`symtrans list`: the members of an open set, as a table."""

from __future__ import annotations

from collections.abc import Callable

import click

EPILOG = """\b
Examples:
  symtrans list                                what there are lists of
  symtrans list examples                       the bundled examples
  symtrans list ops --format json              the operations, for a program
"""

Rows = list[dict[str, str]]


def _architectures() -> Rows:
    from symtrans.model.block import blocks

    return [
        {"name": block.name, "stacks": ", ".join(block.stacks), "switches": ", ".join(block.switches)}
        for block in blocks().values()
    ]


def _examples(language: str) -> Rows:
    import tomllib

    from symtrans.model.load import EXAMPLES
    from symtrans.registry import files

    tables = {name: tomllib.loads(text) for name, text in files(EXAMPLES, ".toml").items()}
    return [
        {"name": name, "architecture": table["architecture"], "title": table["title"].get(language, name)}
        for name, table in tables.items()
    ]


def _ops() -> Rows:
    from symtrans.ops import all_ops

    return [
        {
            "name": op.name,
            "operands": ", ".join(f"{o.name} {_shape(o.shape)}" + ("…" if o.variadic else "") for o in op.operands),
            "result": f"{op.result.name} {_shape(op.result.shape)}",
            "source": op.source,
        }
        for op in all_ops().values()
    ]


def _shape(letters: tuple[str, ...]) -> str:
    return "×".join(letters) if letters else "1"


def _rules() -> Rows:
    from symtrans.check.rule import rules

    return [{"code": code, "title": rule.title} for code, rule in rules().items()]


def _dialects() -> Rows:
    from symtrans.notation.dialect import dialect_names, load_dialect

    return [{"name": name, "title": load_dialect(name).title} for name in dialect_names()]


def _languages() -> Rows:
    from symtrans.language.words import languages, words

    return [{"code": code, "name": words(code).name} for code in languages()]


def _formats() -> Rows:
    from symtrans.document.read import formats
    from symtrans.page.converter import Converter, converters
    from symtrans.page.page_writer import PageWriter, page_writers
    from symtrans.page.report import report_writers

    pages: list[PageWriter | Converter] = [*page_writers().values(), *converters().values()]
    written = [{"name": page.name, "use": "derive", "endings": " ".join(page.endings)} for page in pages]
    told = [{"name": name, "use": "verify, its report", "endings": ""} for name in report_writers()]
    read = [{"name": f.name, "use": "verify, read", "endings": " ".join(f.endings)} for f in formats().values()]
    return [*written, *told, *read]


def _pictures() -> Rows:
    from symtrans.page.picture import pictures

    uses = {"Derivation": "derive", "Training": "train"}
    return [{"name": name, "use": uses[one.subject.__name__]} for name, one in pictures().items()]


KINDS: dict[str, tuple[str, Callable[[str], Rows]]] = {
    "architectures": ("what a specification can be of", lambda language: _architectures()),
    "dialects": ("spellings of formulas", lambda language: _dialects()),
    "examples": ("bundled worked examples", _examples),
    "formats": ("files that are written and read", lambda language: _formats()),
    "languages": ("languages of pages and reports", lambda language: _languages()),
    "ops": ("operations, with their shapes and sources", lambda language: _ops()),
    "pictures": ("what --plot draws", lambda language: _pictures()),
    "rules": ("codes of the verifier; symtrans explain CODE tells more", lambda language: _rules()),
}


@click.command("list", epilog=EPILOG, short_help="List examples, operations, rules and more.")
@click.argument("kind", required=False, type=click.Choice(list(KINDS)))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--language", default="en", show_default=True, help="The language of the titles: en or zh.")
def command(kind: str | None, form: str, language: str) -> None:
    """List what there is of a KIND, or which kinds there are."""
    from symtrans.language.words import words

    rows = (
        KINDS[kind][1](words(language).code) if kind else [{"kind": k, "what": told} for k, (told, _) in KINDS.items()]
    )
    if form == "json":
        import json

        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    widths = {key: max(len(row[key]) for row in rows) for key in rows[0]}
    *_, last = widths
    for row in rows:
        click.echo("  ".join(text if key == last else text.ljust(widths[key]) for key, text in row.items()))
