r"""latex2sympy2 behind its guards: it reads one expression to its end, or says that it cannot.

The guards, each for a hazard that `tests/test_second_reader.py` pins:

* its lexer and parser are driven here, errors raise, and the end of the input is demanded: by
  itself it stops at what it does not know and returns what it has;
* `expr` is parsed, never `math`: a relation would assign a variable or call a solver;
* a placeholder is a single letter in braces, with a digit below where letters run out, never a
  document's name: `dW` leaves it unusable for the rest of the process, `v_1(2)` would be a function of 2;
* it calls SymPy's `doit` between matrices, which cancels `z/z` whatever z is and works out 9^{9^9}:
  it makes trees while SymPy evaluates nothing, and its two functions that do are put aside;
* its tables of variables are set before and put back after, under a lock;
* its antlr runtime imports `typing.io`, which Python 3.13 no longer has; a stand-in is there while
  it is imported. It installs top-level packages `gen` and `tests`; the second is never imported.
"""

from __future__ import annotations

import importlib.metadata
import sys
import threading
import time
import typing
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from types import ModuleType
from typing import Any

from symtrans.notation.rereading.refusal import CannotReread

MAX_LENGTH = 1000  # characters: its parser takes up to one millisecond for each
MAX_SECONDS = 5  # a net under MAX_LENGTH, not a measure: what is cut by it depends on the machine

_lock = threading.Lock()


def sympy_tree(text: str, shapes: Mapping[str, tuple[int, int] | None]) -> Any:
    """The SymPy tree that latex2sympy2 reads; `shapes` are the placeholders', None for a scalar's.

    The tree is to be walked, not computed with: it is shared by all who give the same text and shapes,
    since documents repeat themselves. Raises CannotReread where it does not read the text to its end.
    """
    if len(text) > MAX_LENGTH:
        raise CannotReread(f"more than {MAX_LENGTH:,} characters")
    tree, refusal = _read(text, tuple(shapes.items()))
    if refusal:
        raise CannotReread(refusal)
    return tree


@lru_cache(1024)
def _read(text: str, shapes: tuple[tuple[str, tuple[int, int] | None], ...]) -> tuple[Any, str]:
    """The tree, or why there is none."""
    with _lock:
        engine = _engine()
        from sympy import evaluate

        with evaluate(False), _tables(engine, dict(shapes)):
            try:
                return engine.convert_expr(_parse(text)), ""
            except CannotReread as refusal:
                return None, str(refusal)
            except Exception as fault:  # it raises whatever it likes
                reason = str(fault).splitlines()[0][:80] if str(fault) else type(fault).__name__
                return None, f"latex2sympy2 stumbles: {reason}"


def load() -> None:
    """Load latex2sympy2 and SymPy, if they are not loaded yet."""
    with _lock:
        _engine()


def _parse(text: str) -> Any:
    from antlr4 import CommonTokenStream, InputStream, Token

    engine = _engine()
    strict, deadline = _listeners()
    lexer = engine.PSLexer(InputStream(text))
    tokens = CommonTokenStream(lexer)
    parser = engine.PSParser(tokens)
    for recognizer in (lexer, parser):
        recognizer.removeErrorListeners()
        recognizer.addErrorListener(strict())
    parser.addParseListener(deadline())
    expression = parser.expr()
    if tokens.LA(1) != Token.EOF:
        raise CannotReread(f"latex2sympy2 stops before {tokens.LT(1).text}")
    return expression


@cache
def _listeners() -> tuple[type, type]:
    from antlr4.error.ErrorListener import ErrorListener
    from antlr4.tree.Tree import ParseTreeListener

    class Strict(ErrorListener):  # type: ignore[misc]
        """Raises at the first error instead of repairing the input."""

        def syntaxError(self, recognizer: Any, symbol: Any, line: int, column: int, message: str, fault: Any) -> None:
            raise CannotReread(f"latex2sympy2 does not read character {column + 1}: {message[:60]}")

    class Deadline(ParseTreeListener):  # type: ignore[misc]
        """Raises when a rule is entered too late."""

        def __init__(self) -> None:
            self.end = time.monotonic() + MAX_SECONDS

        def enterEveryRule(self, context: Any) -> None:
            if time.monotonic() > self.end:
                raise CannotReread(f"more than {MAX_SECONDS} seconds")

    return Strict, Deadline


@contextmanager
def _tables(engine: Any, shapes: Mapping[str, tuple[int, int] | None]) -> Iterator[None]:
    """The engine's tables hold the placeholders' shapes, its matrix operations do nothing, and all is put back."""
    from sympy import MatrixSymbol, Symbol

    kept = engine.var, engine.variances, engine.is_real, engine.mat_add_flat, engine.mat_mul_flat
    engine.var, engine.variances, engine.is_real = {}, {}, None
    engine.mat_add_flat, engine.mat_mul_flat = _sum, _product
    try:
        for name, shape in shapes.items():
            if shape is not None:
                engine.var[name] = engine.variances[Symbol(name, real=None)] = MatrixSymbol(name, *shape)
        yield
    finally:
        engine.var, engine.variances, engine.is_real, engine.mat_add_flat, engine.mat_mul_flat = kept


def _sum(left: Any, right: Any) -> Any:
    from sympy import MatAdd

    return MatAdd(left, right, evaluate=False)


def _product(left: Any, right: Any) -> Any:
    from sympy import MatMul

    return MatMul(left, right, evaluate=False)


@cache
def _engine() -> Any:
    missing = "typing.io" not in sys.modules and sys.version_info >= (3, 13)
    if missing:
        stand_in = ModuleType("typing.io")
        stand_in.TextIO = typing.TextIO  # type: ignore[attr-defined]
        sys.modules["typing.io"] = stand_in
    # Its parser is a top-level `gen`: one that lies in somebody's folder must not be taken for it.
    path, others = sys.path[:], {name: sys.modules.pop(name) for name in list(sys.modules) if _is_gen(name)}
    installed = importlib.metadata.distribution("latex2sympy2").locate_file("")
    sys.path.insert(0, str(installed))
    try:
        import latex2sympy2
    finally:
        sys.path[:] = path
        for name in [name for name in sys.modules if _is_gen(name)]:
            del sys.modules[name]
        sys.modules.update(others)
        if missing:
            del sys.modules["typing.io"]
    return latex2sympy2


def _is_gen(name: str) -> bool:
    return name == "gen" or name.startswith("gen.")
