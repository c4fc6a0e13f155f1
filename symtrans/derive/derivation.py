"""A worked example derived: its steps with exact values, symbols and lines. The public face of `derive`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from symtrans.derive.backward import gradient_id, with_gradients
from symtrans.derive.lines import Line, Lines, Plan
from symtrans.derive.naming import Naming
from symtrans.derive.numerals import Style
from symtrans.derive.sides import Sides
from symtrans.derive.steps import DerivedStep
from symtrans.derive.update import with_update
from symtrans.derive.values import Values
from symtrans.errors import UsageError
from symtrans.exact.field import Generator
from symtrans.exact.rounding import certify
from symtrans.model.build import build
from symtrans.model.load import load_spec
from symtrans.model.spec import Spec, with_settings
from symtrans.model.spec_reader import read_spec
from symtrans.model.tape import PARTS, Step, Tape
from symtrans.model.torch_spec import torch_spec
from symtrans.notation.dialect import load_dialect
from symtrans.shown import Shown

LOSS = "L"

if TYPE_CHECKING:
    from symtrans.derive.readback import ReadBack
    from symtrans.notation.tree import Node


class Example:
    """A worked example's specification, ready to be derived."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def derive(self, **options: Any) -> Derivation:
        """Derive the example; the options are those of `symtrans.derive`."""
        return derive(self.spec, **options)

    def __repr__(self) -> str:
        return f"<example {self.spec.name}>"


def load(example: str = "handcalc") -> Example:
    """A bundled example, by name, or a TOML file, by path.

    Raises `SpecError` (a fault in the file: one sentence with file and key) or `UsageError`
    (no such example or file).
    """
    return Example(load_spec(example))


def loads(text: str) -> Example:
    """A worked example from the text of a TOML file; arrays in files it cannot have. Raises `SpecError`."""
    return Example(read_spec(text, "the text"))


def from_torch(
    module: Any,
    inputs: Any,
    *,
    target: Any = None,
    output: Any = None,
    labels: Any = None,
    loss: str = "half_sum_of_squares",
    name: str | None = None,
    **masks: Any,
) -> Example:
    """A module of PyTorch as an example: its weights, exactly as their floats are, and its forward on `inputs`.

    * `module`: an `nn.MultiheadAttention`, `nn.TransformerEncoderLayer`, `nn.TransformerDecoderLayer`,
      `nn.TransformerEncoder`, `nn.TransformerDecoder` or `nn.Transformer`, without dropout or in
      evaluation mode.
    * `inputs`: what its forward is called with, one tensor (or nested lists), or a tuple of them:
      positions × width, or a batch of one. Attention with one input is self-attention.
    * `target`: rows to compare the output with, by `loss` (or `mean_squared_error`).
    * `output`, `labels`: an `nn.Linear` that makes logits of the output, and the vocabulary entry that
      each position should tell: the loss is then the mean cross-entropy. Without a target or labels
      there are no gradients.
    * `masks`: the masks of its forward, under PyTorch's names: `attn_mask`, `src_key_padding_mask`, …

    Raises `UsageError` or `SpecError`, one sentence each, for what cannot be derived.
    """
    loss_parts = {"target": target, "output": output, "labels": labels, "loss": loss}
    return Example(torch_spec(module, inputs, **loss_parts, name=name, masks=masks))


def derive(
    example: str | Spec = "handcalc",
    *,
    settings: Mapping[str, str] | None = None,
    head: int | None = None,
    parts: Sequence[str] = (),
    wrt: Sequence[str] = (),
    style: Style | None = None,
    symbolic: bool = False,
    expand: bool = False,
) -> Derivation:
    """Derive a worked example: forward, loss, gradients, update, each step exact.

    * `settings`: switches of the example, such as `{"weights": "softmax", "scale": "sqrt"}`.
    * `head`: only the smallest slice that this head's lines need (counted from 1).
    * `parts`: of inputs, forward, loss, backward, update; all when empty.
    * `wrt`: quantities whose gradient of the loss is derived (`W_Q1`, `x`, …); `all` stands for
      every parameter of every head and the input. Without any, those that the example names.
    * `symbolic`, `expand`: tell each step's entries as symbols, or written out in the inputs' entries.

    Raises `UsageError` for a setting, head, part or quantity that the example does not have.
    """
    spec = load_spec(example) if isinstance(example, str) else example
    if settings:
        spec = with_settings(spec, dict(settings))
    for part in parts:
        if part not in PARTS:
            raise UsageError(f"no part {part}: there are {', '.join(PARTS)}")
    tape = build(spec)
    wrt = wrt or spec.gradients
    if LOSS not in tape and (wrt or spec.update is not None):
        asked = f"no gradient with respect to {wrt[0]}" if wrt else "no update"
        raise UsageError(f"{asked}: {spec.name} has no loss; give it a target to compare its output with")
    targets = _targets(tape, wrt)
    if spec.update is not None:
        targets.append(spec.update.of)
    tape = with_gradients(tape, _in_tape_order(tape, targets))
    if spec.update is not None:
        tape = with_update(tape, spec.update.of, spec.update.step)
    return Derivation(spec, tape, head, tuple(parts), tuple(wrt), style or Style(), symbolic, expand)


def _targets(tape: Tape, wrt: Iterable[str]) -> list[str]:
    found: list[str] = []
    for name in wrt:
        found.extend(_every_parameter(tape) if name == "all" else [name])
    return found


