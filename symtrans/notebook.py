"""The notebook's commands, after `%load_ext symtrans`: `%%symtrans derive` on TOML, `%%symtrans verify` on a page."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symtrans.errors import SymtransError, UsageError

if TYPE_CHECKING:
    import click

    from symtrans.derive.derivation import Derivation
    from symtrans.derive.steps import DerivedStep
    from symtrans.page.story import Story
    from symtrans.page.verification import Report

# What `symtrans derive` and `symtrans verify` take and a cell has no use for, or no files for.
DERIVE_OPTIONS = {"head", "settings", "parts", "wrt", "symbolic", "expand", "numbers", "digits", "full"}
TELLING_OPTIONS = {"dialect_name", "language"}
VERIFY_OPTIONS = {"readers", "fix", "language"}


@dataclass(frozen=True, eq=False)
class Solution:
    """What `%%symtrans derive` gives: the derivation, shown as the page in the language and dialect asked for."""

    derivation: Derivation
    story: Story

    def __getitem__(self, step_id: str) -> DerivedStep:
        """A step by its id."""
        return self.derivation[step_id]

    def _repr_markdown_(self) -> str:
        from symtrans.page.page_writer import page_writer

        return page_writer("md").write(self.story, self.derivation)

    def __repr__(self) -> str:
        return f"<solution of {self.derivation.spec.name}>"


def load_ipython_extension(shell: Any) -> None:
    """Register `%symtrans` and `%%symtrans`."""
    shell.register_magic_function(magic, "line_cell", "symtrans")


def magic(line: str, cell: str | None = None) -> Solution | Report | None:
    """`derive [EXAMPLE] [options]` or `verify [FILE] [options]`, with a cell for the example or the document."""
    from IPython.core.error import UsageError as Refusal

    try:
        try:
            command, *arguments = shlex.split(line) or [""]
        except ValueError:
            raise UsageError(f"%symtrans {line}: a quotation mark is not closed") from None
        match command:
            case "derive":
                return derive(arguments, cell)
            case "verify":
                return verify(arguments, cell)
        raise UsageError(f"%%symtrans {command}: is no command here; there are derive and verify")
    except SymtransError as fault:
        raise Refusal(f"symtrans: {fault}") from None


def derive(arguments: list[str], cell: str | None = None) -> Solution | None:
    """The solution of the example that the cell specifies, or of one by its name or file."""
    from symtrans.cli.derive import command
    from symtrans.cli.derive_run import derived
    from symtrans.derive.derivation import loads
    from symtrans.page.telling import tell

    context = _parsed(command, "derive", arguments, {"example", *DERIVE_OPTIONS, *TELLING_OPTIONS})
    if context is None:
        return None
    given = context.params
    if cell is not None and _is_given(context, "example"):
        raise UsageError(f"%%symtrans derive {given['example']}: the cell is the example; leave one of them out")
    example = given["example"] if cell is None else loads(cell).spec
    derivation = derived(example, **{key: given[key] for key in DERIVE_OPTIONS})
    return Solution(derivation, tell(derivation, given["dialect_name"], given["language"]))


def verify(arguments: list[str], cell: str | None = None) -> Report | None:
    """The report on the document that the cell is, or on one file."""
    from pathlib import Path

    from symtrans.cli.verify import command
    from symtrans.page import verification

    if cell is not None and not any(one in ("-h", "--help") for one in arguments):
        arguments = [*arguments, "-"]
    context = _parsed(command, "verify", arguments, {"paths", *VERIFY_OPTIONS})
    if context is None:
        return None
    given = context.params
    if len(given["paths"]) != 1:
        raise UsageError("%%symtrans verify: the cell is the document, or one file; symtrans verify judges several")
    document: str | Path = Path(given["paths"][0]) if cell is None else cell.rstrip("\n") + "\n"
    return verification.verify(document, readers=given["readers"], mend=given["fix"], language=given["language"])


def _parsed(command: click.Command, name: str, arguments: list[str], known: set[str]) -> click.Context | None:
    """The options as the command line reads them; UsageError for those that are none in a cell; None for its help."""
    import click

    try:
        context = command.make_context(f"%%symtrans {name}", list(arguments))
    except click.exceptions.Exit:
        return None
    except click.ClickException as fault:
        raise UsageError(fault.format_message()) from None
    for parameter in command.params:
        if parameter.name not in known and _is_given(context, str(parameter.name)):
            raise UsageError(f"{parameter.opts[0]}: is for the command line, and not for a cell")
    return context


def _is_given(context: click.Context, name: str) -> bool:
    from click.core import ParameterSource

    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE
