"""Reading the quantities of a specification: matrices, rows, tokens, masks, each checked against its declaration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from symtrans.errors import SpecError, SymtransError
from symtrans.exact.floats import Floats
from symtrans.exact.written import Written
from symtrans.model.quantity import Quantity
from symtrans.model.spec import Literal
from symtrans.model.spec_file import SpecFile
from symtrans.model.tape import Cell
from symtrans.model.toml_text import Bare, short, told
from symtrans.model.weights import Weights

MAX_ENTRIES = 100_000
ZERO, ONE = Written.parse("0"), Written.parse("1")


class QuantityReader(SpecFile):
    """Reads quantities; `dimensions` grows by those that only their shapes tell.

    A cell is a quoted number, or one that is exact already: an array's entry (`model.weights`).
    """

    def __init__(self, source: str, dimensions: dict[str, int], folder: Path | None = None) -> None:
        super().__init__(source)
        self.dimensions = dimensions
        self.weights = Weights(source, folder)

    def read(self, key: str, value: Any, quantity: Quantity) -> tuple[Literal, ...]:
        """One literal, or one for each owner where every owner may have its own."""
        value = self._from_file(key, value, quantity)
        if quantity.copies and isinstance(value, list) and value and _depth(value) > _depth_of(quantity):
            count = self.dimensions[quantity.copies]
            if len(value) != count:
                owners = quantity.copies.replace("_", " ")
                self.fault(
                    key, f"has {len(value)} matrices", f"one, or one for each of the {count} {owners}, is expected"
                )
            return tuple(self._one(f"{key}[{i}]", one, quantity) for i, one in enumerate(value, 1))
        if quantity.kind == "matrix" and not quantity.copies and isinstance(value, list) and _depth(value) > 2:
            self.fault(key, "is a list of matrices", "one matrix is expected")
        return (self._one(key, value, quantity),)

    def _from_file(self, key: str, value: Any, quantity: Quantity) -> Any:
        """What stands in place of a table that names an array, or of one such table for each owner."""
        if quantity.copies and isinstance(value, list) and any(isinstance(one, dict) for one in value):
            return [
                self._array(f"{key}[{i}]", one, quantity) if isinstance(one, dict) else one
                for i, one in enumerate(value, 1)
            ]
        if not isinstance(value, dict):
            return value
        array = self._array(key, value, quantity)
        if quantity.copies and quantity.kind != "row" and _depth(array) == _depth_of(quantity):
            return self._parted(array, quantity)
        return array

    def _array(self, key: str, table: dict[str, Any], quantity: Quantity) -> Any:
        if quantity.kind not in ("matrix", "row", "column", "number"):
            self.fault(key, "is a table", f"{quantity.kind} are written in the specification itself")
        return self.weights.read(key, table)

    def _parted(self, array: Any, quantity: Quantity) -> Any:
        """An array cut by columns, or by entries, where it holds as many as all owners have together."""
        count = self.dimensions[quantity.copies]
        width = self._length(quantity.shape[0 if quantity.kind == "column" else 1])
        if isinstance(array, Floats):
            return _beside(array, count, width)
        rows = [array] if quantity.kind == "column" else array
        if width is None or count == 1 or len(rows[0]) != count * width:
            return array
        pieces = [[row[start : start + width] for row in rows] for start in range(0, count * width, width)]
        return [piece[0] for piece in pieces] if quantity.kind == "column" else pieces

    def missing(self, key: str, quantity: Quantity) -> NoReturn:
        """Refuse a file that has no such quantity."""
        told_shape = " × ".join(quantity.shape)
        expected = {
            "matrix": f'a matrix of {told_shape} quoted numbers is expected, such as [["1", "0.5"]]',
            "row": f'a list of {quantity.shape[1]} quoted numbers is expected, such as ["1", "0.5"]',
            "column": f'a list of {quantity.shape[0]} quoted numbers is expected, such as ["1", "0.5"]',
            "tokens": "a list of vocabulary entries, counted from 0, is expected, such as [2, 0, 3]",
            "flags": "a list of 0 and 1 is expected, one for each position",
            "mask": f'rows of "0" and "-inf", {told_shape}, are expected',
            "number": 'a quoted number is expected, such as "0.00001"',
        }
        self.fault(key, "is missing", expected[quantity.kind])

    def _one(self, key: str, value: Any, quantity: Quantity) -> Literal:
        match quantity.kind:
            case "matrix":
                return self._rows(key, value, quantity, self.number)
            case "mask":
                return self._rows(key, value, quantity, self._masked)
            case "row":
                return (self._list(key, value, quantity, self.number),)
            case "column":
                return tuple((cell,) for cell in self._list(key, value, quantity, self.number))
            case "flags":
                return tuple((cell,) for cell in self._list(key, value, quantity, self._flag))
            case "tokens":
                return self._tokens(key, value, quantity)
            case "number":
                return ((self.number(key, value),),)

    def _tokens(self, key: str, value: Any, quantity: Quantity) -> Literal:
        """Each vocabulary entry as the one-hot row that picks it."""
        vocabulary = self._length(quantity.shape[1])
        if vocabulary is None:
            self.fault("dimensions.vocabulary", "is missing", "tokens are entries of a vocabulary of this size")

        def one_hot(place: str, token: Any) -> tuple[Cell, ...]:
            if isinstance(token, bool) or not isinstance(token, int):
                self.fault(place, f"is {told(token)}", f"a whole number from 0 to {vocabulary - 1} is expected")
            if not 0 <= token < vocabulary:
                self.fault(
                    place,
                    f"is {short(str(token))}, and the vocabulary has {vocabulary} entries",
                    f"a whole number from 0 to {vocabulary - 1} is expected",
                )
            return tuple(ONE if entry == token else ZERO for entry in range(vocabulary))

        if isinstance(value, list) and len(value) * vocabulary > MAX_ENTRIES:
            self.fault(key, f"has more than {MAX_ENTRIES:,} one-hot entries", "fewer tokens are expected")
        return self._list(key, value, quantity, one_hot)

    def _flag(self, key: str, value: Any) -> Cell:
        if isinstance(value, bool) or value not in (0, 1):
            self.fault(key, f"is {told(value)}", "0 or 1 is expected")
        return ONE if value else ZERO

    def _masked(self, key: str, value: Any) -> Cell:
        if value == "-inf":
            return None
        if value != "0":
            self.fault(key, f"is {told(value)}", '"0", where a query may look, or "-inf" is expected')
        return ZERO

    def _list(self, key: str, value: Any, quantity: Quantity, cell: Callable[[str, Any], Any]) -> tuple[Any, ...]:
        if not isinstance(value, list) or not value:
            what = "is empty" if value == [] else f"is {told(value)}"
            self.fault(key, what, "a list with at least one entry is expected")
        if len(value) > MAX_ENTRIES:
            self.fault(key, f"has more than {MAX_ENTRIES:,} entries", "a shorter list is expected")
        text = quantity.shape[1 if quantity.kind == "row" else 0]
        length = self.dimensions.setdefault(text, len(value)) if self._length(text) is None else self._length(text)
        if len(value) != length:
            told_size = "" if text.isdigit() else f" ({text})"
            self.fault(key, f"has {len(value)} entries", f"{length}{told_size} are expected")
        return tuple(cell(f"{key}[{i}]", one) for i, one in enumerate(value, 1))

    def _rows(self, key: str, value: Any, quantity: Quantity, cell: Callable[[str, Any], Cell]) -> Literal:
        if isinstance(value, Floats) and quantity.kind == "matrix":
            self._fits(key, value.shape, quantity.shape)
            return value
        if not isinstance(value, list) or not value or not all(isinstance(row, list) and row for row in value):
            empty = isinstance(value, list) and (not value or [] in value)
            self.fault(
                key,
                "is empty or has an empty row" if empty else f"is {told(value)}",
                'rows of quoted numbers are expected, such as [["1", "0.5"], ["2", "1/3"]]',
            )
        if sum(len(row) for row in value) > MAX_ENTRIES:
            self.fault(key, f"has more than {MAX_ENTRIES:,} entries", "a smaller matrix is expected")
        for number, row in enumerate(value, 1):
            if len(row) != len(value[0]):
                self.fault(
                    key,
                    f"row {number} has {len(row)} entries and row 1 has {len(value[0])}",
                    "rows of one length are expected",
                )
        self._fits(key, (len(value), len(value[0])), quantity.shape)
        return tuple(
            tuple(cell(f"{key}[{i}][{j}]", one) for j, one in enumerate(row, 1)) for i, row in enumerate(value, 1)
        )

    def _fits(self, key: str, given: tuple[int, int], shape: tuple[str, str]) -> None:
        """Refuse another shape than the declared one; a dimension that nothing has told yet is taken from it."""
        for text, size in zip(shape, given, strict=True):
            if self._length(text) is None and "*" not in text:
                self.dimensions[text] = size
        wanted = tuple(self._length(text) for text in shape)
        if given != wanted:
            letters = dict.fromkeys(part for text in shape for part in text.split("*") if not part.isdigit())
            because = " × ".join(shape) + ", where " + ", ".join(f"{k} = {self.dimensions.get(k)}" for k in letters)
            self.fault(key, f"is {given[0]}×{given[1]}", f"{wanted[0]}×{wanted[1]} is expected ({because})")

    def _length(self, text: str) -> int | None:
        """A shape's length: a number, a dimension, or a product of dimensions; None where one is not known."""
        total = 1
        for factor in text.split("*"):
            if not factor.isdigit() and factor not in self.dimensions:
                return None
            total *= int(factor) if factor.isdigit() else self.dimensions[factor]
        return total

    def number(self, key: str, value: Any) -> Written:
        """A quoted number with its digits."""
        if isinstance(value, Written):
            return value
        if not isinstance(value, str):
            self._unquoted(key, value)
        try:
            return Written.parse(value)
        except SymtransError as fault:
            raise SpecError(f"{self.source}: {key}: {fault}") from None

    def _unquoted(self, key: str, value: Any) -> NoReturn:
        """Refuse what stands where a quoted number should, and tell how it is quoted if it is a number."""
        text = str(value).replace("_", "") if isinstance(value, int | Bare) and not isinstance(value, bool) else ""
        if text.strip("+-") in ("", "nan", "inf") or short(text) != text:
            self.fault(key, f"is {told(value)}", 'a quoted number is expected, such as "0.5"')
        self.fault(key, f"is {told(value)}", f'numbers are quoted, so that their digits are kept: "{text}"')


def _beside(array: Floats, count: int, width: int | None) -> Any:
    """The matrices of `width` columns that stand side by side in an array, if that is what it is."""
    if width is None or count == 1 or array.shape[1] != count * width:
        return array
    return [array.columns(start, start + width) for start in range(0, count * width, width)]


def _depth(value: Any) -> int:
    """How deep lists are nested in their first members."""
    if isinstance(value, Floats):
        return 2
    return 1 + _depth(value[0]) if isinstance(value, list) and value else int(isinstance(value, list))


def _depth_of(quantity: Quantity) -> int:
    """How deep lists are nested in one literal of this kind."""
    return {"matrix": 2, "mask": 2, "number": 0}.get(quantity.kind, 1)
