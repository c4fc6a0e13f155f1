"""A file as it was found: its text, its encoding, and the line and column of every offset."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

from symtrans.errors import LimitError, UsageError

LARGEST = 5_000_000
"""The number of bytes up to which a file is read."""

_LINE = re.compile(r"\r\n|\r|\n")
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a document that is not a finding: what was skipped, guessed or cut; `line` 0 means the file."""

    text: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file with every character as it stands, line ends included."""

    path: str
    text: str = field(repr=False)
    encoding: str = "utf-8"
    remarks: tuple[Remark, ...] = ()
    _lines: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the lines."""
        object.__setattr__(self, "_lines", (0, *(match.end() for match in _LINE.finditer(self.text))))

    @staticmethod
    def load(path: str | Path) -> Source:
        """Read a file, or the standard input for "-".

        Raises `UsageError` for what is missing, not a file, unreadable or binary; `LimitError` beyond 5 MB.
        """
        name = str(path)
        try:
            if name == "-":
                data = sys.stdin.buffer.read(LARGEST + 1)
                name = "<stdin>"
            else:
                with Path(path).open("rb") as file:
                    data = file.read(LARGEST + 1)
        except FileNotFoundError:
            raise UsageError(f"{name} does not exist; give a file, a folder or - for the standard input") from None
        except (OSError, ValueError) as fault:
            reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else "its name is not usable"
            raise UsageError(f"{name} cannot be read: {reason}") from None
        if len(data) > LARGEST:
            raise LimitError(f"{name} is larger than {LARGEST // 1_000_000} MB, the most that is read of one file")
        return Source.decode(data, name)

    @staticmethod
    def decode(data: bytes, path: str) -> Source:
        """The text of `data`: UTF-8 (also with a byte order mark), else a guess that is reported as a remark."""
        for mark, encoding in _BOMS:
            if data.startswith(mark):
                try:
                    return Source(path, data.decode(encoding), encoding)
                except UnicodeDecodeError:
                    break
        if is_binary(data):
            raise UsageError(f"{path} is a binary file; a text with mathematics in it can be read")
        try:
            return Source(path, data.decode("utf-8"))
        except UnicodeDecodeError:
            pass
        encoding = "gb18030" if _looks_chinese(data) else "latin-1"
        guess = Remark(f"not UTF-8, read as {encoding}")
        return Source(path, data.decode(encoding), encoding, (guess,))

    def encode(self, text: str) -> bytes:
        """`text` as bytes in this file's own encoding."""
        return text.encode(self.encoding)

    def line_column(self, offset: int) -> tuple[int, int]:
        """The line and the column of a character, both from 1."""
        line = bisect_right(self._lines, max(offset, 0))
        return line, max(offset, 0) - self._lines[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a line (from 1) without its end."""
        if not 1 <= line <= len(self._lines):
            return ""
        end = self._lines[line] if line < len(self._lines) else len(self.text)
        return self.text[self._lines[line - 1] : end].rstrip("\r\n")


def is_binary(data: bytes) -> bool:
    """Whether the first bytes are those of no text: a zero byte, or many control characters."""
    head = data[:8192]
    if b"\0" in head:
        return True
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    return controls * 10 > len(head)


def _looks_chinese(data: bytes) -> bool:
    """Whether the bytes are GB18030 with at least half of its wide characters ideographs in daily use."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    wide = [character for character in text if ord(character) > 127]
    usual = sum("\u4e00" <= c <= "\u9fff" or "\u3000" <= c <= "\u303f" or "\uff00" <= c <= "\uffef" for c in wide)
    return len(wide) >= 2 and usual * 2 >= len(wide)
