"""Multi-head attention on embedded inputs, an output projection and a loss: the hand calculation's model."""

from __future__ import annotations

from symtrans.model.assembly import Assembly
from symtrans.model.block import Block, Settings
from symtrans.model.quantity import Quantity, Section
from symtrans.model.spec import Spec
from symtrans.model.tape import Tape

PROJECTIONS = (("query", "Q"), ("key", "K"), ("value", "V"))


def declares(settings: Settings) -> dict[str, Section]:
    """Input and target, and one matrix for each projection."""
    return {
        "inputs": {"x": Quantity(("positions", "d_in")), "y": Quantity(("positions", "d_out"))},
        "parameters": {
            "W_emb": Quantity(("d_in", "d_model")),
            "W_Q": Quantity(("d_model", "d_k"), copies="heads"),
            "W_K": Quantity(("d_model", "d_k"), copies="heads"),
            "W_V": Quantity(("d_model", "d_v"), copies="heads"),
            "W_O": Quantity(("heads*d_v", "d_out")),
        },
    }


def build(spec: Spec) -> Tape:
    """Inputs, embedding, queries, keys and values, scores, weights, outputs, concatenation, projection, loss."""
    model = Assembly(spec, Tape())
    for quantity in ("x", "W_emb", "W_Q", "W_K", "W_V", "W_O", "y"):
        model.take(quantity, parameter=quantity.startswith("W"))
    model.step("e", "embedding", "embedding", "matmul", ("x", "W_emb"))
    heads = range(1, spec.dimensions["heads"] + 1)
    for head in heads:
        for role, letter in PROJECTIONS:
            weights = model.copy_for(f"W_{letter}", head, head=head)
            model.step(f"{letter}_{head}", role, "projection", "matmul", ("e", weights), head=head)
    scaled = spec.settings["scale"] == "sqrt"
    for head in heads:
        model.step(f"S_{head}", "scores", "scores", "scores", (f"Q_{head}", f"K_{head}"), head=head)
    for head in heads if scaled else ():
        width = {"d": spec.dimensions["d_k"]}
        model.step(f"Z_{head}", "scaled_scores", "scores", "scale_by_root", (f"S_{head}",), head=head, settings=width)
    for head in heads:
        scores = f"Z_{head}" if scaled else f"S_{head}"
        if spec.settings["weights"] == "softmax":
            model.step(f"A_{head}", "weights", "weights", "softmax", (scores,), head=head)
        else:
            model.step(f"A_{head}", "weights", "fixed_weights", "uniform_weights", (scores,), head=head)
    for head in heads:
        operands = (f"A_{head}", f"V_{head}")
        model.step(f"H_{head}", "attention_output", "attention_output", "matmul", operands, head=head)
    model.step("C", "concat", "concat", "concat", tuple(f"H_{head}" for head in heads))
    model.step("y_hat", "output", "linear", "matmul", ("C", "W_O"))
    model.step("L", "loss", "loss", spec.loss, ("y_hat", "y"))
    return model.tape


BLOCK = Block(
    name="attention",
    dimensions=("positions", "d_in", "d_model", "d_k", "d_v", "heads", "d_out"),
    switches={"weights": ("softmax", "uniform"), "scale": ("none", "sqrt")},
    declares=declares,
    build=build,
)
