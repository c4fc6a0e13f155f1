"""One step as a person handles it: exact value and symbols as SymPy matrices, proven decimals, LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtrans.derive.naming import Naming
from symtrans.derive.numerals import Style
from symtrans.derive.sides import Sides
from symtrans.derive.values import Values
from symtrans.exact.face import to_sympy
from symtrans.exact.rounding import certify
from symtrans.model.tape import Step
from symtrans.notation.dialect import load_dialect
from symtrans.notation.tree import Chain, Link
from symtrans.notation.writer import Writer
from symtrans.shown import Shown

if TYPE_CHECKING:
    import sympy

    from symtrans.derive.gears import Effort


class DerivedStep(Shown):
    """A step of a derivation with its value.

    `value` and `symbolic` are SymPy ImmutableMatrix of the step's shape (a 1×1 matrix for a
    scalar), made when asked for.
    """

    def __init__(self, step: Step, values: Values) -> None:
        self.step = step
        self.values = values

    @property
    def id(self) -> str:
        """The step's id: `Q_1`, `dL/dW_O`."""
        return self.step.id

    @property
    def shape(self) -> tuple[int, ...]:
        """(rows, columns), or () for a scalar."""
        return self.step.shape

    @property
    def value(self) -> sympy.ImmutableMatrix:
        """The exact value: rationals, or polynomials in let-bound symbols (see `definitions`).

        An entry that is known by its enclosures only is a symbol of its own without a definition.
        """
        from sympy import ImmutableMatrix

        return ImmutableMatrix([[to_sympy(entry) for entry in row] for row in self.values.tensor(self.id).rows()])

    @property
    def symbolic(self) -> sympy.ImmutableMatrix:
        """The step's rule on one symbol per entry of its operands; an input is its own symbols."""
        from symtrans.derive.faces import symbolic_matrix

        return symbolic_matrix(self.step, self.values.tape)

    def exact(self) -> list[list[str | None]]:
        """Every entry exactly, as text: `27/10`, or a polynomial in let-bound symbols.

        None for an entry that is known by its enclosures only, which has no exact form.
        """
        rows = self.values.tensor(self.id).rows()
        return [[None if entry.is_enclosed else str(entry) for entry in row] for row in rows]

    def decimals(self, digits: int = 6) -> list[list[str]]:
        """Every entry to `digits` significant digits, each digit proven: `25.95`, `6.54103e-7`.

        Of a large model, which is given as arrays, balls of doubles prove nearly all of them (see `effort`).
        """
        gears = self.values.gears
        if gears is not None:
            texts = gears.decimals(self.id, digits)
            width = self.shape[1] if self.shape else 1
            return [texts[start : start + width] for start in range(0, len(texts), width)]
        return [[certify(entry, digits).plain for entry in row] for row in self.values.tensor(self.id).rows()]

    def effort(self, digits: int = 6) -> Effort | None:
        """How the decimals of a large model's step are proven; None for a model that needs no such care."""
        gears = self.values.gears
        return None if gears is None else gears.effort(self.id, digits)

    def latex(self, dialect_name: str = "array", style: Style | None = None) -> str:
        """The step's name and value as one formula, however large unless the style is another."""
        sides = Sides(self.values, style or Style(full=True), Naming({}))
        told = [sides.name(self.step), *(side.node for side in sides.value(self.step))]
        links = tuple(Link("≈" if side.rounded else "=") for side in sides.value(self.step))
        return Writer(load_dialect(dialect_name)).chain(Chain(tuple(told), links))

    def __repr__(self) -> str:
        shape = "×".join(map(str, self.shape)) or "scalar"
        return f"<step {self.id}, {shape}>"
