"""A specification to begin with: every key that an architecture takes, with its shape, told from its declarations."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from symtrans.errors import UsageError
from symtrans.language.words import Words
from symtrans.model.block import Block
from symtrans.model.quantity import Quantity, Section
from symtrans.model.spec_reader import MAX_DIMENSION, MAX_LAYERS

# Lengths that a file begins with; what is not here is shared with another dimension, or follows from shapes.
LENGTHS: Mapping[str, int] = {
    "positions": 3,
    "queries": 3,
    "keys": 3,
    "source": 3,
    "target": 3,
    "longest": 3,
    "vocabulary": 5,
    "d_in": 4,
    "d_model": 4,
    "d_out": 4,
    "d_ff": 4,
    "d_k": 2,
    "d_v": 2,
    "heads": 2,
    "kv_heads": 2,
    "d_key": 4,
    "d_value": 4,
}
DIAGONALS = {"diagonals": "positions", "source_diagonals": "source", "target_diagonals": "target"}
CHOICES = ("-1", "-0.5", "0", "0.5", "1")  # numbers that are followed easily by hand
MOST_ENTRIES = 10_000  # of a matrix: a larger one is better kept in a file of arrays


def start(
    block: Block, name: str, words: Words, settings: Mapping[str, str], sizes: Mapping[str, int], layers: int
) -> str:
    """The text of a specification that derives as it stands; UsageError for a setting or size that there is not."""
    for key, value in settings.items():
        if value not in block.switches.get(key, ()):
            choices = ", ".join(f"{switch}={one}" for switch, values in block.switches.items() for one in values)
            raise UsageError(f"--set {key}={value}: {block.name} takes {choices}")
    if not 1 <= layers <= MAX_LAYERS:
        raise UsageError(f"--layers {layers}: a number from 1 to {MAX_LAYERS} is expected")
    return "\n".join(_Start(block, words, settings, sizes).lines(name, layers)) + "\n"


class _Start:
    """One file in the making."""

    def __init__(self, block: Block, words: Words, settings: Mapping[str, str], sizes: Mapping[str, int]) -> None:
        self.block = block
        self.words = words
        self.settings = {switch: settings.get(switch, values[0]) for switch, values in block.switches.items()}
        self.declared = block.declares(self.settings)
        self.sizes = self._sizes(sizes)
        self.numbers = random.Random(block.name)  # the same file each time

    def _sizes(self, given: Mapping[str, int]) -> dict[str, int]:
        """Every length, those that others tell included."""
        letters = {
            part
            for quantities in self.declared.values()
            for quantity in quantities.values()
            for text in quantity.shape
            for part in text.split("*")
            if not part.isdigit() and part not in DIAGONALS
        }
        takes = [key for key in LENGTHS if key in letters or key in self.block.dimensions]
        for key, size in given.items():
            if key not in takes:
                raise UsageError(f"--size {key}={size}: {self.block.name} has the sizes {', '.join(takes)}")
            if not 1 <= size <= MAX_DIMENSION:
                raise UsageError(f"--size {key}={size}: a number from 1 to {MAX_DIMENSION} is expected")
        sizes = {key: given.get(key, LENGTHS[key]) for key in takes}
        for key, share in self.block.shares.items():
            whole, _, parts = share.partition("/")
            if key in given:
                continue
            if parts and sizes[whole] % sizes[parts]:
                raise UsageError(f"--size {parts}={sizes[parts]}: does not divide {whole} = {sizes[whole]}; give {key}")
            sizes[key] = sizes[whole] // sizes[parts] if parts else sizes[whole]
        if "longest" in sizes and "longest" not in given:
            sizes["longest"] = max(sizes.get(key, 1) for key in ("positions", "source", "target"))
        sizes |= {key: 2 * sizes[rows] - 1 for key, rows in DIAGONALS.items() if rows in sizes}
        self.given = frozenset(given)
        return sizes

    def lines(self, name: str, layers: int) -> Iterator[str]:
        """The file, line by line."""
        say = self.words.start
        yield from (f"# {line}" for line in say["head"].format(name=name).splitlines())
        yield from ("schema = 1", f'name = "{name}"', f'architecture = "{self.block.name}"')
        yield from (f'gradients = ["all"] # {say["gradients"]}', "", "[title]", f'{self.words.code} = "{name}"', "")
        yield "[dimensions]"
        for key in self.block.dimensions:
            share = self.block.shares.get(key)
            left_out = share is not None and key not in self.given
            note = f" # {say['optional']}: {share}" if share is not None else ""
            yield f"{'# ' if left_out else ''}{key} = {self.sizes[key]}{note}"
        yield from ("", "[switches]")
        for switch, values in self.block.switches.items():
            others = [value for value in values if value != self.settings[switch]]
            yield f'{switch} = "{self.settings[switch]}" # {say["or"]} {", ".join(others)}'
        for section, quantities in self.declared.items():
            stack = section.partition(".")[0]
            if stack not in self.block.stacks:
                yield from self._section(f"[{section}]", quantities)
            elif stack == section:
                inner = {key: value for key, value in self.declared.items() if key.startswith(f"{section}.")}
                for _ in range(layers):
                    yield from self._section(f"[[{section}]]", quantities)
                    for part, own in inner.items():
                        yield from self._section(f"[{part}]", own)

    def _section(self, header: str, quantities: Section) -> Iterator[str]:
        """A table with what is needed as it stands, and what may be left out as comments."""
        if not quantities:
            return
        yield from ("", header)
        for key, quantity in quantities.items():
            told = self._told(key, quantity)
            if quantity.is_optional and key not in self.block.begins:
                yield f"# {key} = … # {self.words.start['optional']}: {told}"
                continue
            yield f"# {told}"
            yield from self._value(key, quantity)

    def _told(self, key: str, quantity: Quantity) -> str:
        """What a quantity is, and how it is written."""
        shape = " × ".join(quantity.shape) if quantity.kind in ("matrix", "mask") else quantity.shape[0]
        if quantity.kind == "row":
            shape = quantity.shape[1]
        form = self.words.start[quantity.kind].format(shape=shape, vocabulary=quantity.shape[1])
        if quantity.copies:
            form += ", " + self.words.start["copies"].format(copies=quantity.copies)
        about = self.words.roles.get(key) or self.words.roles.get(key.partition("_")[0], "")
        return f"{about}: {form}" if about else form

    def _value(self, key: str, quantity: Quantity) -> Iterator[str]:
        copies = self.sizes[quantity.copies] if quantity.copies else 0
        if not copies:
            yield from _written(f"{key} = ", self._one(key, quantity), "")
            return
        yield f"{key} = ["
        for _ in range(copies):
            yield from _written("    ", self._one(key, quantity), ",")
        yield "]"

    def _one(self, key: str, quantity: Quantity) -> str | list[str]:
        """One literal in TOML; a matrix as its rows."""
        rows, columns = (self._length(text) for text in quantity.shape)
        if rows * columns > MOST_ENTRIES:
            raise UsageError(f"{key}: {rows}×{columns} numbers are more than a file begins with ({MOST_ENTRIES:,})")
        match quantity.kind:
            case "matrix" | "mask":
                return [self._list(key, columns) for _ in range(rows)]
            case "row" | "column":
                return self._list(key, max(rows, columns))
            case "tokens":
                return "[" + ", ".join(self._token(key, place, columns) for place in range(rows)) + "]"
            case "flags":
                return "[" + ", ".join(["1"] * rows) + "]"
        return '"0.00001"' if key == "epsilon" else '"0"'

    def _list(self, key: str, length: int) -> str:
        fixed = {"gamma": "1", "beta": "0"}.get(key.partition("_")[0])
        return "[" + ", ".join(f'"{fixed or self.numbers.choice(CHOICES)}"' for _ in range(length)) + "]"

    def _token(self, key: str, place: int, vocabulary: int) -> str:
        """Entries one after another; labels are those that come next."""
        return "0" if key == "start" else str((place + 1 + (key == "labels")) % vocabulary)

    def _length(self, text: str) -> int:
        total = 1
        for factor in text.split("*"):
            total *= int(factor) if factor.isdigit() else self.sizes[factor]
        return total


def _written(before: str, value: str | Iterable[str], after: str) -> Iterator[str]:
    """A value behind its key, a matrix by rows."""
    if isinstance(value, str):
        yield f"{before}{value}{after}"
        return
    margin = " " * (len(before) - len(before.lstrip()))
    yield f"{before}["
    yield from (f"{margin}    {row}," for row in value)
    yield f"{margin}]{after}"
