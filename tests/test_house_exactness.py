"""No float slips into a value, and no heavy library into a start: what the source may say, and where."""

from __future__ import annotations

import ast
import math
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "symtrans"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Words that turn an exact value into a guess, or a text into a program; `exact/` alone may speak the first kind.
GUESSES = {"evalf", "simplify", "nsimplify", "sympify", "lambdify"}
PROGRAMS = {"eval", "exec", "__import__"}
EXACT_MATH = {"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "prod"}
FLOAT_MATH = {name for name in dir(math) if not name.startswith("_")} - EXACT_MATH

# Modules in which floats take part in no value, with the reason.
FLOATS_ALLOWED = {
    "page/plotting.py": "where a certified decimal stands on a drawing",
    "page/writers/tex.py": "how wide a line is on the page",
}

# Every library, the rooms that may know it, and the name it is installed by.
LIBRARIES = {
    "IPython": ({"notebook"}, "ipython"),
    "antlr4": ({"notation"}, "latex2sympy2"),
    "click": ({"cli", "notebook"}, "click"),
    "flint": ({"exact", "ops"}, "python-flint"),
    "gen": ({"notation"}, "latex2sympy2"),
    "lark": ({"notation"}, "lark"),
    "latex2mathml": ({"page"}, "latex2mathml"),
    "latex2sympy2": ({"notation"}, "latex2sympy2"),
    "markdown_it": ({"document", "page"}, "markdown-it-py"),
    "matplotlib": ({"page"}, "matplotlib"),
    "nbformat": ({"page"}, "nbformat"),
    "numpy": ({"exact", "model"}, "numpy"),
    "safetensors": ({"model"}, "safetensors"),
    "sympy": ({"exact", "notation", "ops", "model", "derive", "check", "page"}, "sympy"),
    "torch": ({"model"}, "torch"),
}
# Libraries that a module may import as it is imported itself; all others wait until a function needs them.
EAGER = {"click": "cli", "flint": ("exact", "ops/domains"), "lark": ("notation/parser.py", "notation/builder.py")}
EXTRAS = ("notebook", "plot", "torch", "weights")
HEAVY = {
    *("IPython", "antlr4", "flint", "lark", "latex2mathml", "latex2sympy2", "markdown_it", "matplotlib"),
    *("mpmath", "nbformat", "numpy", "safetensors", "sympy", "torch"),
}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(node: ast.AST, lazily: bool = False) -> Iterator[tuple[str, bool, int]]:
    """Every library that is imported below `node`: its name, whether only inside a function, and the line."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((name.name.split(".")[0], lazily, child.lineno) for name in child.names)
        elif isinstance(child, ast.ImportFrom) and child.level == 0:
            yield str(child.module).split(".")[0], lazily, child.lineno
        else:
            within = lazily or is_type_checking(child) or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from imports(child, within)


def floats(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Every float literal, every use of `float` but in `isinstance`, and every function of `math` that makes one."""
    match node:
        case ast.Constant(value=float() | complex() as value):
            yield node.lineno, repr(value)
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, *_]):
            yield from floats(subject)
            return
        case ast.Name(id="float" | "complex" as name) | ast.Attribute(attr="true_divide" as name):
            yield node.lineno, name
        case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in FLOAT_MATH:
            yield node.lineno, f"math.{name}"
        case ast.ImportFrom(module="math", names=names):
            yield from ((node.lineno, f"math.{item.name}") for item in names if item.name in FLOAT_MATH)
    for child in ast.iter_child_nodes(node):
        yield from floats(child)


def spoken(node: ast.AST, words: set[str]) -> Iterator[tuple[int, str]]:
    """Every name, attribute or import among `words`; for builtins an attribute of the same name is another thing."""
    for child in ast.walk(node):
        match child:
            case ast.Name(id=word) | ast.Attribute(attr=word) if word in words:
                if isinstance(child, ast.Name) or word not in PROGRAMS:
                    yield child.lineno, word
            case ast.ImportFrom(names=names):
                yield from ((child.lineno, item.name) for item in names if item.name in words)


def outside_exact() -> list[Path]:
    return [path for path in MODULES if room(path) != "exact"]


def test_the_search_for_floats_finds_them() -> None:
    source = (
        "import math\nfrom math import log, gcd\nx = 0.5\ny = float('1')\nz = math.sqrt(2)\n"
        "w = list(map(float, x))\nok = isinstance(x, float) and math.gcd(2, 4)\n"
    )
    assert list(floats(ast.parse(source))) == [
        (2, "math.log"),
        (3, "0.5"),
        (4, "float"),
        (5, "math.sqrt"),
        (6, "float"),
    ]
    assert list(spoken(ast.parse("x.evalf()\neval('1')\nmodel.eval()\n"), GUESSES | PROGRAMS)) == [
        (1, "evalf"),
        (2, "eval"),
    ]


def test_floats_take_part_in_no_value_outside_exact() -> None:
    found = {place(path): list(floats(tree(path))) for path in outside_exact()}
    found = {path: rows for path, rows in found.items() if rows}
    assert {path: rows for path, rows in found.items() if path not in FLOATS_ALLOWED} == {}
    assert set(FLOATS_ALLOWED) <= set(found), "an exception that is not needed any more"


def test_no_value_is_guessed_outside_exact() -> None:
    found = {place(path): list(spoken(tree(path), GUESSES)) for path in outside_exact()}
    assert {path: rows for path, rows in found.items() if rows} == {}


def test_no_text_is_run_as_a_program() -> None:
    found = {place(path): list(spoken(tree(path), PROGRAMS)) for path in MODULES}
    assert {path: rows for path, rows in found.items() if rows} == {}


def test_only_the_command_line_speaks_and_exits() -> None:
    quiet = [path for path in MODULES if room(path) not in ("cli", "__main__")]
    found = {place(path): list(spoken(tree(path), {"print", "SystemExit", "exit"})) for path in quiet}
    assert {path: rows for path, rows in found.items() if rows} == {}


def test_every_library_is_declared_and_known_only_where_it_belongs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    declared = " ".join((*project["dependencies"], *(one for extra in EXTRAS for one in optional[extra])))
    for path in MODULES:
        for library, lazily, line in imports(tree(path)):
            if library == "symtrans" or library in sys.stdlib_module_names:
                continue
            where = f"{place(path)}:{line} imports {library}"
            assert library in LIBRARIES, f"{where}, which no room knows"
            rooms, installed = LIBRARIES[library]
            assert room(path) in rooms, f"{where}, which is for {', '.join(sorted(rooms))}"
            assert installed in declared, f"{where}, which pyproject.toml does not ask for"
            if not lazily:
                assert place(path).startswith(EAGER.get(library, "nowhere")), f"{where} before a function needs it"


def loaded_after(program: str) -> set[str]:
    """The top-level packages that a fresh interpreter has loaded after `program`."""
    program += "\nimport sys; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("program", ["import symtrans", "import symtrans.__main__", "import symtrans.cli"])
def test_starting_loads_nothing_heavy(program: str) -> None:
    assert loaded_after(program) & HEAVY == set()


def test_importing_every_module_loads_no_sympy() -> None:
    paths = [path.parent if path.stem == "__init__" else path.with_suffix("") for path in MODULES]
    names = [".".join(path.relative_to(ROOT).parts) for path in paths]
    program = "import importlib\n" + "\n".join(f"importlib.import_module({name!r})" for name in names)
    assert loaded_after(program) & (HEAVY - {"flint", "lark"}) == set()
