"""Weights that a specification names in a file beside it: found, sliced, turned, and exact."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symtrans.errors import SpecError, SymtransError, UsageError
from symtrans.exact.dyadic import dyadic
from symtrans.exact.floats import MOST, floats
from symtrans.model.spec_file import SpecFile
from symtrans.model.toml_text import short, told
from symtrans.model.weight_format import Unreadable, WeightFormat, weight_formats

KEYS = ("file", "key", "transpose", "rows", "columns")
MAX_FILE_BYTES = 4_000_000_000
MAX_ENTRIES = 1_000_000  # of one array, after slicing, that is written out number by number
EXAMPLE = '{ file = "weights.npz", key = "W_1" }'


class Weights(SpecFile):
    """Reads arrays from files; `folder` is the specification's own, or None for a text that stands in no file."""

    def __init__(self, source: str, folder: Path | None) -> None:
        super().__init__(source)
        self.folder = folder

    def read(self, key: str, table: Mapping[str, Any]) -> Any:
        """The array that a table names, as nested lists of exact numbers (one number for an array of no axis).

        Rows and columns are cut out first, counted from 1 with both ends included; then the array is
        transposed. SpecError with file and key for a table, a file or an array that does not fit.
        """
        self.known(key, table, KEYS)
        for name in ("file", "key"):
            if not isinstance(table.get(name), str):
                what = f"is {told(table[name])}" if name in table else "is missing"
                self.fault(f"{key}.{name}", what, f"weights are named as {EXAMPLE}")
        path = self._path(key, table["file"])
        array = self._array(key, path, table)
        if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
            self.fault(key, f"{self._told(table)} holds {array.dtype}", "floats or integers up to 64 bits are read")
        array = self._turned(key, self._cut(key, array, table), table)
        return self._kept(key, array, table)

    def _told(self, table: Mapping[str, Any]) -> str:
        return f'"{short(table["key"])}" in {short(table["file"])}'

    def _path(self, key: str, name: str) -> Path:
        """The file; it lies beside the specification or below it, wherever links lead."""
        if self.folder is None:
            self.fault(key, f"names the file {short(name)}", "weights are read only by a specification that is a file")
        try:
            folder, path = self.folder.resolve(), (self.folder / name).resolve()
            if not path.is_relative_to(folder):
                self.fault(f"{key}.file", f"is {told(name)}", "a file beside the specification or below it is expected")
            if not path.is_file():
                self.fault(f"{key}.file", f"is {told(name)}, which is no file there", "the file's name is expected")
            size = path.stat().st_size
        except (OSError, ValueError, RuntimeError):
            self.fault(f"{key}.file", f"is {told(name)}, which cannot be read", "the file's name is expected")
        if size > MAX_FILE_BYTES:
            self.fault(f"{key}.file", f"{short(name)} has {size:,} bytes", f"at most {MAX_FILE_BYTES:,} are read")
        return path

    def _array(self, key: str, path: Path, table: Mapping[str, Any]) -> Any:
        formats = weight_formats()
        form = formats.get(path.suffix.removeprefix("."))
        if form is None:
            endings = " or ".join(f".{name}" for name in formats)
            self.fault(f"{key}.file", f"is {told(table['file'])}", f"a file that ends in {endings} is expected")
        try:
            self._find(key, form, path, table)
            return form.read(path, table["key"])
        except Unreadable as fault:
            self.fault(key, f"{self._told(table)} {fault}", "an array of numbers is expected")
        except ImportError:
            self.fault(
                key,
                f"{short(table['file'])} needs {form.library}, which is not installed",
                "`pip install symtrans[weights]` installs it",
            )

    def _find(self, key: str, form: WeightFormat, path: Path, table: Mapping[str, Any]) -> None:
        """Refuse a name that no array of the file has."""
        keys = list(form.keys(path))
        if table["key"] not in keys:
            close = difflib.get_close_matches(table["key"], keys, 1)
            some = ", ".join(short(name) for name in keys[:8]) + (", …" if len(keys) > 8 else "")
            hint = f"did you mean {short(close[0])}?" if close else f"there are {some}" if keys else "it has no array"
            self.fault(f"{key}.key", f"{self._told(table)} is not there", hint)

    def _cut(self, key: str, array: Any, table: Mapping[str, Any]) -> Any:
        """The rows and the columns that are asked for; an array of one axis is cut by rows."""
        for axis, name in enumerate(("rows", "columns")):
            if name not in table:
                continue
            ends = table[name]
            size = array.shape[axis] if axis < array.ndim <= 2 else 0
            whole = isinstance(ends, list) and len(ends) == 2 and all(type(end) is int for end in ends)
            if not whole or not 1 <= ends[0] <= ends[1] <= size:
                asked = f"is [{', '.join(str(end) for end in ends)}]" if whole else f"is {told(ends)}"
                accepted = f"the first and the last of its {size} {name} are expected" if size else f"it has no {name}"
                self.fault(f"{key}.{name}", f"{asked} for {self._told(table)}", accepted)
            array = array[(slice(None),) * axis + (slice(ends[0] - 1, ends[1]),)]
        return array

    def _turned(self, key: str, array: Any, table: Mapping[str, Any]) -> Any:
        turn = table.get("transpose", False)
        if not isinstance(turn, bool):
            self.fault(f"{key}.transpose", f"is {told(turn)}", "true or false is expected")
        if turn and array.ndim != 2:
            self.fault(f"{key}.transpose", f"{self._told(table)} has {array.ndim} axes", "a matrix is transposed")
        return array.T if turn else array

    def _kept(self, key: str, array: Any, table: Mapping[str, Any]) -> Any:
        """A large matrix as an array, a stack of matrices as a list of these, anything else as lists of numbers."""
        if array.ndim == 3 and array.size <= MOST:
            return [self._kept(f"{key}[{i}]", one, table) for i, one in enumerate(array, 1)]
        try:
            kept = floats(array, 1) if array.size <= MOST else None
        except UsageError as fault:
            raise SpecError(f"{self.source}: {key}{fault}") from None
        if kept is not None:
            return kept
        if array.size > MAX_ENTRIES:
            most = MOST if array.dtype.kind == "f" and array.ndim > 1 else MAX_ENTRIES
            self.fault(key, f"{self._told(table)} has {array.size:,} entries", f"at most {most:,} are read")
        return self._exact(key, array.tolist())

    def _exact(self, key: str, value: Any) -> Any:
        """Every number as the rational that it is; a fault names the entry."""
        if isinstance(value, list):
            return [self._exact(f"{key}[{i}]", one) for i, one in enumerate(value, 1)]
        try:
            return dyadic(value)
        except SymtransError as fault:
            raise SpecError(f"{self.source}: {key}: {fault}") from None
