r"""What an operation is: its shapes, its rule and its vjp as formulas in its own names, and their source.

A rule is told once, as LaTeX, read once into a tree. Exact value, enclosure, shape, SymPy matrix,
written-out entries and printed formula are interpreters of that one tree (`ops.interpret`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Operand:
    r"""A parameter of an op: its LaTeX name in the op's formulas, and its shape in letters.

    `shape` is `("n", "k")` for a matrix, `()` for a scalar. Equal letters are equal lengths. A
    `variadic` operand stands for one or more operands of this shape; a letter with a star
    (`"k*"`) may differ among them, and in the result's shape it is their total. A result's length
    may also be a sum of letters, settings and numbers: `"b-a+1"`.
    """

    name: str
    shape: tuple[str, ...]
    variadic: bool = False


@dataclass(frozen=True, eq=False)
class Op:
    r"""An operation of a Transformer's arithmetic.

    * `rule`: the result as a formula in the operands' names. Shape letters may be used as numbers;
      `\mathbf{1}_{n}` is a column of n ones, `\mathbf{I}_{n}` the identity. A variadic operand `X`
      is written `X_1 … X_h` with `\ldots` between: `X_1+\ldots+X_h`.
    * `vjp`: for each differentiable operand its cotangent, a formula in the operands' names, the
      result's name and the result's cotangent, `\bar{Y}` for a result named `Y`. For a variadic
      operand the formula tells one member's cotangent; `a` and `b` are its first and last column
      in the concatenation, counted from 1. An operand that is missing here gets none.
    * `settings`: integers that a step fixes, usable as numbers in the formulas.
    * `requires`: what the lengths must satisfy besides, as `"b<=m"`, or `"2|d"` for an even d.
    * `stops`: why cotangents end here, or empty; a key of the language files.
    * `source`: the paper or book and its equation.
    * `sample`: a length for every shape letter and setting, for the proof of the vjp.
    """

    name: str
    operands: tuple[Operand, ...]
    result: Operand
    rule: str
    vjp: Mapping[str, str]
    source: str
    settings: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    stops: str = ""
    sample: Mapping[str, int] = field(default_factory=dict)
