"""Other people's programs: looked for, run in a folder of their own, stopped at a deadline, told of in one sentence."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from symtrans.errors import ConversionError

DEADLINE = 120
"""Seconds that a program may take."""
LAST_LINES = 3
LONGEST = 400  # characters of a program's words that a fault quotes
SAME_DAY = {"SOURCE_DATE_EPOCH": "315532800", "FORCE_SOURCE_DATE": "1"}
"""No date of today in a file, so that a page converted twice is the same bytes (315532800 begins 1980)."""


def installed(*names: str) -> str | None:
    """The first of these programs that is installed."""
    return next((name for name in names if shutil.which(name)), None)


def run(command: Sequence[str], folder: Path, settings: Mapping[str, str] = SAME_DAY, deadline: int = DEADLINE) -> None:
    """Run a program in a folder, without input; `ConversionError`, with its last words, where it fails or is late."""
    said = folder / "said.txt"
    with said.open("wb") as heard:
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **settings},
                stdin=subprocess.DEVNULL,
                stdout=heard,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that it can be ended with all that it started
            )
        except OSError as fault:
            raise ConversionError(f"{command[0]} cannot be run ({fault.strerror or fault})") from None
        _limit(process, deadline)
        try:
            code = process.wait(deadline)
        except subprocess.TimeoutExpired:
            raise ConversionError(f"{command[0]} was stopped, for it took more than {deadline} seconds") from None
        finally:
            _end(process)
    if code:
        raise ConversionError(f"{command[0]} failed: {last_words(said.read_text('utf-8', 'replace'))}")


def last_words(log: str) -> str:
    """What a program said last: the lines from its first fault on, or the last ones, as one line."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    first = next((place for place, line in enumerate(lines) if line.startswith(("!", "[WARNING]"))), None)
    told = lines[-LAST_LINES:] if first is None else lines[first : first + LAST_LINES]
    text = " / ".join(told) or "it said nothing"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _limit(process: subprocess.Popen[bytes], seconds: int) -> None:
    """Bound the time on the processor of a program and all that it starts, should nobody be left to end it."""
    with contextlib.suppress(ImportError, AttributeError, OSError):  # where the system knows no such bound
        import resource

        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it started."""
    if process.poll() is not None:
        return
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
