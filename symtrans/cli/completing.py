"""What may stand at a place of the command line, for a shell that completes it; nothing is imported before it asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

Completing = Callable[["click.Context", "click.Parameter", str], "list[CompletionItem]"]


def _among(names: Callable[[], Any], *, files: bool = False) -> Completing:
    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
        return [*found, CompletionItem(incomplete, type="file")] if files else found

    return complete


def _examples() -> list[str]:
    from symtrans.model.load import examples

    return examples()


def _dialects() -> list[str]:
    from symtrans.notation.dialect import dialect_names

    return dialect_names()


def _languages() -> list[str]:
    from symtrans.language.words import languages

    return languages()


def _formats() -> list[str]:
    from symtrans.page.converter import converters
    from symtrans.page.page_writer import page_writers

    return sorted((*page_writers(), *converters()))


def _architectures() -> list[str]:
    from symtrans.model.block import blocks

    return list(blocks())


EXAMPLES = _among(_examples, files=True)
DIALECTS = _among(_dialects)
LANGUAGES = _among(_languages)
FORMATS = _among(_formats)
ARCHITECTURES = _among(_architectures)
