"""What `symtrans derive` does once its options are read."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from symtrans.cli.options import read_settings
from symtrans.cli.output import save_beside, write_file
from symtrans.cli.progress import work_out
from symtrans.cli.terminal import fitted, show
from symtrans.derive.derivation import Derivation, derive
from symtrans.derive.numerals import Style
from symtrans.page.page_writer import format_of, page_writer
from symtrans.page.telling import tell


def run(
    example: str,
    *,
    head: int | None,
    settings: tuple[str, ...],
    parts: tuple[str, ...],
    wrt: tuple[str, ...],
    symbolic: bool,
    expand: bool,
    numbers: str,
    digits: int,
    full: bool,
    dialect_name: str,
    language: str,
    format_name: str | None,
    output: str | None,
    check: bool,
    no_save: bool,
) -> int:
    """Derive, write or check; the exit code."""
    name = format_name or ("md" if output is None else format_of(output))
    writer = page_writer(name)
    style = Style("fraction" if numbers == "fraction" else "decimal", digits, full)
    chosen = read_settings(settings)
    derivation = derive(
        example, settings=chosen, head=head, parts=parts, wrt=wrt, style=style, symbolic=symbolic, expand=expand
    )
    work_out(derivation)
    told = partial(tell, derivation, dialect_name)
    if check:
        from symtrans.cli.derive_check import report

        return report(derivation, dialect_name)
    story = told(language)
    text = writer.page(fitted(story, output), told, derivation)
    if output is not None:
        write_file(Path(output), text)
        return 0
    show(text)
    plain = not (parts or wrt or symbolic or expand or no_save) and style == Style() and name == "md"
    if plain:
        file_name = f"{_stem(derivation)}.{dialect_name}.{language}.tex"
        save_beside(Path("output") / file_name, page_writer("tex").write(story, derivation))
    return 0


def _stem(derivation: Derivation) -> str:
    """The saved file's name without dialect and language: `handcalc.head1.weights-softmax`."""
    pieces = [derivation.spec.name]
    if derivation.head is not None:
        pieces.append(f"head{derivation.head}")
    settings = derivation.spec.settings.items()
    pieces.extend(f"{key}-{value}" for key, value in settings if derivation.spec.is_changed(key))
    return ".".join(pieces)
