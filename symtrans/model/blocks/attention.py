"""Multi-head attention on embedded inputs, an output projection and a loss: the hand calculation's model."""

from __future__ import annotations

from symtrans.model.block import Block
from symtrans.model.names import quantity_name
from symtrans.model.spec import Spec
from symtrans.model.tape import Step, Tape
from symtrans.ops import find_op

PROJECTIONS = (("query", "Q"), ("key", "K"), ("value", "V"))


def build(spec: Spec) -> Tape:
    """Inputs, embedding, queries, keys and values, scores, weights, outputs, concatenation, projection, loss."""
    tape = Tape()
    for quantity in ("x", "W_emb", "W_Q", "W_K", "W_V", "W_O", "y"):
        _input(tape, spec, quantity)
    _step(tape, spec, "e", "embedding", "embedding", "matmul", ("x", "W_emb"))
    heads = range(1, spec.dimensions["heads"] + 1)
    for head in heads:
        for role, letter in PROJECTIONS:
            weights = _own_weights(tape, spec, f"W_{letter}", head)
            _step(tape, spec, f"{letter}_{head}", role, "projection", "matmul", ("e", weights), head)
    scaled = spec.settings["scale"] == "sqrt"
    for head in heads:
        _step(tape, spec, f"S_{head}", "scores", "scores", "scores", (f"Q_{head}", f"K_{head}"), head)
    for head in heads if scaled else ():
        settings = {"d": spec.dimensions["d_k"]}
        _step(tape, spec, f"Z_{head}", "scaled_scores", "scores", "scale_by_root", (f"S_{head}",), head, settings)
    for head in heads:
        scores = f"Z_{head}" if scaled else f"S_{head}"
        if spec.settings["weights"] == "softmax":
            _step(tape, spec, f"A_{head}", "weights", "weights", "softmax", (scores,), head)
        else:
            _step(tape, spec, f"A_{head}", "weights", "fixed_weights", "uniform_weights", (scores,), head)
    for head in heads:
        _step(
            tape, spec, f"H_{head}", "attention_output", "attention_output", "matmul", (f"A_{head}", f"V_{head}"), head
        )
    _step(tape, spec, "C", "concat", "concat", "concat", tuple(f"H_{head}" for head in heads))
    _step(tape, spec, "y_hat", "output", "linear", "matmul", ("C", "W_O"))
    _step(tape, spec, "L", "loss", "loss", spec.loss, ("y_hat", "y"))
    return tape


def _input(tape: Tape, spec: Spec, quantity: str) -> None:
    """A matrix as the specification gives it; one for each head where it gives one for each."""
    matrices = spec.matrices[quantity]
    parameter = quantity in BLOCK.parameters
    own = len(matrices) > 1
    for number, literal in enumerate(matrices, 1):
        tape.add(
            id=f"{quantity}{number}" if own else quantity,
            name=quantity_name(quantity, spec.names, number if own else None),
            literal=literal,
            part="inputs",
            role=quantity,
            kind="input",
            head=number if own else None,
            parameter=parameter,
        )


def _own_weights(tape: Tape, spec: Spec, quantity: str, head: int) -> str:
    """The id of a head's own weights: as given, or a silent copy of what all heads share."""
    own = f"{quantity}{head}"
    if own not in tape:
        tape.add(
            id=own,
            name=quantity_name(quantity, spec.names, head),
            op=find_op("copy"),
            operands=(quantity,),
            part="forward",
            role=quantity,
            kind="input",
            head=head,
            silent=True,
            parameter=True,
        )
    return own


def _step(
    tape: Tape,
    spec: Spec,
    step_id: str,
    role: str,
    kind: str,
    op: str,
    operands: tuple[str, ...],
    head: int | None = None,
    settings: dict[str, int] | None = None,
) -> Step:
    return tape.add(
        id=step_id,
        name=quantity_name(role, spec.names, head),
        op=find_op(op),
        operands=operands,
        part="loss" if role == "loss" else "forward",
        role=role,
        kind=kind,
        head=head,
        settings=settings,
    )


BLOCK = Block(
    name="attention",
    dimensions=("positions", "d_in", "d_model", "d_k", "d_v", "heads", "d_out"),
    switches={"weights": ("softmax", "uniform"), "scale": ("none", "sqrt")},
    inputs={"x": ("positions", "d_in"), "y": ("positions", "d_out")},
    parameters={
        "W_emb": ("d_in", "d_model"),
        "W_Q": ("d_model", "d_k"),
        "W_K": ("d_model", "d_k"),
        "W_V": ("d_model", "d_v"),
        "W_O": ("heads*d_v", "d_out"),
    },
    per_head=frozenset({"W_Q", "W_K", "W_V"}),
    build=build,
)
