"""The house stands: its tools are content, its modules are short and told, its top level is kept."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "symtrans"
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

LINT_IMPORTS = (
    "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
)
TOOLS = {
    "ruff check": ["-m", "ruff", "check", "--no-cache"],
    "ruff format": ["-m", "ruff", "format", "--no-cache", "--check", "--diff"],
    "mypy": ["-m", "mypy"],
    "import-linter": ["-c", LINT_IMPORTS],
}
TOP_LEVEL = {"README.md", "output", "pyproject.toml", "symtrans", "tests"}  # and dot-files
DRAWERS = {"common", "helper", "helpers", "misc", "tools", "util", "utilities", "utils"}
# Joined here, so that this file does not hold what it looks for.
MACHINE_PATH = re.compile("/(" + "|".join(("work", "root", "tmp", "farm", "home")) + ")/")


def identify(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def git(*arguments: str) -> list[str]:
    """The lines that git answers; the test is skipped where there is no git or no repository."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git repository")
    command = ["git", "-c", "core.quotePath=false", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize("tool", TOOLS)
def test_the_tool_finds_nothing(tool: str) -> None:
    done = subprocess.run([sys.executable, *TOOLS[tool]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{tool}:\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("path", MODULES + TESTS, ids=identify)
def test_a_module_says_what_it_is_for(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text, "no docstring"
    assert text.splitlines()[0].endswith("."), "the docstring's first line is not one whole sentence"


def test_no_module_is_long_and_half_of_them_are_short() -> None:
    lengths = {identify(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES + TESTS}
    assert {path: length for path, length in lengths.items() if length > 400} == {}
    # A package's opening sentence alone is not a module whose length says anything.
    told = [length for path, length in lengths.items() if not path.endswith("__init__.py") and path.startswith("sym")]
    assert median(told) < 150


def test_there_are_no_drawers() -> None:
    named = [path.stem for path in MODULES] + [path.name for path in PACKAGE.rglob("*") if path.is_dir()]
    assert DRAWERS.isdisjoint(named)


def test_every_folder_of_the_package_is_a_package() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert [identify(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_every_file_of_the_package_is_shipped() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = ["*.py", *project["tool"]["setuptools"]["package-data"]["*"]]
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert [identify(path) for path in files if not any(path.match(pattern) for pattern in shipped)] == []


def test_the_top_level_holds_only_what_belongs_there() -> None:
    assert {top for line in git("ls-files") if not (top := line.split("/")[0]).startswith(".")} <= TOP_LEVEL


def test_no_file_names_a_path_of_some_machine() -> None:
    found = []
    for line in git("ls-files"):
        path = ROOT / line
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{line}: {match.group()}" for match in MACHINE_PATH.finditer(text)]
    assert found == []
