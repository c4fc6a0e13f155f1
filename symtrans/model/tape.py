"""The tape: named steps in single assignment, each shape-checked when it is added."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from symtrans.errors import UsageError
from symtrans.exact.floats import Floats
from symtrans.exact.written import Written
from symtrans.notation.name import AnyName
from symtrans.ops.op import Op
from symtrans.ops.program import Kind, Program, program
from symtrans.ops.shapes import Shape, result_shape, settled

Part = Literal["inputs", "forward", "loss", "backward", "update"]
Cell = Written | None  # None is minus infinity, a masked entry
Entries = Sequence[tuple[Cell, ...]]  # by rows; a large matrix of floats is an array
PARTS: tuple[Part, ...] = ("inputs", "forward", "loss", "backward", "update")


@dataclass(frozen=True, eq=False)
class Step:
    """A named quantity: an input with its digits as written, or an op applied to earlier steps.

    * `shape`: (rows, columns), or () for a scalar.
    * `role`: what it is, a key for words (`query`, `scores`, `W_O`, …); `kind`: its row in a
      dialect's table of chains (`projection`, `linear`, `gradient`, …).
    * `head`: the attention head it belongs to, from 1, or None.
    * `silent`: it has no line of its own (a head's own copy of shared weights, a learning rate).
    * `of`: for a gradient or an update, the id of the forward step it is about.
    * `scope`: the layer it belongs to (`enc1`, `dec.cross`), or empty.
    * `parameter`: it is learned; `constant`: no gradient is asked for (tokens, masks, epsilon).
    """

    id: str
    name: AnyName
    op: Op | None
    operands: tuple[str, ...]
    shape: Shape
    part: Part
    role: str
    kind: str
    head: int | None = None
    settings: Mapping[str, int] = field(default_factory=dict)
    literal: Entries | None = None
    silent: bool = False
    of: str = ""
    parameter: bool = False
    scope: str = ""
    constant: bool = False


class Tape:
    """Steps in order; a step's operands stand before it."""

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._steps = {step.id: step for step in steps}
        self.places = {step_id: place for place, step_id in enumerate(self._steps)}  # where each stands, from 0
        self._programs: dict[Kind, Programs] = {}

    def add(
        self,
        *,
        id: str,
        name: AnyName,
        part: Part,
        role: str,
        kind: str,
        op: Op | None = None,
        operands: tuple[str, ...] = (),
        head: int | None = None,
        settings: Mapping[str, int] | None = None,
        literal: Entries | None = None,
        shape: Shape | None = None,
        silent: bool = False,
        of: str = "",
        parameter: bool = False,
        scope: str = "",
        constant: bool = False,
    ) -> Step:
        """Add a step and return it. ShapeError where the operands do not fit the op; ids are used once."""
        if id in self._steps:
            raise ValueError(f"the step {id} is on the tape already")
        if op is not None:
            shape = result_shape(op, [self[operand].shape for operand in operands], settings)
        elif shape is None:
            assert literal is not None
            shape = literal.shape if isinstance(literal, Floats) else (len(literal), len(literal[0]))
        step = Step(
            id,
            name,
            op,
            operands,
            shape,
            part,
            role,
            kind,
            head,
            settings or {},
            literal,
            silent,
            of,
            parameter,
            scope,
            constant,
        )
        self.places[id] = len(self._steps)
        self._steps[id] = step
        return step

    def copy(self) -> Tape:
        """A tape with the same steps, to which others can be added."""
        return Tape(self._steps.values())

    def __getitem__(self, step_id: str) -> Step:
        """The step of this id; UsageError, which names close ones, where there is none."""
        found = self._steps.get(step_id)
        if found is None:
            close = difflib.get_close_matches(step_id, self._steps, 3) or list(self._steps)[:12]
            raise UsageError(f"there is no step {step_id}; there are {', '.join(close)}")
        return found

    def __contains__(self, step_id: object) -> bool:
        return step_id in self._steps

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps.values())

    def __len__(self) -> int:
        return len(self._steps)

    def programs(self, kind: Kind) -> Programs:
        """The steps' programs on matrices of one kind; they are the same for whoever asks."""
        return self._programs.setdefault(kind, Programs(self, kind))

    def needed(self, ids: Iterable[str]) -> frozenset[str]:
        """The smallest set of steps that these need, themselves included."""
        found: set[str] = set()
        pending = list(ids)
        while pending:
            step = self[pending.pop()]
            if step.id not in found:
                found.add(step.id)
                pending.extend(step.operands)
        return frozenset(found)

    def sliced(self, ids: Iterable[str]) -> Tape:
        """A tape of only what these steps need, in the same order."""
        wanted = self.needed(ids)
        return Tape(step for step in self if step.id in wanted)


class Programs(dict[str, Program | None]):
    """By step, its program on matrices of one kind, looked up once; None for an input, and for a rule that has none."""

    def __init__(self, tape: Tape, kind: Kind) -> None:
        super().__init__()
        self.tape = tape
        self.kind = kind

    def __missing__(self, step_id: str) -> Program | None:
        step = self.tape[step_id]
        shapes = tuple(self.tape[operand].shape for operand in step.operands)
        self[step_id] = None if step.op is None else program(step.op, shapes, settled(step.settings), self.kind)
        return self[step_id]
