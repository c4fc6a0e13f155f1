"""The second reader's library is imported from where it is installed, whatever lies in the working folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_gen_of_somebody_elses_is_not_taken_for_its_own(tmp_path: Path) -> None:
    (tmp_path / "gen.py").write_text("raise RuntimeError('somebody else's gen')\n")
    command = [sys.executable, "-m", "symtrans", "derive", "--check", "--head", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
