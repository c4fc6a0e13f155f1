"""The proof has teeth: a line that is changed is refuted, and so are the gradients that need it, by name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from symtrans.derive.derivation import Derivation, derive
from symtrans.derive.proving import Prover
from symtrans.model.tape import Step, Tape
from symtrans.ops import find_op

# What a change does not change: the softmax does not see what all logits of a row share, so what is the same in every
# key has no gradient through the keys: their bias, and the shift of the norm before them. A row's deviations from its
# mean add up to 0, so the mean's part in the variance is 0.
NO_GRADIENT = re.compile(r"b_K\d|beta_1")
NO_PART = {(f"{op}.vjp1", what) for op in ("row_deviation", "row_variance") for what in ("sign", "factor")}


def changes(tape: Tape, step: Step) -> Iterator[tuple[str, Step]]:
    """The step with one thing wrong: a sign, a factor, a transpose, its operands' order, a use."""
    op = step.op
    assert op is not None

    def ruled(rule: str) -> Step:
        return replace(step, op=replace(op, rule=rule))

    if op.name == "add":
        yield "use forgotten", replace(step, operands=step.operands[1:])
        yield "use taken twice", replace(step, operands=(step.operands[0], *step.operands[:-1]))
        return
    yield "sign", ruled(f"-({op.rule})")
    yield "factor", ruled(f"3({op.rule})")
    plain = re.sub(r"\^\{\\top\}", "", op.rule, count=1)
    if plain != op.rule:
        yield "transpose", ruled(plain)
    if len({tape[operand].shape for operand in step.operands}) == 1 < len(step.operands) and "-" not in op.rule:
        yield "operands exchanged", replace(step, operands=step.operands[::-1])


def lines_of(example: str) -> set[tuple[str, str]]:
    """The operations and rules of an example's backward pass."""
    return {(s.op.name, s.op.rule) for s in derive(example, wrt=["all"]).tape if s.part == "backward" and s.op}


def changed(derivation: Derivation, step: Step) -> Prover:
    """The proof of the derivation with one step another; its values are as they were."""
    other = derive(derivation.spec, wrt=["all"])
    other.tape = Tape(step if step.id == known.id else known for known in derivation.tape)
    other.values = derivation.values
    return Prover(other)


@pytest.mark.parametrize("example", ["handcalc", "encoder", "llama", "gpt"])
def test_every_change_is_refuted_and_named(example: str) -> None:
    settings = {"weights": "softmax"} if example == "handcalc" else {}
    derivation = derive(example, settings=settings, wrt=["all"])
    tape = derivation.tape
    # What the encoder's lines have shown is not shown again.
    seen = lines_of("encoder") if example in ("gpt", "llama") else set()
    done: Counter[str] = Counter()
    for step in tape:
        if step.part != "backward" or step.op is None or (step.op.name, step.op.rule) in seen:
            continue
        seen.add((step.op.name, step.op.rule))
        for what, wrong in changes(tape, step):
            if what == "factor" and example != "handcalc":  # as good as a sign
                continue
            prover = changed(derivation, wrong)
            needing = [target for target in prover.targets if step.id in tape.needed([f"dL/d{target}"])]
            differing = [target for target in prover.targets if not prover.certification.agree([target])]
            assert set(differing) <= set(needing)
            if (step.op.name, what) in NO_PART:
                assert differing == []
                continue
            unseen = [target for target in needing if target not in differing]
            assert all(NO_GRADIENT.fullmatch(target) for target in unseen), (step.id, what, unseen)
            assert differing
            assert prover.certification.alone(differing[0]).refuted, (step.id, what)
            assert not prover.certification.agree(prover.targets)
            done[what] += 1
    print(example, dict(done))
    assert done["sign"] >= 7
    assert done["transpose"] >= 3


WRONG_LINES = [
    ("encoder", "dL/dW_1", "-({rule})", "linear", False),
    ("encoder", "dL/dsigma_1", "-({rule})", "layer_norm", False),
    ("encoder", "dL/dmu_2 via sigma_2", "-({rule})", "row_deviation", True),  # 0 at every point of the tape
    ("encoder", "dL/dU", r"\bar{{Y}}", "relu", False),
    ("handcalc", "dL/dy_hat", "2({rule})", "half_sum_of_squares", False),
]


@pytest.mark.parametrize(("example", "line", "rule", "op", "agrees"), WRONG_LINES)
def test_a_wrong_line_is_refuted_as_an_identity(example: str, line: str, rule: str, op: str, agrees: bool) -> None:
    derivation = derive(example, wrt=["all"])
    step = derivation.tape[line]
    assert step.op is not None
    wrong = replace(step, op=replace(step.op, rule=rule.format(rule=step.op.rule)))
    prover = changed(derivation, wrong)
    family = next(f for f in prover.proofs.families() if any(one.step.id == line for one in f))
    proof = prover.proofs.prove(family)
    assert (proof.verdict, proof.op, proof.agrees, proof.lines) == ("refuted", op, agrees, (line,))
    assert "is not the derivative" in proof.fault


def test_a_sum_that_forgets_a_use_or_takes_another_is_no_proof() -> None:
    derivation = derive("encoder", wrt=["all"])
    step = derivation.tape["dL/dmu_2"]
    # The part that is forgotten is 0, so the gradients are right: supported, and not proven.
    prover = changed(derivation, replace(step, operands=step.operands[:1]))
    assert prover.reading.fault("mu_2") == "dL/dmu_2 does not take every use of mu_2 once"
    for piece in prover.work:
        prover.do(piece)
    verdicts = {gradient.id: (gradient.verdict, gradient.fault) for gradient in prover.result().gradients}
    assert verdicts["W_1"] == ("supported", "dL/dmu_2 does not take every use of mu_2 once")
    assert verdicts["gamma_2"] == ("proven", "")


def test_zeros_for_a_quantity_that_is_used_are_refuted() -> None:
    derivation = derive("encoder", wrt=["all"])
    step = derivation.tape["dL/dW_O"]
    wrong = replace(step, op=find_op("zeros_like"), operands=("W_O",), kind="gradient_zero")
    prover = changed(derivation, wrong)
    assert prover.reading.fault("W_O") == "dL/dW_O does not take every use of W_O once"
    found = prover.certification.alone("W_O")
    assert (found.agrees, found.refuted) == (False, True)


def test_a_line_through_another_step_is_found_out() -> None:
    derivation = derive("encoder", wrt=["all"])
    step = derivation.tape["dL/dW_Q1"]
    prover = changed(derivation, replace(step, operands=(step.operands[0], "dL/dK_1")))
    assert prover.reading.fault("W_Q1") == "dL/dW_Q1 does not take every use of W_Q1 once"
    found = [prover.certification.alone(target) for target in prover.targets]
    assert [alone.id for alone in found if alone.refuted] == ["W_Q1"]


def test_a_line_with_another_setting_is_not_proven_by_the_right_one() -> None:
    derivation = derive("encoder", wrt=["all"])
    step = derivation.tape["dL/dH_2"]
    assert dict(step.settings) == {"a": 3, "b": 4}
    prover = changed(derivation, replace(step, settings={"a": 1, "b": 2}))
    family = next(f for f in prover.proofs.families() if f[0].step.id == "dL/dH_2")
    proof = prover.proofs.prove(family)
    assert (proof.verdict, proof.proven_at, proof.agrees) == ("undecided", None, False)
    found = [prover.certification.alone(target) for target in prover.targets]
    assert [alone.id for alone in found if alone.refuted] == ["E", "W_Q2", "W_K2", "W_V2"]
