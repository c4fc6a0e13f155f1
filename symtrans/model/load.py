"""Finding a specification: a bundled example by its name, or a file by its path."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from symtrans.errors import SpecError, UsageError
from symtrans.model.spec import Spec
from symtrans.model.spec_reader import read_spec
from symtrans.registry import file_names, files

EXAMPLES = "symtrans.model.examples"
MAX_BYTES = 1_000_000


def examples() -> list[str]:
    """The names of the bundled examples."""
    return file_names(EXAMPLES, ".toml")


def bundled_name(spec: Spec) -> str | None:
    """The name under which a specification comes with symtrans, or None for another's."""
    return spec.name if spec.name in examples() and files(EXAMPLES, ".toml")[spec.name] == spec.text else None


def load_spec(example: str) -> Spec:
    """The specification of a bundled example, by name, or of a file, by path."""
    if example in examples():
        return read_spec(files(EXAMPLES, ".toml")[example], f"{example}.toml")
    path = Path(example)
    if not (path.suffix == ".toml" or os.path.exists(example)):
        close = difflib.get_close_matches(example[:80], examples(), 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise UsageError(f"{example}: no example or file of this name; there are {', '.join(examples())}{hint}")
    return read_spec(_text(path), example, path.parent)


def _text(path: Path) -> str:
    """A file's text; SpecError where it is no readable text file."""
    try:
        if path.is_dir():
            raise SpecError(f"{path}: is a folder; a TOML file is expected")
        with path.open("rb") as file:  # never the whole file: a device has no size and no end
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise SpecError(f"{path}: is larger than {MAX_BYTES:,} bytes; a specification is smaller")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise SpecError(f"{path}: byte {fault.start + 1} is not UTF-8; a TOML file is UTF-8 text") from None
    except OSError as fault:
        raise SpecError(f"{path}: cannot be read ({fault.strerror or fault}); a TOML file is expected") from None
    except ValueError:
        raise SpecError(f"{path}: is no file name; a TOML file is expected") from None
