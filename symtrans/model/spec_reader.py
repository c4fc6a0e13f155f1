"""Reading a specification: TOML checked key by key against what its architecture declares."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from symtrans.errors import SpecError, SymtransError
from symtrans.exact.written import Written
from symtrans.language.words import languages
from symtrans.model.block import Block, blocks
from symtrans.model.names import tables
from symtrans.model.spec import Literal, Spec, Update
from symtrans.model.spec_checks import check_spec
from symtrans.model.tape import PARTS
from symtrans.model.toml_text import Bare, parse_toml, short, told
from symtrans.notation.name import Name
from symtrans.notation.reader import read_name

TOP = (
    "schema", "name", "title", "architecture", "dimensions", "switches", "inputs", "parameters", "loss", "update",
    "names", "aliases", "notes",
)  # fmt: skip
NEEDED = ("name", "architecture", "dimensions", "inputs", "parameters")
MAX_DIMENSION = 4096
MAX_ENTRIES = 100_000
MAX_TITLE = 200
MAX_NOTE = 4_000
MAX_LATEX = 120
ALIASED_PARTS = (*PARTS, "new")


def read_spec(text: str, source: str) -> Spec:
    """The specification that a TOML text holds; `source` is how faults call it."""
    return _SpecReader(text, source).spec()


class _SpecReader:
    """Reads one file."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.table = parse_toml(text, source)
        self.languages = tuple(languages())

    def spec(self) -> Spec:
        self._known("", self.table, TOP)
        for key in NEEDED:
            if key not in self.table:
                self._fault(key, "is missing", f"a specification has {', '.join(NEEDED)}")
        if self.table.get("schema", 1) != 1 or isinstance(self.table.get("schema"), bool):
            self._fault("schema", f"is {told(self.table['schema'])}", "this version reads schema = 1")
        block = self._block()
        dimensions = self._dimensions(block)
        settings = self._settings(block)
        matrices = self._matrices(block, dimensions)
        loss = self._section("loss").get("kind", block.losses[0])
        if loss not in block.losses:
            self._fault("loss.kind", f"is {told(loss)}", f"{block.name} takes {' or '.join(block.losses)}")
        self._known("loss", self._section("loss"), ("kind",))
        spec = Spec(
            name=self._name(),
            source=self.source,
            title=self._title(),
            architecture=block.name,
            dimensions=dimensions,
            switches=block.switches,
            settings=settings,
            defaults=settings,
            matrices=matrices,
            loss=loss,
            update=self._update(),
            names=self._names(),
            aliases=self._aliases(),
            notes={key: self._note(f"notes.{short(key)}", note, block) for key, note in self._section("notes").items()},
        )
        check_spec(spec, block)
        return spec

    def _fault(self, key: str, what: str, accepted: str) -> NoReturn:
        raise SpecError(f"{self.source}: {key}: {what}; {accepted}")

    def _known(self, prefix: str, table: Mapping[str, Any], allowed: Iterable[str]) -> None:
        """Refuse a key that is not one of those allowed."""
        choices = list(allowed)
        for key in table:
            if key not in choices:
                key = short(key)
                alike = [choice for choice in choices if choice.lower() == key.lower()]
                close = alike or difflib.get_close_matches(key, choices, 1)
                hint = f"did you mean {close[0]}?" if close else f"the keys here are {', '.join(choices)}"
                self._fault(f"{prefix}.{key}" if prefix else key, "is not a key of a specification", hint)

    def _section(self, key: str) -> dict[str, Any]:
        value = self.table.get(key, {})
        if not isinstance(value, dict):
            self._fault(key, f"is {told(value)}", f"a table [{key}] is expected")
        return value

    def _name(self) -> str:
        name = self.table["name"]
        if not isinstance(name, str) or not name or not all(c.isalnum() or c in "-_" for c in name) or len(name) > 60:
            self._fault(
                "name", f"is {told(name)}", "letters, digits, - and _ are expected, since files are named after it"
            )
        return name

    def _title(self) -> dict[str, str]:
        title = self._texts("title", self.table.get("title", {}), self.languages)
        for code, text in title.items():
            if not text.isprintable() or not text.strip() or len(text) > MAX_TITLE:
                self._fault(
                    f"title.{code}", f"is {told(text)}", f"one line of at most {MAX_TITLE} characters is expected"
                )
        return title

    def _note(self, key: str, value: Any, block: Block) -> dict[str, str]:
        """A remark by language, and the switch under which it holds."""
        note = self._texts(key, value, (*self.languages, "when"))
        for code, text in note.items():
            if not text.replace("\n", " ").replace("\t", " ").isprintable() or len(text) > MAX_NOTE:
                self._fault(
                    f"{key}.{code}", f"is {told(text)}", f"a text of at most {MAX_NOTE:,} characters is expected"
                )
        switch, _, setting = note.get("when", "").partition("=")
        if "when" in note and setting not in block.switches.get(switch, ()):
            choices = ", ".join(f"{name}={one}" for name, values in block.switches.items() for one in values)
            self._fault(f"{key}.when", f"is {told(note['when'])}", f"it is one of {choices}")
        return note

    def _texts(self, key: str, value: Any, allowed: Iterable[str]) -> dict[str, str]:
        if not isinstance(value, dict):
            self._fault(key, f"is {told(value)}", 'texts by language are expected, such as en = "…"')
        self._known(key, value, allowed)
        for code, text in value.items():
            if not isinstance(text, str):
                self._fault(f"{key}.{code}", f"is {told(text)}", "a text in quotes is expected")
        return value

    def _block(self) -> Block:
        name = self.table["architecture"]
        if not isinstance(name, str) or name not in blocks():
            self._fault("architecture", f"is {told(name)}", f"there are {', '.join(blocks())}")
        return blocks()[name]

    def _dimensions(self, block: Block) -> dict[str, int]:
        table = self._section("dimensions")
        self._known("dimensions", table, block.dimensions)
        for key in block.dimensions:
            if key not in table:
                self._fault(f"dimensions.{key}", "is missing", "a whole number is expected")
            value = table[key]
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_DIMENSION:
                self._fault(
                    f"dimensions.{key}", f"is {told(value)}", f"a whole number from 1 to {MAX_DIMENSION} is expected"
                )
        return {key: table[key] for key in block.dimensions}

    def _settings(self, block: Block) -> dict[str, str]:
        table = self._section("switches")
        self._known("switches", table, block.switches)
        for key, value in table.items():
            if value not in block.switches[key]:
                self._fault(f"switches.{key}", f"is {told(value)}", f"it is {' or '.join(block.switches[key])}")
        return {key: table.get(key, values[0]) for key, values in block.switches.items()}

    def _matrices(self, block: Block, dimensions: Mapping[str, int]) -> dict[str, tuple[Literal, ...]]:
        found: dict[str, tuple[Literal, ...]] = {}
        for section, declared in (("inputs", block.inputs), ("parameters", block.parameters)):
            table = self._section(section)
            self._known(section, table, declared)
            for key, shape in declared.items():
                if key not in table:
                    told = " × ".join(shape)
                    self._fault(
                        f"{section}.{key}",
                        "is missing",
                        f'a matrix of {told} quoted numbers is expected, such as [["1", "0.5"]]',
                    )
                found[key] = self._quantity(f"{section}.{key}", table[key], shape, key in block.per_head, dimensions)
        return found

    def _quantity(
        self, key: str, value: Any, shape: tuple[str, str], per_head: bool, dimensions: Mapping[str, int]
    ) -> tuple[Literal, ...]:
        """One matrix, or one for each head where every head may have its own."""
        lists = isinstance(value, list) and bool(value) and all(isinstance(row, list) and row for row in value)
        if lists and all(isinstance(cell, list) for row in value for cell in row):
            if not per_head:
                self._fault(key, "is a list of matrices", "one matrix is expected")
            heads = dimensions["heads"]
            if len(value) != heads:
                self._fault(
                    key, f"has {len(value)} matrices", f"one, or one for each of the {heads} heads, is expected"
                )
            return tuple(self._matrix(f"{key}[{i}]", one, shape, dimensions) for i, one in enumerate(value, 1))
        return (self._matrix(key, value, shape, dimensions),)

    def _matrix(self, key: str, value: Any, shape: tuple[str, str], dimensions: Mapping[str, int]) -> Literal:
        if not isinstance(value, list) or not value or not all(isinstance(row, list) and row for row in value):
            empty = isinstance(value, list) and (not value or [] in value)
            self._fault(
                key,
                "is empty or has an empty row" if empty else f"is {told(value)}",
                'rows of quoted numbers are expected, such as [["1", "0.5"], ["2", "1/3"]]',
            )
        if sum(len(row) for row in value) > MAX_ENTRIES:
            self._fault(key, f"has more than {MAX_ENTRIES:,} entries", "a smaller matrix is expected")
        for number, row in enumerate(value, 1):
            if len(row) != len(value[0]):
                self._fault(
                    key,
                    f"row {number} has {len(row)} entries and row 1 has {len(value[0])}",
                    "rows of one length are expected",
                )
        given, wanted = (len(value), len(value[0])), tuple(_length(text, dimensions) for text in shape)
        if given != wanted:
            letters = dict.fromkeys(letter for text in shape for letter in text.split("*"))
            because = " × ".join(shape) + ", where " + ", ".join(f"{k} = {dimensions[k]}" for k in letters)
            self._fault(key, f"is {given[0]}×{given[1]}", f"{wanted[0]}×{wanted[1]} is expected ({because})")
        return tuple(
            tuple(self._number(f"{key}[{i}][{j}]", cell) for j, cell in enumerate(row, 1))
            for i, row in enumerate(value, 1)
        )

    def _number(self, key: str, value: Any) -> Written:
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
            self._fault(key, f"is {told(value)}", 'a quoted number is expected, such as "0.5"')
        self._fault(key, f"is {told(value)}", f'numbers are quoted, so that their digits are kept: "{text}"')

    def _update(self) -> Update | None:
        if "update" not in self.table:
            return None
        table = self._section("update")
        self._known("update", table, ("of", "step"))
        for key in ("of", "step"):
            if key not in table:
                self._fault(f"update.{key}", "is missing", 'expected are of = "y_hat" and step = "0.1"')
        if table["of"] != "y_hat":
            self._fault("update.of", f"is {told(table['of'])}", 'the quantity that a step is taken on is "y_hat"')
        return Update("y_hat", self._number("update.step", table["step"]))

    def _names(self) -> dict[str, str]:
        table = self._section("names")
        self._known("names", table, tables()["names"])
        for key, value in table.items():
            self._latex(f"names.{key}", value)
        return table

    def _aliases(self) -> dict[tuple[str, str], Name]:
        found: dict[tuple[str, str], Name] = {}
        table = self._section("aliases")
        self._known("aliases", table, ("y_hat", "y"))
        for quantity, parts in table.items():
            if not isinstance(parts, dict):
                self._fault(f"aliases.{quantity}", f"is {told(parts)}", "names by part are expected")
            self._known(f"aliases.{quantity}", parts, ALIASED_PARTS)
            for part, latex in parts.items():
                name = self._latex(f"aliases.{quantity}.{part}", latex)
                found[(f"{quantity}_new", "update") if part == "new" else (quantity, part)] = name
        return found

    def _latex(self, key: str, value: Any) -> Name:
        if not isinstance(value, str):
            self._fault(key, f"is {told(value)}", r"a name in LaTeX is expected, such as '\mathbf{Q}'")
        if len(value) > MAX_LATEX:
            self._fault(key, f"has {len(value):,} characters", f"a name of at most {MAX_LATEX} is expected")
        try:
            name = read_name(value)
        except ValueError as fault:
            self._fault(key, f"is not read as a name ({fault})", r"a name in LaTeX is expected, such as '\mathbf{Q}'")
        if not isinstance(name, Name):
            self._fault(key, "is a derivative", r"a plain name in LaTeX is expected, such as '\mathbf{Q}'")
        return name


def _length(text: str, dimensions: Mapping[str, int]) -> int:
    """A shape's length: a dimension, or a product of dimensions."""
    total = 1
    for factor in text.split("*"):
        total *= dimensions[factor]
    return total
