"""The last part of a worked example: one step of gradient descent on a quantity."""

from __future__ import annotations

from symtrans.derive.backward import gradient_id
from symtrans.exact.written import Written
from symtrans.model.tape import Tape
from symtrans.notation.name import Name, Script
from symtrans.ops import find_op


def with_update(tape: Tape, of: str, step: Written, loss: str = "L") -> Tape:
    """A tape with the step of descent `of − step·∂L/∂of` added; the gradient must be on the tape."""
    extended = tape.copy()
    rate = extended.add(
        id="eta",
        name=Name("eta", is_command=True),
        literal=((step,),),
        shape=(),
        part="update",
        role="step_size",
        kind="input",
        silent=True,
    )
    quantity = tape[of]
    extended.add(
        id=f"{of}_new",
        name=_renewed(quantity.name),
        op=find_op("descent_step"),
        operands=(of, rate.id, gradient_id(of, loss)),
        part="update",
        role="update",
        kind="update",
        of=of,
    )
    return extended


def _renewed(name: object) -> Name:
    r"""The name of the quantity after the step: `{W}_{\text{new}}`."""
    assert isinstance(name, Name)
    return Name(
        name.nucleus,
        name.font,
        name.accent,
        (*name.subscript, Script(" new" if name.subscript else "new", "text")),
        name.superscript,
        name.primes,
        name.is_command,
    )
