"""Optimizers as steps: from a parameter and its gradient to the parameter after one update."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from symtrans.errors import UsageError
from symtrans.exact.written import Written
from symtrans.model.tape import Step, Tape
from symtrans.notation.name import AnyName, Name, Script
from symtrans.ops import find_op

OPTIMIZERS = ("sgd", "momentum", "adam", "adamw")
# What each takes beside the rate, with PyTorch's defaults.
CONSTANTS: Mapping[str, Mapping[str, str]] = {
    "sgd": {},
    "momentum": {"momentum": "0.9"},
    "adam": {"beta1": "0.9", "beta2": "0.999", "epsilon": "1e-8"},
    "adamw": {"beta1": "0.9", "beta2": "0.999", "epsilon": "1e-8", "weight_decay": "0.01"},
}
LETTERS = {"velocity": "V", "first_moment": "M", "second_moment": "V", "corrected_first": "M", "corrected_second": "V"}


@dataclass(frozen=True, slots=True)
class Optimizer:
    """An optimizer: its kind, its learning rate, its other constants, and the warm-up that scales the rate, if any.

    With `warm_up` the rate at update t is rate·d^(-1/2)·min(t^(-1/2), t·warm_up^(-3/2)), where d is
    the model's width (Vaswani et al. 2017, eq. 3).
    """

    kind: str
    rate: Written
    constants: Mapping[str, Written]
    warm_up: int = 0

    @classmethod
    def of(cls, kind: str, rate: str, given: Mapping[str, str | None], warm_up: int = 0) -> Optimizer:
        """An optimizer from texts; UsageError for a kind or a constant that there is not, or a number that is none."""
        if kind not in OPTIMIZERS:
            raise UsageError(f"no optimizer {kind}: there are {', '.join(OPTIMIZERS)}")
        for key, text in given.items():
            if text is not None and key not in CONSTANTS[kind]:
                takes = ", ".join(CONSTANTS[kind]) or "only a rate"
                raise UsageError(f"--{key.replace('_', '-')}: {kind} has no such constant; it takes {takes}")
        constants = {
            key: _number(key, default if (text := given.get(key)) is None else text)
            for key, default in CONSTANTS[kind].items()
        }
        for key in ("beta1", "beta2", "momentum"):
            if key in constants and not 0 <= constants[key].value < 1:
                raise UsageError(f"--{key}: is {constants[key].text}; a number from 0 to less than 1 is expected")
        return cls(kind, _number("rate", rate), constants, warm_up)


def _number(key: str, text: str) -> Written:
    try:
        return Written.parse(text)
    except UsageError as fault:
        raise UsageError(f"--{key.replace('_', '-')}: {fault}") from None


class Updates:
    """Adds the updates of one optimizer to a tape; `count` is the number of the update, from 1."""

    def __init__(self, tape: Tape, optimizer: Optimizer, width: int | None) -> None:
        self.tape = tape
        self.optimizer = optimizer
        self.width = width
        self._moments: dict[tuple[str, str], str] = {}
        for key, value in {"rate": optimizer.rate, **optimizer.constants}.items():
            self._scalar(key, value)

    def rate(self, count: int) -> str:
        """The id of the learning rate at an update."""
        if not self.optimizer.warm_up:
            return "optimizer.rate"
        if self.width is None:
            raise UsageError("--warm-up: the schedule needs the model's width d_model, and this example has none")
        settings = {"d": self.width, "t": count, "w": self.optimizer.warm_up}
        name = Name("eta", is_command=True, subscript=(Script(str(count)),))
        return self._add(f"eta@{count}", name, "warm_up", ("optimizer.rate",), "eta", settings=settings)

    def updated(self, base: Step, theta: str, gradient: str, rate: str, count: int, name: AnyName) -> list[str]:
        """The ids of the steps of one parameter's update, the parameter after it last. `base` is the parameter."""
        added: list[str] = []
        above = (Script(f"{base.id.replace('_', '')},{count}", "text"),)
        operands: tuple[str, ...]

        def step(role: str, op: str, operands: tuple[str, ...], settings: Mapping[str, int] | None = None) -> str:
            accent = "hat" if role.startswith("corrected") else ""
            own = Name(
                LETTERS[role], "bold", accent, superscript=(Script(f"{base.id.replace('_', '')},{count}", "text"),)
            )
            step_id = self._add(f"{role}@{count}.{base.id}", own, op, operands, base.id, settings=settings)
            added.append(step_id)
            return step_id

        def moment(role: str, op: str, constant: str) -> str:
            before = self._moments.get((role, base.id)) or self._nothing(base, role)
            self._moments[role, base.id] = step(role, op, (before, f"optimizer.{constant}", gradient))
            return self._moments[role, base.id]

        match self.optimizer.kind:
            case "sgd":
                op, operands = "descent_step", (theta, rate, gradient)
            case "momentum":
                op, operands = "descent_step", (theta, rate, moment("velocity", "momentum", "momentum"))
            case _:
                first = moment("first_moment", "moving_average", "beta1")
                second = moment("second_moment", "moving_average_of_squares", "beta2")
                first = step("corrected_first", "bias_correction", (first, "optimizer.beta1"), {"t": count})
                second = step("corrected_second", "bias_correction", (second, "optimizer.beta2"), {"t": count})
                if self.optimizer.kind == "adamw":
                    decayed, decay = Name("W", "bold", "tilde", superscript=above), "optimizer.weight_decay"
                    theta = self._add(
                        f"decayed@{count}.{base.id}", decayed, "weight_decay", (theta, rate, decay), base.id
                    )
                    added.append(theta)
                op, operands = "adam_step", (theta, rate, first, second, "optimizer.epsilon")
        added.append(self._add(f"{base.id}@{count}", name, op, operands, base.id, parameter=True))
        return added

    def _nothing(self, base: Step, role: str) -> str:
        """The moment before the first update: zeros."""
        name = Name(LETTERS[role], "bold", superscript=(Script(f"{base.id.replace('_', '')},0", "text"),))
        return self._add(f"{role}@0.{base.id}", name, "zeros_like", (base.id,), base.id, kind="gradient_zero")

    def _scalar(self, key: str, value: Written) -> None:
        self.tape.add(
            id=f"optimizer.{key}",
            name=Name("eta" if key == "rate" else key.replace("_", ""), is_command=key == "rate"),
            literal=((value,),),
            shape=(),
            part="update",
            role="step_size",
            kind="input",
            silent=True,
            constant=True,
        )

    def _add(
        self,
        step_id: str,
        name: AnyName,
        op: str,
        operands: tuple[str, ...],
        of: str,
        *,
        settings: Mapping[str, int] | None = None,
        kind: str = "plain",
        parameter: bool = False,
    ) -> str:
        self.tape.add(
            id=step_id,
            name=name,
            op=find_op(op),
            operands=operands,
            part="update",
            role="update",
            kind=kind,
            settings=settings,
            of=of,
            parameter=parameter,
        )
        return step_id