def _every_parameter(tape: Tape) -> list[str]:
    """The input and every parameter; where heads have copies of a shared one, the copies, and no target."""
    copies = [step for step in tape if step.op is not None and step.op.name == "copy"]
    shared = {step.operands[0] for step in copies}
    forward = {operand for step in tape if step.part == "forward" for operand in step.operands}
    leaves = [
        step
        for step in tape
        if step.part == "inputs" and step.id in forward and step.id not in shared and not step.constant
    ]
    return [step.id for step in (*leaves, *copies)]


def _in_tape_order(tape: Tape, targets: Iterable[str]) -> list[str]:
    wanted = list(dict.fromkeys(targets))
    order = {step.id: index for index, step in enumerate(tape)}
    return sorted(wanted, key=lambda target: order.get(target, -1))


class Derivation(Shown):
    """All steps of a derived example, and the lines that tell the selected ones."""

    def __init__(
        self,
        spec: Spec,
        tape: Tape,
        head: int | None,
        parts: tuple[str, ...],
        wrt: tuple[str, ...],
        style: Style,
        symbolic: bool,
        expand: bool,
    ) -> None:
        self.spec = spec
        self.tape = tape
        self.values = Values(tape)
        self.style = style
        self.head = head
        self.parts = parts
        self.wrt = wrt
        self.symbolic = symbolic
        self.expand = expand
        self._told = self._select()
        self._refuse_silence()

    def __getitem__(self, step_id: str) -> DerivedStep:
        """A step by its id (`Q_1`, `dL/dW_O`); `UsageError` with close matches where there is none."""
        return DerivedStep(self.tape[step_id], self.values)

    def __iter__(self) -> Iterator[DerivedStep]:
        """The steps that are told, in order."""
        return (DerivedStep(step, self.values) for step in self.told_steps())

    @property
    def steps(self) -> list[DerivedStep]:
        """The steps that are told, in order."""
        return list(self)

    def gradient(self, step_id: str) -> DerivedStep:
        """The step that holds the loss's gradient with respect to a quantity, of the quantity's shape."""
        return self[gradient_id(step_id)]

    def targets(self) -> list[str]:
        """The quantities whose gradients were asked for, in the tape's order."""
        forward = Tape(step for step in self.tape if step.part not in ("backward", "update"))
        return _in_tape_order(forward, _targets(forward, self.wrt))

    def told_steps(self) -> list[Step]:
        """The steps that are told, silent ones included."""
        return [step for step in self.tape if step.id in self._told]

    def lines(self, dialect_name: str = "array") -> list[Line]:
        """The derivation's claims in order, in the chains that the dialect tells."""
        table = load_dialect(dialect_name)
        plan = Plan(table.chains, table.repeated, self.symbolic, self.expand)
        return list(Lines(self._sides(), plan, self._told, self.spec.name))

    def formula(self, step_id: str) -> Node:
        """A step's formula in its operands' names, as a tree; the step must not be an input."""
        return self._sides().product(self.tape[step_id])

    def symbols(self) -> list[tuple[Generator, str]]:
        """The let-bound symbols that the told steps introduce, each with its certified decimal."""
        told = [step for step in self.tape if step.id in self._told]
        found = [generator for step in told for generator in self.values.introduced(step.id)]
        return [(g, certify(self.values.field.element(g), self.style.digits).plain) for g in found]

    def read_back(self, dialect_name: str = "array") -> ReadBack:
        """The second reader's word on every side of every formula, spelled as the dialect has it."""
        from symtrans.derive.readback import read_back
        from symtrans.notation.writer import Writer

        return read_back(self.lines(dialect_name), self.values, self._naming(), Writer(load_dialect(dialect_name)))

    def latex(self, dialect_name: str = "array") -> list[str]:
        """The formulas in order, as LaTeX."""
        from symtrans.notation.writer import Writer

        writer = Writer(load_dialect(dialect_name))
        return [writer.chain(line.claim.chain) for line in self.lines(dialect_name)]

    def _naming(self) -> Naming:
        """The document's own names, unless the full backward pass is told: there one name per quantity."""
        return Naming({} if self.wrt else self.spec.aliases)

    def _sides(self) -> Sides:
        return Sides(self.values, self.style, self._naming())

    def _refuse_silence(self) -> None:
        """UsageError where what was asked for is not among the steps that are told."""
        chosen = [f"--head {self.head}"] if self.head is not None else []
        missing = [name for name in self.wrt if name != "all" and gradient_id(name) not in self._told]
        if missing and "backward" in (self.parts or PARTS):
            raise UsageError(
                f"the gradient with respect to {missing[0]} is not among the lines that head {self.head} needs; "
                "leave --head out, or ask for a quantity of that head"
            )
        if not any(step.part in (self.parts or PARTS) and not step.silent for step in self.told_steps()):
            chosen.extend(f"--part {part}" for part in self.parts)
            raise UsageError(
                f"there is nothing to tell in {self.spec.name} for {' '.join(chosen)}; "
                "leave one out, or ask for a gradient with --wrt"
            )

    def _select(self) -> frozenset[str]:
        parts = self.parts or PARTS
        wanted = [step for step in self.tape if step.part in parts]
        if self.head is None:
            return frozenset(step.id for step in wanted)
        heads = sorted({step.head for step in self.tape if step.head is not None})
        if self.head not in heads:
            raise UsageError(f"no head {self.head}: {self.spec.name} has heads {heads[0]} to {heads[-1]}")
        lines = [step.id for step in wanted if step.head == self.head]
        needed = self.tape.needed(lines)
        return frozenset(step.id for step in wanted if step.id in needed)
