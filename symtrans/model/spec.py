"""A worked example's specification: dimensions, switches, matrices as written, and how the document names things.

The TOML format is told in the README. `read_spec` checks it against the architecture's declaration;
every fault is a SpecError of one sentence that names the file and the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from symtrans.errors import SpecError, UsageError
from symtrans.exact.written import Written
from symtrans.notation.name import Name
from symtrans.registry import file_names, files

EXAMPLES = "symtrans.model.examples"
MAX_BYTES = 1_000_000

Literal = tuple[tuple[Written, ...], ...]


@dataclass(frozen=True, slots=True)
class Update:
    """A step of gradient descent: on which quantity, and how far."""

    of: str
    step: Written


@dataclass(frozen=True, slots=True)
class Spec:
    """A worked example.

    * `settings`: the switches' values; `defaults`: as the file sets them.
    * `matrices`: for each quantity its matrix, or one for each head.
    * `aliases`: other names that the document has for a quantity in one part, by (id, part).
    * `notes`: remarks on a quantity, by language; `when` says under which switch (`weights=uniform`).
    """

    name: str
    source: str
    title: Mapping[str, str]
    architecture: str
    dimensions: Mapping[str, int]
    switches: Mapping[str, tuple[str, ...]]
    settings: Mapping[str, str]
    defaults: Mapping[str, str]
    matrices: Mapping[str, tuple[Literal, ...]]
    loss: str
    update: Update | None
    names: Mapping[str, str]
    aliases: Mapping[tuple[str, str], Name]
    notes: Mapping[str, Mapping[str, str]]

    def is_changed(self, key: str) -> bool:
        """Whether a switch stands otherwise than in the file."""
        return self.settings.get(key) != self.defaults.get(key)


def with_settings(spec: Spec, chosen: Mapping[str, str]) -> Spec:
    """The specification with switches set; UsageError for a switch or a value that it does not have."""
    for key, value in chosen.items():
        if key not in spec.switches:
            raise UsageError(f"--set {key}={value}: {spec.name} has no switch {key}; it has {', '.join(spec.switches)}")
        if value not in spec.switches[key]:
            allowed = " or ".join(spec.switches[key])
            raise UsageError(f"--set {key}={value}: {key} is {allowed}")
    return replace(spec, settings={**spec.settings, **chosen})


def examples() -> list[str]:
    """The names of the bundled examples."""
    return file_names(EXAMPLES, ".toml")


def load_spec(example: str) -> Spec:
    """The specification of a bundled example, by name, or of a file, by path."""
    from symtrans.model.spec_reader import read_spec

    if example in examples():
        return read_spec(files(EXAMPLES, ".toml")[example], f"{example}.toml")
    path = Path(example)
    if not (path.suffix == ".toml" or path.exists()):
        raise UsageError(f"{example}: no example or file of this name; there are {', '.join(examples())}")
    return read_spec(_text(path), example)


def _text(path: Path) -> str:
    """A file's text; SpecError where it is no readable text file."""
    try:
        if path.is_dir():
            raise SpecError(f"{path}: is a folder; a TOML file is expected")
        if path.stat().st_size > MAX_BYTES:
            raise SpecError(f"{path}: is larger than {MAX_BYTES:,} bytes; a specification is smaller")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise SpecError(f"{path}: byte {fault.start + 1} is not UTF-8; a TOML file is UTF-8 text") from None
    except OSError as fault:
        raise SpecError(f"{path}: cannot be read ({fault.strerror or fault}); a TOML file is expected") from None
    except ValueError:
        raise SpecError(f"{str(path)!r}: is no file name; a TOML file is expected") from None
