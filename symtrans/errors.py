"""The faults that a person can cause, each told in one sentence: where, what, what would be accepted."""


class SymtransError(Exception):
    """A fault in what the user gave; its text is one whole sentence for the user.

    The command line prints it after `symtrans: ` and exits with `exit_code`; it is never shown
    as a traceback. What it quotes of a stranger's file stays on its one line: a character that
    cannot be printed is told as an escape (`\\n`, `\\x1b`).
    """

    exit_code = 2

    def __init__(self, sentence: str = "") -> None:
        super().__init__("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in sentence))


class UsageError(SymtransError):
    """A command, option or name that does not exist here."""


class SpecError(SymtransError):
    """A fault in a worked example's specification; the sentence names the file and the key."""


class ShapeError(SymtransError):
    """Operands whose shapes an operation does not allow."""


class Undecided(SymtransError):
    """A question about exact values that could not be settled within the precision cap."""


class LimitError(SymtransError):
    """A cap on size, depth or time was reached."""


class ConversionError(SymtransError):
    """A program that turns a page into another format is not installed, or did not do it."""


class UndefinedValue(SymtransError):
    """An operation outside its domain: a division by zero, the logarithm of a negative number."""
