"""A derivation's backward pass proven: each vjp line, each sum of uses, and every gradient as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from symtrans.derive.backward import gradient_id
from symtrans.derive.certificate import Alone, Certificate, Certification
from symtrans.derive.derivation import LOSS, Derivation
from symtrans.derive.forward_mode import ForwardMode
from symtrans.derive.kinks import Kinks
from symtrans.derive.line_proofs import Family, LineProof, LineProofs, Verdict
from symtrans.derive.prime_run import PrimeRun
from symtrans.derive.vjp_lines import Reading
from symtrans.errors import UsageError
from symtrans.model.tape import Tape
from symtrans.ops.shapes import Shape


@dataclass(frozen=True, slots=True)
class GradientProof:
    """What is known of a gradient.

    * `proven`: each line that it needs is proven at its own shapes, and each sum takes every use once:
      then it is the gradient by the chain rule. It agrees modulo primes too.
    * `supported`: it agrees modulo primes. `refuted`: enclosures prove it wrong. `undecided`: neither.
    """

    verdict: Verdict
    id: str
    shape: Shape
    lines: int
    agrees: bool
    fault: str


@dataclass(frozen=True, slots=True)
class Proving:
    """All that is known of a derivation's gradients; `sums` are the cotangents that add up several uses."""

    example: str
    settings: dict[str, str]
    lines: tuple[LineProof, ...]
    sums: int
    gradients: tuple[GradientProof, ...]
    certificate: Certificate

    @property
    def stands(self) -> bool:
        """Whether everything is proven or at least supported."""
        verdicts = {line.verdict for line in self.lines} | {gradient.verdict for gradient in self.gradients}
        return verdicts <= {"proven", "supported"}


class Prover:
    """The proof in the making: each of `work` does a piece of it, after which `result` is complete.

    Raises `UsageError` where the example has no gradients, `Undecided` where no point is found.
    """

    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self.targets = derivation.targets()
        if not self.targets:
            raise UsageError(f"{derivation.spec.name} has no gradient to prove; ask for one with --wrt")
        gradients = [gradient_id(target) for target in self.targets]
        self.tape = derivation.tape.sliced([LOSS, *gradients])
        self.reading = Reading(self.tape, LOSS)
        kinks = Kinks(self.tape, derivation.values)
        self.point = PrimeRun(self.tape, kinks.sides, fingerprint(self.tape))
        duals = ForwardMode(self.tape, self.point.scalars, self.point.operands, LOSS)
        self.proofs = LineProofs(self.reading, self.point, duals)
        self.certification = Certification(self.tape, self.point, duals, self.targets, LOSS)
        self.lines: list[LineProof] = []
        self.alone: list[Alone] = []
        self.work: list[Family | str] = [*self.proofs.families(), *self.targets]

    def do(self, piece: Family | str) -> None:
        """One piece of `work`."""
        if isinstance(piece, str):
            self.alone.append(self.certification.alone(piece))
        else:
            self.lines.append(self.proofs.prove(piece))

    def result(self) -> Proving:
        """What was found."""
        spec = self.derivation.spec
        sums = sum(step.kind == "gradient_sum" for step in self.tape)
        return Proving(
            spec.name,
            dict(spec.settings),
            tuple(self.lines),
            sums,
            tuple(self._gradients()),
            self.certification.certificate(self.alone),
        )

    def _gradients(self) -> Iterator[GradientProof]:
        verdicts = {line: proof.verdict for proof in self.lines for line in proof.lines}
        for alone in self.alone:
            steps = [self.tape[i] for i in self.tape.needed([gradient_id(alone.id)]) if self.tape[i].part == "backward"]
            lines = [step.id for step in steps if step.id in verdicts]
            faults = sorted({fault for step in steps if (fault := self.reading.fault(step.of))})
            verdict: Verdict = "supported" if alone.agrees else "refuted" if alone.refuted else "undecided"
            if alone.agrees and not faults and all(verdicts[line] == "proven" for line in lines):
                verdict = "proven"
            shape = self.tape[alone.id].shape
            yield GradientProof(verdict, alone.id, shape, len(lines), alone.agrees, faults[0] if faults else "")


def prove(derivation: Derivation) -> Proving:
    """Prove what a derivation says of gradients."""
    prover = Prover(derivation)
    for piece in prover.work:
        prover.do(piece)
    return prover.result()


def fingerprint(tape: Tape) -> str:
    """A text that is settled by what a tape says: its steps, rules, settings and numbers."""
    told = []
    for step in tape:
        numbers = [
            None if cell is None else str(cell.value.as_integer_ratio()) for row in step.literal or () for cell in row
        ]
        rule = (step.op.name, step.op.rule) if step.op is not None else ()
        told.append(repr((step.id, rule, step.operands, step.shape, sorted(step.settings.items()), numbers)))
    return sha256("\n".join(told).encode()).hexdigest()
