"""Verifying from Python: a document in, a report out that can be asked, printed, and shown by a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from symtrans.check.apart import verify_apart
from symtrans.check.finding import Coverage, LinkVerdict
from symtrans.check.verify import FileResult, Order
from symtrans.document.source import Source
from symtrans.language.words import words
from symtrans.page.report import report_writer, worth_telling
from symtrans.shown import Shown

TEXT = "<text>"


@dataclass(frozen=True, eq=False)
class Report(Shown):
    """What is to be said of a document."""

    result: FileResult
    language: str = "en"

    @property
    def links(self) -> tuple[LinkVerdict, ...]:
        """The judgement of every relation, in order."""
        return self.result.report.links

    @property
    def findings(self) -> list[LinkVerdict]:
        """The judgements worth a line: whatever does not simply hold."""
        return [link for link in self.links if worth_telling(link)]

    @property
    def verdicts(self) -> Mapping[str, int]:
        """How many relations got each verdict."""
        return dict(sorted(Counter(link.verdict for link in self.links).items()))

    @property
    def coverage(self) -> Coverage:
        """How much was seen, read and judged."""
        return self.result.report.coverage

    @property
    def fails(self) -> bool:
        """Whether something is wrong; a difference in the last digit, or one that rounding explains, is not."""
        return self.result.failed or any(link.is_failure for link in self.links)

    @property
    def mended(self) -> str | None:
        """The text with right numbers, where that was asked for and changes something."""
        return self.result.mended

    def __str__(self) -> str:
        return report_writer("text").write([self.result], words(self.language))

    def __repr__(self) -> str:
        told = ", ".join(f"{count} {verdict}" for verdict, count in self.verdicts.items())
        return f"<report on {self.result.report.path}: {told or 'nothing to judge'}>"


def verify(document: str | Path, *, readers: int = 2, mend: bool = False, language: str = "en") -> Report:
    """Judge every equality of a document: a file, by its path, or a text, which is Markdown unless it looks otherwise.

    A `str` is a path where it is a file's, or one word with an ending (`notes.md`); everything else is
    text. `mend` works the right numbers in, as `--fix` does, and changes no file. Raises `UsageError` or
    `LimitError`, one sentence each, for what cannot be read; nothing in a document is carried out.
    """
    told = words(language)
    source = Source.load(document) if _is_path(document) else Source(TEXT, str(document))
    (result,) = verify_apart([Order(source.path, readers, mend, source=source)])
    return Report(result, told.code)


def _is_path(document: str | Path) -> bool:
    if isinstance(document, Path):
        return True
    if "\n" in document or len(document) > 1000 or not document.strip():
        return False
    plain = not any(mark in document for mark in "$\\= \0")
    return plain and (Path(document).is_file() or Path(document).suffix[1:].isalpha())
