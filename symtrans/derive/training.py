"""Training: forward, backward and update in turn on one tape, so that every value follows from the first parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symtrans.derive.backward import gradient_id, with_gradients
from symtrans.derive.derivation import Derivation
from symtrans.derive.numerals import Style
from symtrans.derive.optimizer import Optimizer, Updates
from symtrans.errors import UsageError
from symtrans.model.build import build
from symtrans.model.spec import Spec
from symtrans.model.tape import Step, Tape
from symtrans.notation.name import Name, Script
from symtrans.shown import Shown

MOST_UPDATES = 100
LOSS = "L"


@dataclass(frozen=True, slots=True)
class Update:
    """One update: its number from 1, the loss before it, the learning rate, the gradients, and its steps."""

    number: int
    loss: str
    rate: str
    gradients: tuple[str, ...]
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Training(Shown):
    """A derivation of several updates; `final_loss` is the loss after the last one."""

    derivation: Derivation
    optimizer: Optimizer
    updates: tuple[Update, ...]
    final_loss: str
    parameters: tuple[str, ...]


def train(
    spec: Spec, optimizer: Optimizer, count: int, *, only: Sequence[str] = (), style: Style | None = None
) -> Training:
    """`count` updates of an example's parameters, or of those named in `only`.

    Exact while values are rational and short, certified afterwards. Raises UsageError for an example
    without a loss, a number of updates outside 1 to 100, or a name that is no parameter.
    """
    if not 1 <= count <= MOST_UPDATES:
        raise UsageError(f"--steps {count}: a number of updates from 1 to {MOST_UPDATES} is expected")
    base = build(spec)
    if LOSS not in base:
        raise UsageError(f"{spec.name} has no loss, so there is nothing to train; give it labels or a target y")
    parameters = _parameters(base, only, spec.name)
    tape = base
    updates: list[Update] = []
    builder: Updates | None = None
    for number in range(1, count + 1):
        current = {step.id: _id(step.id, number - 1) for step in parameters}
        loss = _id(LOSS, number - 1)
        tape = with_gradients(tape, current.values(), loss)
        gradients = tuple(gradient_id(current[step.id], loss) for step in parameters)
        if builder is None:
            builder = Updates(tape, optimizer, spec.dimensions.get("d_model"))
        builder.tape = tape
        rate = builder.rate(number)
        steps: list[str] = []
        for step, gradient in zip(parameters, gradients, strict=True):
            steps += builder.updated(step, current[step.id], gradient, rate, number, _marked(step, number))
        updates.append(Update(number, loss, rate, gradients, tuple(steps)))
        _repeat(tape, base, number, {step.id for step in parameters})
    derivation = Derivation(spec, tape, None, (), (), style or Style(), False, False)
    ids = tuple(step.id for step in parameters)
    return Training(derivation, optimizer, tuple(updates), _id(LOSS, count), ids)


def _parameters(tape: Tape, only: Sequence[str], name: str) -> list[Step]:
    """The parameters that are trained: those that the example gives, shared ones once."""
    found = [step for step in tape if step.parameter and step.part == "inputs"]
    for wanted in only:
        if wanted not in {step.id for step in found}:
            raise UsageError(f"--of {wanted}: is no parameter of {name}; there are {', '.join(s.id for s in found)}")
    return [step for step in found if not only or step.id in only]


def _id(step_id: str, updates: int) -> str:
    """The id of a quantity after some updates."""
    return f"{step_id}@{updates}" if updates else step_id


def _marked(step: Step, updates: int) -> Name:
    """The name of a quantity after some updates: {W}^{(1)}, or with its layer, {W}^{enc,1}."""
    assert isinstance(step.name, Name)
    mark = Script(f"{step.scope},{updates}", "text") if step.scope else Script(f"({updates})")
    return replace(step.name, superscript=(mark,))


def _repeat(tape: Tape, base: Tape, updates: int, trained: set[str]) -> None:
    """The forward pass once more, with the parameters after some updates; what none of them touches stays."""
    changed = set(trained)
    for step in base:
        if step.op is None or not any(operand in changed for operand in step.operands):
            continue
        changed.add(step.id)
        tape.add(
            id=_id(step.id, updates),
            name=_marked(step, updates),
            op=step.op,
            operands=tuple(_id(i, updates) if i in changed else i for i in step.operands),
            part=step.part,
            role=step.role,
            kind=step.kind,
            head=step.head,
            settings=step.settings,
            silent=step.silent,
            parameter=step.parameter,
            scope=step.scope,
        )
