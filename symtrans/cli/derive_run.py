"""What `symtrans derive` does once its options are read."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from symtrans.cli.options import read_settings
from symtrans.cli.output import save_beside
from symtrans.cli.page_file import page_file
from symtrans.cli.picture_file import write_picture
from symtrans.cli.progress import work_out
from symtrans.derive.derivation import Derivation, derive
from symtrans.derive.numerals import Style
from symtrans.errors import UsageError
from symtrans.model.spec import Spec
from symtrans.page.page_writer import page_writer
from symtrans.page.story import Layout
from symtrans.page.telling import tell


def run(
    example: str,
    *,
    dialect_name: str,
    language: str,
    format_name: str | None,
    output: str | None,
    standalone: bool,
    numbered: bool,
    plot: str | None,
    check: bool,
    no_save: bool,
    **options: Any,
) -> int:
    """Derive, write or check; the exit code."""
    if check and (output is not None or plot is not None):
        raise UsageError("--check: reports in place of a page or a picture; leave -o and --plot out")
    if plot is None and format_name is None and output is not None and Path(output).suffix.lower() == ".svg":
        plot = "graph"  # a picture of the derivation itself
    file = None if plot else page_file(format_name, output, standalone, numbered)
    derivation = derived(example, **options)
    work_out(derivation)
    if file is None:
        write_picture(str(plot), derivation, format_name, output, language, on_paper=standalone or numbered)
        return 0
    told = partial(tell, derivation, dialect_name)
    if check:
        from symtrans.cli.derive_check import report

        return report(derivation, dialect_name)
    file.write(told, language, derivation)
    otherwise = output or no_save or any(options[key] for key in ("parts", "wrt", "symbolic", "expand"))
    if not otherwise and derivation.style == Style() and file.name == "md":
        file_name = f"{_stem(derivation)}.{dialect_name}.{language}.tex"
        whole = replace(told(language), layout=Layout(standalone=True))
        save_beside(Path("output") / file_name, page_writer("tex").write(whole, derivation))
    return 0


def derived(
    example: str | Spec,
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
) -> Derivation:
    """The derivation that the options ask for."""
    style = Style("fraction" if numbers == "fraction" else "decimal", digits, full)
    chosen = read_settings(settings)
    return derive(
        example, settings=chosen, head=head, parts=parts, wrt=wrt, style=style, symbolic=symbolic, expand=expand
    )


def _stem(derivation: Derivation) -> str:
    """The saved file's name without dialect and language: `handcalc.head1.weights-softmax`."""
    pieces = [derivation.spec.name]
    if derivation.head is not None:
        pieces.append(f"head{derivation.head}")
    settings = derivation.spec.settings.items()
    pieces.extend(f"{key}-{value}" for key, value in settings if derivation.spec.is_changed(key))
    return ".".join(pieces)
