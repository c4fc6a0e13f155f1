"""Reading a specification: TOML checked key by key against what its architecture declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from symtrans.language.words import languages
from symtrans.model.block import Block, blocks
from symtrans.model.names import tables
from symtrans.model.spec import Literal, Spec, Update
from symtrans.model.spec_checks import check_spec
from symtrans.model.spec_file import SpecFile
from symtrans.model.spec_quantities import QuantityReader
from symtrans.model.tape import PARTS
from symtrans.model.toml_text import parse_toml, short, told
from symtrans.notation.name import Name
from symtrans.notation.reader import read_name

TOP = (
    "schema",
    "name",
    "title",
    "architecture",
    "gradients",
    "dimensions",
    "switches",
    "loss",
    "update",
    "names",
    "aliases",
    "notes",
)
NEEDED = ("name", "architecture", "dimensions", "inputs")
MAX_DIMENSION = 4096
MAX_LAYERS = 64
MAX_TITLE = 200
MAX_NOTE = 4_000
MAX_LATEX = 120
ALIASED_PARTS = (*PARTS, "new")


def read_spec(text: str, source: str, folder: Path | None = None) -> Spec:
    """The specification that a TOML text holds; `source` is how faults call it, `folder` where its weights lie."""
    return replace(_SpecReader(parse_toml(text, source), source, folder).spec(), text=text)


def read_table(table: dict[str, Any], source: str) -> Spec:
    """The specification that a table holds as a file would, its numbers quoted or exact already."""
    return _SpecReader(table, source, None).spec()


class _SpecReader(SpecFile):
    """Reads one file."""

    def __init__(self, table: dict[str, Any], source: str, folder: Path | None) -> None:
        super().__init__(source)
        self.table = table
        self.folder = folder
        self.languages = tuple(languages())
        self.places: dict[str, str] = {}

    def spec(self) -> Spec:
        self.known(
            "", self.table, (*TOP, *dict.fromkeys(key for block in blocks().values() for key in _sections(block)))
        )
        for key in NEEDED:
            if key not in self.table:
                self.fault(key, "is missing", f"a specification has {', '.join(NEEDED)}")
        if self.table.get("schema", 1) != 1 or isinstance(self.table.get("schema"), bool):
            self.fault("schema", f"is {told(self.table['schema'])}", "this version reads schema = 1")
        block = self._block()
        dimensions = self._dimensions(block)
        settings = self._settings(block)
        scopes = self._scopes(block)
        matrices = self._matrices(block, settings, dimensions, scopes)
        loss = self._loss(block)
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
            scopes=scopes,
            gradients=self._gradients(),
        )
        check_spec(spec, block, self.places)
        return spec

    def _loss(self, block: Block) -> str:
        """The kind of loss, or nothing where what is given to compare the output with says which."""
        table = self._section("loss")
        self.known("loss", table, ("kind",))
        kind = table.get("kind", block.losses[0])
        if kind not in block.losses:
            self.fault("loss.kind", f"is {told(kind)}", f"{block.name} takes {' or '.join(block.losses)}")
        return kind if "kind" in table or len(block.losses) == 1 else ""

    def _section(self, key: str) -> dict[str, Any]:
        value = self.table.get(key, {})
        if not isinstance(value, dict):
            self.fault(key, f"is {told(value)}", f"a table [{key}] is expected")
        return value

    def _name(self) -> str:
        name = self.table["name"]
        if not isinstance(name, str) or not name or not all(c.isalnum() or c in "-_" for c in name) or len(name) > 60:
            self.fault(
                "name", f"is {told(name)}", "letters, digits, - and _ are expected, since files are named after it"
            )
        return name

    def _title(self) -> dict[str, str]:
        title = self._texts("title", self.table.get("title", {}), self.languages)
        for code, text in title.items():
            if not text.isprintable() or not text.strip() or len(text) > MAX_TITLE:
                self.fault(
                    f"title.{code}", f"is {told(text)}", f"one line of at most {MAX_TITLE} characters is expected"
                )
        return title

    def _note(self, key: str, value: Any, block: Block) -> dict[str, str]:
        """A remark by language, and the switch under which it holds."""
        note = self._texts(key, value, (*self.languages, "when"))
        for code, text in note.items():
            if not text.replace("\n", " ").replace("\t", " ").isprintable() or len(text) > MAX_NOTE:
                self.fault(
                    f"{key}.{code}", f"is {told(text)}", f"a text of at most {MAX_NOTE:,} characters is expected"
                )
        switch, _, setting = note.get("when", "").partition("=")
        if "when" in note and setting not in block.switches.get(switch, ()):
            choices = ", ".join(f"{name}={one}" for name, values in block.switches.items() for one in values)
            self.fault(f"{key}.when", f"is {told(note['when'])}", f"it is one of {choices}")
        return note

    def _texts(self, key: str, value: Any, allowed: Iterable[str]) -> dict[str, str]:
        if not isinstance(value, dict):
            self.fault(key, f"is {told(value)}", 'texts by language are expected, such as en = "…"')
        self.known(key, value, allowed)
        for code, text in value.items():
            if not isinstance(text, str):
                self.fault(f"{key}.{code}", f"is {told(text)}", "a text in quotes is expected")
        return value

    def _block(self) -> Block:
        name = self.table["architecture"]
        if not isinstance(name, str) or name not in blocks():
            self.fault("architecture", f"is {told(name)}", f"there are {', '.join(blocks())}")
        block = blocks()[name]
        self.known("", self.table, (*TOP, *_sections(block)))
        return block

    def _dimensions(self, block: Block) -> dict[str, int]:
        table = self._section("dimensions")
        self.known("dimensions", table, block.dimensions)
        found: dict[str, int] = {}
        for key in block.dimensions:
            if key not in table:
                found[key] = self._shared_dimension(block, key, found)
                continue
            value = table[key]
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_DIMENSION:
                self.fault(
                    f"dimensions.{key}", f"is {told(value)}", f"a whole number from 1 to {MAX_DIMENSION} is expected"
                )
            found[key] = value
        return found

    def _shared_dimension(self, block: Block, key: str, found: Mapping[str, int]) -> int:
        """What a dimension that is left out is by the others."""
        if key not in block.shares:
            self.fault(f"dimensions.{key}", "is missing", "a whole number is expected")
        whole, _, parts = block.shares[key].partition("/")
        if parts and found[whole] % found[parts]:
            self.fault(
                f"dimensions.{parts}",
                f"is {found[parts]}, which does not divide {whole} = {found[whole]}",
                f"give {key} where it is not {block.shares[key]}",
            )
        return found[whole] // found[parts] if parts else found[whole]

    def _settings(self, block: Block) -> dict[str, str]:
        table = self._section("switches")
        self.known("switches", table, block.switches)
        for key, value in table.items():
            if value not in block.switches[key]:
                self.fault(f"switches.{key}", f"is {told(value)}", f"it is {' or '.join(block.switches[key])}")
        return {key: table.get(key, values[0]) for key, values in block.switches.items()}

    def _scopes(self, block: Block) -> dict[str, tuple[str, ...]]:
        """The scopes of each stack's layers: none of a name where there is one layer in all, else `enc1`, `enc2`."""
        tables: dict[str, int] = {}
        for stack in block.stacks:
            layers = self.table.get(stack, [])
            if not isinstance(layers, list) or not all(isinstance(layer, dict) for layer in layers):
                self.fault(stack, f"is {told(layers)}", f"one table [[{stack}]] for each layer is expected")
            if len(layers) > MAX_LAYERS:
                self.fault(stack, f"has {len(layers)} layers", f"at most {MAX_LAYERS} are expected")
            tables[stack] = len(layers)
        alone = sum(tables.values()) == 1 and len(block.stacks) == 1
        return {
            stack: tuple(
                "" if alone else prefix + (str(number) if tables[stack] > 1 else "")
                for number in range(1, tables[stack] + 1)
            )
            for stack, prefix in block.stacks.items()
        }

    def _matrices(
        self,
        block: Block,
        settings: Mapping[str, str],
        dimensions: dict[str, int],
        scopes: Mapping[str, tuple[str, ...]],
    ) -> dict[str, tuple[Literal, ...]]:
        reader = QuantityReader(self.source, dimensions, self.folder)
        found: dict[str, tuple[Literal, ...]] = {}
        declared = block.declares(settings)
        for section, quantities in declared.items():
            stack, _, part = section.partition(".")
            inner = [key.partition(".")[2] for key in declared if key.startswith(f"{section}.")]
            if stack not in block.stacks:
                tables = [("", section, self._section(section))]
            else:
                layers = self.table.get(stack, [])
                tables = [
                    (scope, f"{stack}[{n}]", layer)
                    for n, (scope, layer) in enumerate(zip(scopes[stack], layers, strict=True), 1)
                ]
            for scope, place, table in tables:
                if part:
                    place, table = f"{place}.{part}", table.get(part, {})
                    if not isinstance(table, dict):
                        self.fault(place, f"is {told(table)}", f"a table [{section}] is expected")
                self.known(place, table, (*quantities, *inner))
                prefix = ".".join(word for word in (scope, part) if word)
                for key, quantity in quantities.items():
                    if key in table:
                        read = reader.read(f"{place}.{key}", table[key], quantity)
                        own = f"{prefix}.{key}" if prefix else key
                        found[own] = read
                        self.places[own] = f"{place}.{key}"
                    elif not quantity.is_optional:
                        reader.missing(f"{place}.{key}", quantity)
        return found

    def _gradients(self) -> tuple[str, ...]:
        names = self.table.get("gradients", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self.fault("gradients", f"is {told(names)}", 'names of quantities are expected, such as ["all"]')
        return tuple(names)

    def _update(self) -> Update | None:
        if "update" not in self.table:
            return None
        table = self._section("update")
        self.known("update", table, ("of", "step"))
        for key in ("of", "step"):
            if key not in table:
                self.fault(f"update.{key}", "is missing", 'expected are of = "y_hat" and step = "0.1"')
        if table["of"] != "y_hat":
            self.fault("update.of", f"is {told(table['of'])}", 'the quantity that a step is taken on is "y_hat"')
        return Update("y_hat", QuantityReader(self.source, {}).number("update.step", table["step"]))

    def _names(self) -> dict[str, str]:
        table = self._section("names")
        self.known("names", table, tables()["names"])
        for key, value in table.items():
            self._latex(f"names.{key}", value)
        return table

    def _aliases(self) -> dict[tuple[str, str], Name]:
        found: dict[tuple[str, str], Name] = {}
        table = self._section("aliases")
        self.known("aliases", table, ("y_hat", "y"))
        for quantity, parts in table.items():
            if not isinstance(parts, dict):
                self.fault(f"aliases.{quantity}", f"is {told(parts)}", "names by part are expected")
            self.known(f"aliases.{quantity}", parts, ALIASED_PARTS)
            for part, latex in parts.items():
                name = self._latex(f"aliases.{quantity}.{part}", latex)
                found[(f"{quantity}_new", "update") if part == "new" else (quantity, part)] = name
        return found

    def _latex(self, key: str, value: Any) -> Name:
        if not isinstance(value, str):
            self.fault(key, f"is {told(value)}", r"a name in LaTeX is expected, such as '\mathbf{Q}'")
        if len(value) > MAX_LATEX:
            self.fault(key, f"has {len(value):,} characters", f"a name of at most {MAX_LATEX} is expected")
        try:
            name = read_name(value)
        except ValueError as fault:
            self.fault(key, f"is not read as a name ({fault})", r"a name in LaTeX is expected, such as '\mathbf{Q}'")
        if not isinstance(name, Name):
            self.fault(key, "is a derivative", r"a plain name in LaTeX is expected, such as '\mathbf{Q}'")
        return name


def _sections(block: Block) -> list[str]:
    """The tables of quantities that an architecture's file may have."""
    defaults = {switch: values[0] for switch, values in block.switches.items()}
    return list(dict.fromkeys(key.partition(".")[0] for key in block.declares(defaults)))
