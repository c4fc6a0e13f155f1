"""Finding a specification: a bundled example by its name, or a file by its path."""

from __future__ import annotations

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


def load_spec(example: str) -> Spec:
    """The specification of a bundled example, by name, or of a file, by path."""
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
