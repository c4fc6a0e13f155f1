"""Files are written whole or not at all, and a fault is one sentence."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

from symtrans.errors import UsageError


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file atomically; `UsageError` where it cannot be written, with nothing left behind."""
    if os.path.isdir(path):
        raise UsageError(f"{path}: is a folder, and -o takes a file")
    try:
        _replace(path, content.encode("utf-8") if isinstance(content, str) else content)
    except OSError as fault:
        raise UsageError(
            f"{path}: cannot be written ({fault.strerror or fault}); give -o a file in a writable folder"
        ) from None


def write_new_file(path: Path, text: str) -> None:
    """Write a file that is not there yet; `UsageError` where there is one, or where it cannot be written."""
    if os.path.lexists(path):  # which a name that is too long is not
        raise UsageError(f"{path}: is there already, and is left as it is; give the name of a new file")
    write_file(path, text)


def write_bytes(path: Path, data: bytes) -> None:
    """Replace a file's content atomically; `UsageError` where it cannot be written."""
    try:
        _replace(path, data)
    except OSError as fault:
        raise UsageError(f"{path}: cannot be written ({fault.strerror or fault}); nothing was changed") from None


def save_beside(path: Path, text: str) -> None:
    """Save a by-product and say where on stderr; a warning, never a failure, where it cannot be written."""
    try:
        path.parent.mkdir(exist_ok=True)
        _replace(path, text.encode("utf-8"))
    except OSError as fault:
        click.echo(f"symtrans: warning: {path} not saved ({fault.strerror or fault})", err=True)
    else:
        click.echo(f"symtrans: saved {path}", err=True)


def _replace(path: Path, data: bytes) -> None:
    """Write beside the file and rename, so that no half file is ever seen; links and modes are kept."""
    target = path.resolve()
    if target.exists() and not target.is_file():  # a device or a pipe takes the text as it comes
        target.write_bytes(data)
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
