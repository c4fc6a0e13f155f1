"""Where a page goes and as what: the format that is asked for, with its options, and the file that is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from symtrans.cli.output import write_file
from symtrans.cli.terminal import fitted, show
from symtrans.derive.derivation import Derivation
from symtrans.errors import ConversionError, UsageError
from symtrans.page.converter import Converter, converters
from symtrans.page.page_writer import PageWriter, page_writers
from symtrans.page.story import Layout, Story


@dataclass(frozen=True, slots=True)
class PageFile:
    """A page's format and place: `converter` where the file is no text, `path` None for the standard output."""

    name: str
    writer: PageWriter
    converter: Converter | None
    path: Path | None
    layout: Layout

    def write(self, told: Callable[[str], Story], language: str, derivation: Derivation) -> None:
        """Write the page that `told` gives in a language.

        Where a converter fails, what it starts from is left beside, and the fault says so.
        """
        story = fitted(told(language), None if self.path is None else str(self.path))
        laid_out = replace(story, layout=self.layout)
        text = self.writer.page(laid_out, told, derivation)
        if self.converter is None:
            self.put(text)
            return
        assert self.path is not None
        try:
            write_file(self.path, self.converter.convert(text, laid_out))
        except ConversionError as fault:
            beside = self.path.with_suffix(self.writer.endings[0])
            if beside.exists():
                raise ConversionError(f"{fault}; {beside} is there already, so the page is not left beside") from None
            write_file(beside, text)
            raise ConversionError(f"{fault}; {beside} holds the page") from None

    def put(self, text: str) -> None:
        """Write a text to the file, or print it."""
        if self.path is None:
            show(text)
        else:
            write_file(self.path, text)


def page_file(format_name: str | None, output: str | None, standalone: bool, numbered: bool) -> PageFile:
    """The format and place that options ask for: the format's name, or the ending of `-o`, or Markdown.

    Raises UsageError for a format that is not there, and for options that it does not heed.
    """
    formats: dict[str, PageWriter | Converter] = {**page_writers(), **converters()}
    formats = dict(sorted(formats.items()))
    name = format_name or ("md" if output is None else _told_by_ending(output, formats))
    if name not in formats:
        raise UsageError(f"no format {name}: there are {', '.join(formats)}")
    chosen = formats[name]
    if (standalone or numbered) and not chosen.is_paper:
        told = ", ".join(key for key, one in formats.items() if one.is_paper)
        raise UsageError(f"{'--standalone' if standalone else '--numbered'}: {name} has no such layout; {told} have it")
    path = None if output is None else Path(output)
    if isinstance(chosen, PageWriter):
        return PageFile(name, chosen, None, path, Layout(standalone, numbered))
    if path is None:
        raise UsageError(f"--format {name}: is no text, so it needs a file; give one with -o FILE{chosen.endings[0]}")
    return PageFile(name, chosen.writer, chosen, path, Layout(True, numbered))


def _told_by_ending(path: str, formats: dict[str, PageWriter | Converter]) -> str:
    """The format that a file's ending tells; UsageError where none does."""
    ending = PurePath(path).suffix.lower()
    for name, one in formats.items():
        if ending in one.endings:
            return name
    endings = ", ".join(ending for one in formats.values() for ending in one.endings)
    raise UsageError(f"{path}: its ending tells no format; endings are {endings}, or give --format")
