"""Putting a tape together: quantities of the specification as inputs, ops as steps, each with its scope and name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from symtrans.errors import SpecError
from symtrans.model.names import quantity_name
from symtrans.model.spec import Literal, Spec
from symtrans.model.tape import Step, Tape
from symtrans.ops import find_op


@dataclass(frozen=True)
class Assembly:
    """A tape in the making, seen from one scope.

    Ids given and returned are whole (`enc1.Q_1`); `own` makes one from a local id (`Q_1`).
    """

    spec: Spec
    tape: Tape
    scope: str = ""

    def within(self, scope: str) -> Assembly:
        """The same tape seen from a scope inside this one."""
        return replace(self, scope=f"{self.scope}.{scope}" if self.scope and scope else scope or self.scope)

    def own(self, local: str) -> str:
        """The whole id of a step of this scope."""
        return f"{self.scope}.{local}" if self.scope else local

    def has(self, quantity: str) -> bool:
        """Whether the specification gives a quantity of this scope."""
        return self.own(quantity) in self.spec.matrices

    def given(self, local: str) -> tuple[Literal, ...]:
        """A quantity of this scope as the specification gives it; SpecError where it does not."""
        if not self.has(local):
            choices = ", ".join(f"{key} = {value}" for key, value in self.spec.settings.items())
            raise SpecError(f"{self.spec.source}: {self.own(local)}: is missing; with {choices} it is needed")
        return self.spec.matrices[self.own(local)]

    def take(
        self,
        local: str,
        *,
        role: str = "",
        index: int | str | None = None,
        parameter: bool = False,
        constant: bool = False,
    ) -> str:
        """A quantity as an input step, or one for each owner that has its own; the id, without an owner's number."""
        literals = self.given(local)
        own = len(literals) > 1
        for number, literal in enumerate(literals, 1):
            self.tape.add(
                id=self.own(local) + (str(number) if own else ""),
                name=quantity_name(role or local, self.spec.names, number if own else index, self.scope),
                literal=literal,
                part="inputs",
                role=role or local,
                kind="input",
                head=number if own else None,
                scope=self.scope,
                parameter=parameter,
                constant=constant,
            )
        return self.own(local)

    def number(self, local: str, role: str, literal: Literal, *, silent: bool = False) -> str:
        """A scalar that no gradient is asked for; silent where formulas have its digits in place of its name."""
        step_id = self.own(local)
        if step_id not in self.tape:
            self.tape.add(
                id=step_id,
                name=quantity_name(role, self.spec.names, None, self.scope),
                literal=literal,
                shape=(),
                part="inputs",
                role=role,
                kind="input",
                scope=self.scope,
                silent=silent,
                constant=True,
            )
        return step_id

    def constant(self, local: str, role: str, literal: Literal, *, head: int | None = None) -> str:
        """A matrix that the architecture itself gives: positions, distances, a causal mask."""
        step_id = self.own(local)
        if step_id not in self.tape:
            self.tape.add(
                id=step_id,
                name=quantity_name(role, self.spec.names, head, self.scope),
                literal=literal,
                part="inputs",
                role=role,
                kind="input",
                head=head,
                scope=self.scope,
                constant=True,
            )
        return step_id

    def copy_for(self, local: str, owner: int, *, head: int | None) -> str:
        """The id of an owner's weights: as given, or a silent copy of what all owners share."""
        step_id = self.own(f"{local}{owner}")
        if step_id not in self.tape:
            self.tape.add(
                id=step_id,
                name=quantity_name(local, self.spec.names, owner, self.scope),
                op=find_op("copy"),
                operands=(self.own(local),),
                part="forward",
                role=local,
                kind="input",
                head=head,
                scope=self.scope,
                silent=True,
                parameter=True,
            )
        return step_id

    def step(
        self,
        local: str,
        role: str,
        kind: str,
        op: str,
        operands: tuple[str, ...],
        *,
        head: int | None = None,
        index: int | str | None = None,
        settings: Mapping[str, int] | None = None,
    ) -> str:
        """An op applied to earlier steps; its id. `index` stands in the name, `head` too if that is not given."""
        added: Step = self.tape.add(
            id=self.own(local),
            name=quantity_name(role, self.spec.names, head if index is None else index, self.scope),
            op=find_op(op),
            operands=operands,
            part="loss" if role == "loss" else "forward",
            role=role,
            kind=kind,
            head=head,
            scope=self.scope,
            settings=settings,
        )
        return added.id
