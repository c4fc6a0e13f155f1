"""Every bundled example's backward pass: each line and each gradient is proven, and all parameters are there."""

from __future__ import annotations

import pytest

from symtrans.derive import line_proofs
from symtrans.derive.derivation import derive
from symtrans.derive.proving import Prover, prove
from symtrans.notation.reader import read_expression
from symtrans.ops import find_op, proof
from symtrans.ops.formulas import vjp_tree
from symtrans.ops.proof import Sizes, proven, sample_sizes

# Gradients and vjp lines, counted on the tapes that these examples lay out: 12 = x, W_emb, W_O and three of each head.
EXAMPLES = [
    ("handcalc", {}, 12, 17),
    ("handcalc", {"weights": "softmax"}, 12, 41),
    ("handcalc", {"scale": "sqrt"}, 12, 17),
    ("handcalc", {"weights": "softmax", "scale": "sqrt"}, 12, 44),
    ("encoder", {}, 16, 58),
    ("encoder-decoder", {}, 42, 158),
    ("gpt", {}, 26, 79),
    ("llama", {}, 13, 57),
    ("bert", {}, 47, 132),
]


@pytest.mark.parametrize(("example", "settings", "gradients", "lines"), EXAMPLES)
def test_everything_is_proven(example: str, settings: dict[str, str], gradients: int, lines: int) -> None:
    derivation = derive(example, settings=settings, wrt=["all"])
    proving = prove(derivation)
    assert proving.stands
    assert {known.verdict for known in (*proving.lines, *proving.gradients)} == {"proven"}
    assert all(line.proven_at == line.shapes and line.agrees and line.compared for line in proving.lines)
    assert proving.certificate.together
    assert proving.certificate.digits >= 14
    told = [gradient.id for gradient in proving.gradients]
    assert len(told) == len(set(told)) == gradients
    assert all(alone.agrees for alone in proving.certificate.alone)
    assert [alone.id for alone in proving.certificate.alone] == told
    steps = [step for line in proving.lines for step in line.lines]
    assert len(steps) == len(set(steps)) == lines
    # Every parameter that the forward pass uses, or each head's copy of it, has its gradient here.
    forward = [step for step in derivation.tape if step.part in ("inputs", "forward")]
    copies = {step.operands[0] for step in forward if step.op is find_op("copy")}
    used = {operand for step in derivation.tape if step.part == "forward" for operand in step.operands}
    assert {s.id for s in forward if s.parameter and s.id in used and s.id not in copies} <= set(told)
    # Every backward step is one of these lines, a sum of such, a copy's own or zeros.
    others = [s for s in Prover(derivation).tape if s.part == "backward" and s.id not in steps]
    assert {s.kind for s in others} <= {"gradient_sum", "gradient_zero"}


# Architectures that no bundled example has, by the certificate alone.
SWITCHES = [
    *(("encoder", {"norm": n}) for n in ("layer_norm_of_sample", "layer_norm_of_variance", "rms_norm", "none")),
    *(("gpt", {"activation": a}) for a in ("relu", "silu", "gelu")),
    *(("encoder", {"positions": p}) for p in ("rotary", "alibi", "none")),
    ("gpt", {"placement": "post", "norm": "layer_norm", "embedding_scale": "sqrt", "scale": "none"}),
]


@pytest.mark.parametrize(("example", "settings"), SWITCHES)
def test_every_gradient_agrees_whatever_the_switches_are(example: str, settings: dict[str, str]) -> None:
    prover = Prover(derive(example, settings=settings, wrt=["all"]))
    assert len(prover.targets) > 10
    assert all(prover.certification.alone(target).agrees for target in prover.targets)
    assert prover.certification.certificate([]).together
    assert [fault for step in prover.tape if (fault := prover.reading.fault(step.of)) and step.part == "backward"] == []


def test_a_gradient_of_what_is_no_input_is_proven_too() -> None:
    proving = prove(derive("encoder", wrt=["Q_1", "sigma_2", "Z_attn", "E"]))
    assert [(gradient.id, gradient.verdict) for gradient in proving.gradients] == [
        ("E", "proven"),
        ("Q_1", "proven"),
        ("Z_attn", "proven"),
        ("sigma_2", "proven"),
    ]


def test_a_large_line_is_proven_at_its_sample_and_supported_at_its_own_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_proofs, "MOST_WORK", 16)
    proving = prove(derive("encoder", wrt=["W_1", "W_Q1"]))
    by_op = {(line.op, line.position): line for line in proving.lines}
    norm, concat, query = by_op["layer_norm", 0], by_op["concat", 0], by_op["matmul", 1]
    assert (norm.verdict, norm.shapes[0], norm.proven_at) == (
        "supported",
        (3, 4),
        sample_sizes(find_op("layer_norm")).shapes,
    )
    assert (concat.verdict, concat.shapes, concat.proven_at) == (
        "supported",
        ((3, 2), (3, 2)),
        ((2, 2), (2, 3), (2, 4)),
    )
    assert (query.verdict, query.compared) == ("supported", 12)
    assert {gradient.verdict for gradient in proving.gradients} == {"supported"}
    assert proving.stands


def test_a_difference_that_no_point_tells_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "refuted_entry", lambda *_: None)
    scores = find_op("scores")
    right, wrong = (
        proven(scores, 0, sample_sizes(scores), read_expression(rule)) for rule in (r"\bar{S}K", r"2\bar{S}K")
    )
    assert (right.compared, right.faults) == (6, ())
    assert (len(wrong.faults), wrong.refuted) == (6, False)


def test_a_proof_holds_at_any_shapes() -> None:
    scores = find_op("scores")
    at = Sizes(((3, 2), (2, 2)), ())
    assert proven(scores, 0, at, vjp_tree(scores, 0, 2)).faults == ()
    assert proven(scores, 1, at, vjp_tree(scores, 1, 2)).compared == 4
    wrong = proven(scores, 1, at, read_expression(r"\bar{S}^TQ+K-K-Q^TQ"))
    assert wrong.refuted
    assert wrong.faults
