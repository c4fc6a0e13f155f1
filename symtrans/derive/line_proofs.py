"""Each vjp line of a backward pass proven: as an identity at the line's own shapes, else tried modulo primes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal

from symtrans.derive.backward import gradient_id
from symtrans.derive.forward_mode import ForwardMode
from symtrans.derive.prime_run import PrimeRun
from symtrans.derive.vjp import declared, vjp_op
from symtrans.derive.vjp_lines import Reading, VjpLine
from symtrans.errors import SymtransError
from symtrans.exact.prime_scalars import Residues
from symtrans.model.tape import Tape
from symtrans.notation.name import Name
from symtrans.notation.reader import read_name
from symtrans.notation.tree import Group, Node, Product, Symbol, substitute
from symtrans.ops.formulas import member_names, rule_tree
from symtrans.ops.proof import Proof, Sizes, cotangent_name, lengths_at, prove, proven, sample_count, sample_sizes
from symtrans.ops.shapes import Shape, bind, settled

Verdict = Literal["proven", "supported", "undecided", "refuted"]
Family = list[VjpLine]
MOST_WORK = 512  # entries times the longer side, of an operand or a result whose vjp is proven at its own shapes


@dataclass(frozen=True, slots=True)
class LineProof:
    """What is known of vjp lines that are alike: one op, one operand, one formula, the same shapes.

    * `op`, `operand`: the forward op and its operand as its formulas call it; `formula` what the lines tell.
    * `shapes`, `settings`: of the lines; `proven_at`: the operands' shapes at which the identity is proven.
    * `compared`: how many entries were compared there; `agrees`: whether they agree modulo primes, at
      their own shapes (None where that could not be tried); `fault`: what is wrong, one sentence.
    * `lines`: the ids of the steps.
    """

    verdict: Verdict
    op: str
    operand: str
    position: int
    formula: str
    shapes: tuple[Shape, ...]
    settings: Mapping[str, int]
    proven_at: tuple[Shape, ...] | None
    compared: int
    agrees: bool | None
    fault: str
    lines: tuple[str, ...]


class LineProofs:
    """Proves the lines of a tape; alike ones are proven once, and each is tried modulo primes."""

    def __init__(self, reading: Reading, run: PrimeRun, duals: ForwardMode[Residues]) -> None:
        self.reading = reading
        self.tape: Tape = reading.tape
        self.run = run
        self.duals = duals

    def families(self) -> list[Family]:
        """The lines, alike ones together, in the tape's order."""
        found: dict[object, Family] = {}
        for line in self.reading.lines.values():
            through, step = line.through, line.step
            roles = tuple(str(self._role(line, operand)) for operand in step.operands)
            op = step.op
            assert op is not None
            key = (through.op, line.position, self._sizes(line), op.rule, roles, settled(step.settings))
            found.setdefault(key, []).append(line)
        return list(found.values())

    def prove(self, family: Family) -> LineProof:
        """The proof of lines that are alike."""
        line = family[0]
        op, own = line.through.op, self._sizes(line)
        assert op is not None
        assert line.step.op is not None
        proof, at = self._identity(line, own)
        tried = [self._agrees(one) for one in family]
        agrees = False if False in tried else None if None in tried else True
        verdict: Verdict = "undecided"
        if proof is not None and proof.refuted:
            verdict = "refuted"
        elif proof is not None and not proof.faults and at == own and agrees is not False:
            verdict = "proven"
        elif agrees:
            verdict = "supported"
        fault = proof.faults[0] if proof is not None and proof.faults else ""
        return LineProof(
            verdict,
            op.name,
            declared(op, line.position, len(line.through.operands)).name,
            line.position,
            line.step.op.rule,
            own.shapes,
            dict(line.through.settings),
            at.shapes if proof is not None and not proof.faults else None,
            proof.compared if proof is not None and not proof.faults else 0,
            agrees,
            fault,
            tuple(one.step.id for one in family),
        )

    def _sizes(self, line: VjpLine) -> Sizes:
        shapes = tuple(self.tape[operand].shape for operand in line.through.operands)
        return Sizes(shapes, settled(line.through.settings))

    def _role(self, line: VjpLine, operand: str) -> int | str | None:
        """What an operand of the line is to the forward step: an operand's position, its result, its cotangent."""
        if operand == gradient_id(line.through.id, self.reading.loss):
            return "cotangent"
        if operand == line.through.id:
            return "result"
        return line.through.operands.index(operand) if operand in line.through.operands else None

    # --- as an identity

    def _identity(self, line: VjpLine, own: Sizes) -> tuple[Proof | None, Sizes]:
        """The line's formula compared with the Jacobian, at its own shapes or, where these are large, the op's sample.

        None where there is nothing to compare with: a quantity that is no part of the forward step, another length.
        """
        op = line.through.op
        assert op is not None
        tree = self._formula(line)
        if tree is None or not self._has_its_lengths(line, own):
            return None, own
        if max(prod(shape) * max(shape, default=1) for shape in (*own.shapes, line.through.shape)) <= MOST_WORK:
            return proven(op, line.position, own, tree), own
        usual, sources = vjp_op(op, line.position, len(own.shapes), line.through.id == self.reading.loss)
        roles = tuple(self._role(line, operand) for operand in line.step.operands)
        if line.step.op is None or line.step.op.rule != usual.rule or roles != sources:
            return None, own
        return prove(op, min(line.position, sample_count(op) - 1)), sample_sizes(op)

    def _has_its_lengths(self, line: VjpLine, own: Sizes) -> bool:
        """Whether the line's letters and settings mean what they mean for the forward step."""
        step, op = line.step, line.through.op
        assert op is not None
        assert step.op is not None
        told = bind(step.op, [self.tape[operand].shape for operand in step.operands], step.settings)
        return told.items() <= lengths_at(op, line.position, own).items()

    def _formula(self, line: VjpLine) -> Node | None:
        """The line's formula in the names of the forward op's formulas; times the cotangent where that was left out."""
        op, reverse = line.through.op, line.step.op
        assert op is not None
        assert reverse is not None
        names = member_names(op, len(line.through.operands))
        meaning: dict[str, Name] = {}
        for own, operand in zip(member_names(reverse, len(line.step.operands)), line.step.operands, strict=True):
            role = self._role(line, operand)
            if role is None:
                return None
            result = read_name(op.result.name)
            assert isinstance(result, Name)
            meaning[own.key] = (
                names[role] if isinstance(role, int) else {"result": result}.get(role, cotangent_name(op))
            )

        def meant(symbol: Symbol) -> Node | None:
            return Symbol(meaning[symbol.name.key]) if symbol.name.key in meaning else None

        tree = substitute(rule_tree(reverse, len(line.step.operands)), meant)
        if line.through.id != self.reading.loss or cotangent_name(op) in meaning.values():
            return tree
        return Product((Symbol(cotangent_name(op)), Group(tree)), ("",))

    # --- modulo primes

    def _agrees(self, line: VjpLine) -> bool | None:
        """Whether the line agrees with dual numbers modulo primes, for a cotangent and a direction that are drawn."""
        step, through, run, scalars = line.step, line.through, self.run, self.run.scalars
        direction = run.drawn(self.tape[step.of].shape, "direction", step.id).map(lambda entry: entry[:1])
        cotangent = run.drawn(through.shape, "cotangent", step.id).map(lambda entry: entry[:1])
        unit = through.id == self.reading.loss
        given_to = [operand for operand in step.operands if self._role(line, operand) != "cotangent"]
        if not all(operand in run.values for operand in given_to):
            return None
        operands = [run.values[operand] if operand in given_to else cotangent for operand in step.operands]
        try:
            given = run.carried(step, operands)
            tangents = [direction if place == line.position else None for place in range(len(through.operands))]
            pushed = self.duals.pushed(through, tangents)  # type: ignore[arg-type]
            if given.shape != direction.shape or pushed is None:
                return False
            zero = scalars.number(Fraction(0))[:1]
            grown = pushed.map(lambda entry: zero if entry is None else entry)
            right = grown.item if unit else self.duals.along(cotangent, grown)
            return not any(scalars.subtract(self.duals.along(given, direction), right))
        except SymtransError:
            return None
